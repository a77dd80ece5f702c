"""GitHub Copilot CLI sessions."""
