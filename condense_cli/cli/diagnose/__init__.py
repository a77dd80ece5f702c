"""condense without a command: what is wrong with the newest session of this folder."""
