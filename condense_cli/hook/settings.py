"""A client's settings as bytes, with the hook and without it. What is not about the hook keeps its bytes."""

from __future__ import annotations

import json
import re
from typing import Any

from condense_cli.errors import UnreadableError
from condense_cli.jsonbytes import jsonedit

_INDENTS = (2, 4, "\t", 1, 3, 8)
_OURS = re.compile(r"(?:condense(?:\.exe)?['\"]?|condense_cli) hook\s*$")


def with_hooks(before: bytes, groups: dict[str, dict[str, Any]]) -> bytes:
    """Return the settings with these groups of hooks; b"" are settings that do not exist. Raises UnreadableError."""
    value = _read(before)
    style = _style(before, value)
    for event, group in groups.items():
        there = value.get("hooks", {}).get(event, [])
        if any(_is_ours(one) for one in there):
            continue
        before = before or b"{}"
        if "hooks" not in value:
            before = jsonedit.replace(before, ("hooks",), {event: [group]})
        elif event not in value["hooks"]:
            before = jsonedit.replace(before, ("hooks", event), [group])
        else:
            before = jsonedit.insert(before, ("hooks", event), len(there), group)
        value = _read(before)
    return _written(value, style) if style is not None else before


def without_hooks(before: bytes) -> bytes:
    """Return the settings without what `with_hooks` adds, and without the empty groups that would be left of it."""
    value = _read(before)
    style = _style(before, value)
    for event, groups in list(value.get("hooks", {}).items()):
        for at in reversed([n for n, group in enumerate(groups) if _is_ours(group)]):
            before = jsonedit.remove(before, ("hooks", event, at))
            if not _read(before)["hooks"][event]:
                before = jsonedit.remove(before, ("hooks", event))
    value = _read(before)
    if value.get("hooks") == {}:
        before = jsonedit.remove(before, ("hooks",))
        value = _read(before)
    return _written(value, style) if style is not None else before


def _is_ours(group: Any) -> bool:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    commands = [hook.get("command") for hook in hooks if isinstance(hook, dict)] if isinstance(hooks, list) else []
    return any(isinstance(command, str) and _OURS.search(command) for command in commands)


def _read(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data) if data.strip() else {}
    except (ValueError, RecursionError):
        raise UnreadableError("the settings are no JSON", "correct the file, or add the hook by hand") from None
    hooks = value.get("hooks", {}) if isinstance(value, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise UnreadableError(
            "the settings have another shape than their client's", "correct the file, or add the hook by hand"
        )
    assert isinstance(value, dict)
    return value


def _style(data: bytes, value: dict[str, Any]) -> tuple[int | str, str] | None:
    """Return the indentation and the end with which json.dumps writes these very bytes; None where it never does."""
    if not data.strip():
        return 2, "\n"
    for indent in _INDENTS:
        for end in ("\n", ""):
            if _written(value, (indent, end)) == data:
                return indent, end
    return None


def _written(value: dict[str, Any], style: tuple[int | str, str]) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=style[0]) + style[1]).encode("utf-8", "surrogatepass")
