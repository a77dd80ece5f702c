"""fsck for the session files of coding agents.

The public library is what `PUBLIC` names; everything else is private. Its modules are loaded when a name is first used.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

PUBLIC = {
    "check_batch": "condense_cli.dataset.batch",
    "repair_batch": "condense_cli.dataset.batch",
}
"""Public name -> the module that it comes from."""


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(PUBLIC[name]), name)
