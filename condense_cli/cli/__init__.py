"""The command line: a folder per command, one table of them, one error boundary around all of them.

A command's folder has command.py, which declares its options for Typer, and run.py, which does the work.
"""

from condense_cli.cli.boundary import main, run

__all__ = ["main", "run"]
