"""Giving back tool outputs: those that pi-condense indexed, and those in the transcript."""
