"""condense repair: show what would be repaired; with -o or -i write it, after it was proved."""
