"""Where the known clients keep their sessions: a row for each of them, one table, and the newest session of a
folder.
"""
