"""One JSON request out of a thread: the messages that a provider accepts, whatever the session holds.

gather.py puts the turns in order and the results to their calls; a module for each API writes them in its words, with
names.py, media.py and declared.py for what every provider wants to be legal. What came out is checked as any other
session of that API.
"""
