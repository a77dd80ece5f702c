"""Load what runs a command. Ctrl-C meanwhile ends the process at once: nothing has been opened or written yet.

An exception there could not be relied on: it may arrive while a compiled module starts, and orjson crashes then.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from importlib import import_module
from types import FrameType, ModuleType

from condense_cli.errors import ExitCode


def load(folder: str) -> ModuleType:
    """Import run.py of a command's folder."""
    name = f"condense_cli.cli.{folder}.run"
    if name in sys.modules or threading.current_thread() is not threading.main_thread():
        return import_module(name)
    before = signal.signal(signal.SIGINT, _end)
    try:
        return import_module(name)
    finally:
        signal.signal(signal.SIGINT, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    os.write(2, b"condense: interrupted\n")
    os._exit(ExitCode.INTERRUPTED)
