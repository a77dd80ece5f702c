"""fsck for the session files of coding agents.

The public library is what `PUBLIC` names; everything else is private. Its modules are loaded when a name is first used.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condense_cli.dataset.batch import check_batch as check_batch
    from condense_cli.dataset.batch import repair_batch as repair_batch
    from condense_cli.library import RepairPlan as RepairPlan
    from condense_cli.library import Session as Session
    from condense_cli.library import check as check
    from condense_cli.library import repair as repair

__version__ = "0.1.0"

PUBLIC = {
    "Session": "condense_cli.library",
    "RepairPlan": "condense_cli.library",
    "check": "condense_cli.library",
    "repair": "condense_cli.library",
    "check_batch": "condense_cli.dataset.batch",
    "repair_batch": "condense_cli.dataset.batch",
}
"""Public name -> the module that it comes from."""


def _public(name: str) -> property:
    def load(_: ModuleType) -> Any:
        return getattr(importlib.import_module(PUBLIC[name]), name)

    def keep(_: ModuleType, room: ModuleType) -> None:
        """Let the folder `check/` be imported without taking the place of the function."""

    return property(load, keep)


class _Package(ModuleType):
    """This package: a public name means the library, also where a folder has the same one."""


for _name in PUBLIC:
    setattr(_Package, _name, _public(_name))
sys.modules[__name__].__class__ = _Package
