"""Check: the layers in order, judged by contracts."""
