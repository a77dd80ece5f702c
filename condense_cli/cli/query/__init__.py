"""condense query: the outputs that references name, pruned or not."""
