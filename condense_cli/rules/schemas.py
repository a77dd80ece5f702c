"""The tools that a conversation declares: their names, and whether arguments fit the schema."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

Fits = Callable[[Any], bool]
Tools = Mapping[str, Fits] | None
"""Name of a declared tool -> whether arguments fit its schema; None where nothing is declared."""


def anything(_: Any) -> bool:
    """Accept all arguments: what is used where a tool declares no schema."""
    return True


class Declared:
    """Schemas of declared tools, compiled once for each list of tools and kept while a data set is read."""

    def __init__(self, most: int = 256) -> None:
        self._known: dict[bytes, dict[str, Fits]] = {}
        self._most = most

    def of(self, tools: list[Any]) -> dict[str, Fits]:
        """Return name -> whether arguments fit, for a list of tools in the shape of chat, Responses or Anthropic."""
        import orjson  # the rules are listed without it

        key = orjson.dumps(tools)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= self._most:
                self._known.clear()
            found = self._known[key] = dict(_declared(tools))
        return found


def _declared(tools: list[Any]) -> list[tuple[str, Fits]]:
    found: list[tuple[str, Fits]] = []
    for tool in tools:
        if not isinstance(tool, dict):
            continue
        inner = _described(tool)
        name = inner.get("name")
        if isinstance(name, str):
            found.append((name, _compiled(inner.get("parameters", inner.get("input_schema")))))
    return found


def names_of(tools: list[Any] | None) -> frozenset[str] | None:
    """Return the names of declared tools; None where nothing declares them, or not all of them by name."""
    if tools is None or any(isinstance(tool, dict) and tool.get("type") == "mcp_toolset" for tool in tools):
        return None
    return frozenset(
        name for tool in tools if isinstance(tool, dict) and isinstance(name := _described(tool).get("name"), str)
    )


def _described(tool: dict[str, Any]) -> dict[str, Any]:
    function = tool.get("function")
    return function if isinstance(function, dict) else tool


def can_judge_schemas() -> bool:
    """Say whether the validator of the extra `data` is installed."""
    return importlib.util.find_spec("jsonschema_rs") is not None


def _compiled(schema: Any) -> Fits:
    if not isinstance(schema, dict) or not can_judge_schemas():
        return anything
    import jsonschema_rs  # the extra `data`

    try:
        # No network, and patterns that cannot backtrack: a data set is untrusted.
        validator = jsonschema_rs.validator_for(schema, offline=True, pattern_options=jsonschema_rs.RegexOptions())
    except ValueError:
        return anything  # a schema that is none says nothing about arguments
    return validator.is_valid
