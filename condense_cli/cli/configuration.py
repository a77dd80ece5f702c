"""What a project says about its checks: condense.toml, or `[tool.condense]` of pyproject.toml, searched upwards."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from typing import Any, NamedTuple

from condense_cli.cli.check.values import FailOn, Output, Unknown, ViewName
from condense_cli.errors import UsageError

_FILES = ("condense.toml", "pyproject.toml")


class Configuration(NamedTuple):
    """The keys of the configuration; paths and files are relative to the current folder. A key is spelt with dashes."""

    paths: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    contract: tuple[str, ...] = ()
    fail_on: str | None = None
    unknown: str | None = None
    output_format: str | None = None
    output: str | None = None
    baseline: str | None = None
    view: str | None = None
    all_threads: bool = False
    statistics: bool = False
    max_findings: int | None = None
    jobs: int = 0
    source: str = ""


def configuration(folder: str = ".") -> Configuration:
    """Read the configuration of the folder or of the nearest one above; raise UsageError for what makes no sense."""
    above = os.path.abspath(folder)
    while True:
        for name in _FILES:
            table = _table(os.path.join(above, name), name)
            if table is not None:
                return _configuration(os.path.join(above, name), table, folder)
        parent = os.path.dirname(above)
        if parent == above or os.path.exists(os.path.join(above, ".git")):
            return Configuration()
        above = parent


def _table(path: str, name: str) -> dict[str, Any] | None:
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as handle:
            value: dict[str, Any] = tomllib.load(handle)
    except (OSError, ValueError, RecursionError) as problem:
        raise UsageError(f"{name}: {problem}", "correct the file, or name the sessions on the command line") from None
    return value if name == "condense.toml" else _own_table(name, value)


def _own_table(name: str, value: dict[str, Any]) -> dict[str, Any] | None:
    """Return `[tool.condense]`, None where there is none; raise UsageError where it is no table."""
    tool = value.get("tool", {})
    own = tool.get("condense") if isinstance(tool, dict) else tool
    if own is not None and not isinstance(own, dict):
        raise UsageError(f"{name}: tool.condense is not a table", "write [tool.condense]")
    return own


def _configuration(path: str, table: dict[str, Any], folder: str) -> Configuration:
    name = os.path.basename(path)
    found: dict[str, Any] = {"source": name}
    for key, value in table.items():
        if key not in _KEYS:
            raise UsageError(f"{name}: condense knows no key {key!r}", f"it knows {', '.join(sorted(_KEYS))}")
        fits, what, advice = _KEYS[key]
        if not fits(value):
            raise UsageError(f"{name}: {key} is not {what}", advice)
        found[key.replace("-", "_")] = tuple(value) if isinstance(value, list) else value
    home = os.path.dirname(path)
    found["paths"] = tuple(_here(one, home, folder) for one in found.get("paths", ()))
    for key in ("output", "baseline"):
        if key in found:
            found[key] = _here(found[key], home, folder)
    return Configuration(**found)


def _here(path: str, home: str, folder: str) -> str:
    """Return a path of the configuration's folder as one of the current folder."""
    path = os.path.expanduser(path)
    if path == "-" or os.path.isabs(path):
        return path
    if os.path.realpath(home) == os.path.realpath(folder):
        return path
    return os.path.relpath(os.path.join(home, path), folder)


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _one_of(*names: str) -> tuple[Callable[[object], bool], str, str]:
    return (lambda value: value in names), f"{', '.join(names[:-1])} or {names[-1]}", ""


_STRINGS = (_is_strings, "a list of strings", 'write it as ["…"]')
_STRING: tuple[Callable[[object], bool], str, str] = (lambda value: isinstance(value, str), "a string", "")
_BOOLEAN: tuple[Callable[[object], bool], str, str] = (lambda value: isinstance(value, bool), "true or false", "")
_NUMBER = (_is_number, "a number from 0", "")

_KEYS: dict[str, tuple[Callable[[object], bool], str, str]] = {
    "paths": _STRINGS,
    "select": _STRINGS,
    "ignore": _STRINGS,
    "contract": _STRINGS,
    "fail-on": _one_of(*FailOn),
    "unknown": _one_of(*Unknown),
    "output-format": _one_of(*Output),
    "output": _STRING,
    "baseline": _STRING,
    "view": _one_of(*ViewName),
    "all-threads": _BOOLEAN,
    "statistics": _BOOLEAN,
    "max-findings": _NUMBER,
    "jobs": _NUMBER,
}
