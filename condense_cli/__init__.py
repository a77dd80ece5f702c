"""fsck for the session files of coding agents."""

__version__ = "0.1.0"
