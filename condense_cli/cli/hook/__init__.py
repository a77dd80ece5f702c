"""condense hook: what a client's hook runs, and how it gets into the client's settings."""
