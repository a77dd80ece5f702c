"""condense scan: trajectories by the million, judged for training."""
