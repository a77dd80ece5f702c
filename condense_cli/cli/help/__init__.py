"""condense help: the help of condense, or of one command."""
