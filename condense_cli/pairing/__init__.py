"""How calls and results pair, and what a sweep decides of those without a partner. Pure functions.

They look at messages without their texts and say what to do; who holds the texts does it.
"""
