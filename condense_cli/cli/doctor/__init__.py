"""condense doctor: every session of every known client on this machine, worst first."""
