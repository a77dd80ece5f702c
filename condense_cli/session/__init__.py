"""A session: which one a word means, opened, pruned, and repaired."""
