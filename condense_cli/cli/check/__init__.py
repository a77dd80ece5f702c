"""condense check: all rules."""
