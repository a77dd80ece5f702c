"""Hooks of clients: which event it is, what is new in its session, and how the hook gets into a client's settings."""
