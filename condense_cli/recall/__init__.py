"""Giving back tool outputs: those that pi-condense indexed, and those that stand in the transcript."""
