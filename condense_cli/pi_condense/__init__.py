"""pi-condense: pruning and compaction."""

VERSION = "2.11.3"
"""The version of pi-condense whose behaviour this is."""
