"""The rules that sweep halves without a partner: what goes, what moves and what is answered. Pure functions.

They look at messages without their texts and say what to do; who holds the texts does it.
"""
