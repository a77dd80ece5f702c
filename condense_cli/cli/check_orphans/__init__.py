"""condense check-orphans: the pairing rules, for CI."""
