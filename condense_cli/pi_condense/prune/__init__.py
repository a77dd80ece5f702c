"""pi-condense 2.11.3: what it drops, replaces and inserts before a request is sent.

The facts of the branch are read once; the decisions are a value; messages are loaded again only to be written.
"""
