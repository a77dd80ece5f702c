"""Cline sessions: the store of its SDK, and the conversation history of older versions."""
