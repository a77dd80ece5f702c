"""pi-condense 2.11.3 without a model: which closed chains of tool calls are compressed, and what is appended for them.

The facts of the branch are read once; a run is a value: rows for people, lines to append, files to write first.
"""
