"""condense render: the messages of a session after pi-condense's pruning, or before it, or as sent."""
