"""pi-condense: pruning and compaction."""
