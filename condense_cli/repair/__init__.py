"""Mending one thread: each rule's fixer, in the order in which they are asked.

A fixer handles all findings of its rule and leaves judging the outcome to the next round: a drop can create
the next defect, so repair looks again after each.
"""
