"""A session file as a value, and what a format is."""
