"""An opened session, as commands use it."""
