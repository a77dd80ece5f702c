"""Data sets of conversations: rows in, findings and repaired rows out, on as many processes as there are."""
