"""Rounds of fixes over an index, the plan that they make, and its proof."""
