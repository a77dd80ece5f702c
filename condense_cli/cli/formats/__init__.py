"""condense formats: what can be done with the sessions of each client."""
