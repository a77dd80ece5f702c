"""OpenAI chat messages."""
