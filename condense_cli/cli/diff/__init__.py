"""condense diff: what repair would change, or what pruning changes."""
