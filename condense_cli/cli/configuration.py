"""What the project's configuration says: condense.toml, or [tool.condense] of pyproject.toml."""

from __future__ import annotations

import os
import tomllib
from typing import Any, NamedTuple

from condense_cli.errors import UsageError


class Settings(NamedTuple):
    """What pyproject.toml or condense.toml says."""

    paths: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    source: str = ""


def settings(folder: str = ".") -> Settings:
    """Read `condense.toml`, else `[tool.condense]` of pyproject.toml; raise UsageError for what makes no sense."""
    for name in ("condense.toml", "pyproject.toml"):
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            continue
        try:
            with open(path, "rb") as handle:
                value: dict[str, Any] = tomllib.load(handle)
        except (OSError, tomllib.TOMLDecodeError) as problem:
            raise UsageError(f"{name}: {problem}", "correct the file, or name the sessions on the command line") from None
        table = value if name == "condense.toml" else value.get("tool", {}).get("condense")
        if isinstance(table, dict):
            return _settings(name, table)
    return Settings()


def _settings(name: str, table: dict[str, Any]) -> Settings:
    known = {"paths", "select", "ignore", "fail-on"}
    for key in table:
        if key not in known:
            raise UsageError(f"{name}: condense knows no key {key!r}", f"it knows {', '.join(sorted(known))}")
    lists: dict[str, tuple[str, ...]] = {}
    for key in ("paths", "select", "ignore"):
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise UsageError(f"{name}: {key} is not a list of strings", f'write {key} = ["…"]')
        lists[key] = tuple(value)
    fail_on = table.get("fail-on")
    if fail_on not in (None, "error", "warning", "info", "never"):
        raise UsageError(f"{name}: fail-on is not error, warning, info or never")
    return Settings(lists["paths"], lists["select"], lists["ignore"], fail_on, name)
