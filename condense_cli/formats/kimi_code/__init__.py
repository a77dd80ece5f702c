"""Kimi Code sessions."""
