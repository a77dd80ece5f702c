"""The tools that a session declares, in no API's words: name, description and a schema that every API takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.request.names import legal_name

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

_SCHEMAS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")
_OURS = frozenset({"function", "custom"})  # types of tools that the client runs; others run at their provider
_AT_THE_TOP = ("oneOf", "anyOf", "allOf", "not", "enum")  # no provider takes them beside `type`
_GEMINIS = frozenset({"OBJECT", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "NULL"})
_FREE_TEXT = {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}


class Tool(NamedTuple):
    """A tool that is declared; its schema is an object's."""

    name: str
    description: str
    schema: dict[str, Any]


def declared(tools: Iterable[Any] | None, left_out: Counter[str]) -> tuple[Tool, ...]:
    """Read declarations in the words of any API; the first of each name counts.

    Tools that run at a provider, and parts of a schema that another provider refuses, are counted in left_out.
    """
    found: dict[str, Tool] = {}
    for tool in tools or ():
        inner = tool.get("function", tool.get("custom")) if isinstance(tool, dict) else None
        inner = inner if isinstance(inner, dict) else tool
        if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
            left_out["declaration of a tool"] += 1
            continue
        kind = tool.get("type")
        if isinstance(kind, str) and kind not in _OURS:
            left_out["tool of the provider"] += 1
            continue
        said = inner.get("description")
        name = legal_name(inner["name"])
        schema = _FREE_TEXT if kind == "custom" and "input_schema" not in inner else _schema(inner, left_out)
        found.setdefault(name, Tool(name, said if isinstance(said, str) else "", schema))
    return tuple(found.values())


def nameless(names: Iterable[str]) -> tuple[Tool, ...]:
    """Declare tools of which nothing but the name is known."""
    return tuple(Tool(name, "", {"type": "object", "properties": {}}) for name in dict.fromkeys(names))


def _schema(tool: dict[str, Any], left_out: Counter[str]) -> dict[str, Any]:
    given: dict[str, Any] = next((tool[key] for key in _SCHEMAS if isinstance(tool.get(key), dict)), {})
    schema = _lowered(given)
    for key in _AT_THE_TOP:
        if schema.pop(key, None) is not None:
            left_out["part of a tool's schema"] += 1
    properties = schema.get("properties")
    return {**schema, "type": "object", "properties": properties if isinstance(properties, dict) else {}}


def _lowered(value: Any) -> Any:
    """Return a schema whose types are spelled as JSON Schema does, not as Gemini does."""
    if isinstance(value, list):
        return [_lowered(one) for one in value]
    if not isinstance(value, dict):
        return value
    found = {key: _lowered(one) for key, one in value.items()}
    kind = found.get("type")
    if isinstance(kind, str) and kind in _GEMINIS:
        found["type"] = kind.lower()
    return found
