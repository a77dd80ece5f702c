"""pi sessions."""
