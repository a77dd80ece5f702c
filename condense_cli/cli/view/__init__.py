"""condense view: a session as one HTML page to look at."""
