"""What one content says: its halves and flaws.

The API has no ids of its own: calls and responses go by name and order. Where a half has an id, it counts; one without
has the tool's name in its place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.gemini_contents.detection import ROLES, is_part
from condense_cli.formats.media import media_of
from condense_cli.formats.parts import camel, is_snake, read_parts
from condense_cli.model.blocks import words
from condense_cli.model.messages import Flaw, Message, Record, Result, Role
from condense_cli.pairing.pair import BY_NAME


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one content; extra are the numbers of its parts that are spelled as Python's client does."""
    role = words(value.get("role", "user"))
    record.kind = role or "?"
    record.message, record.extra = None, frozenset[int]()
    parts = value.get("parts", [])
    alone = "parts" in value or value.keys() == {"role"}
    if not alone or role not in ROLES or not _is_understood(parts) or "content" in value:
        record.kind = UNKNOWN
        return
    record.extra = frozenset(n for n, part in enumerate(parts) if is_snake(part))
    record.message = _message(record, Role.ASSISTANT if role == "model" else Role.USER, [camel(part) for part in parts])


def _is_understood(parts: Any) -> bool:
    return isinstance(parts, list) and all(
        isinstance(part, str) or (isinstance(part, dict) and "type" not in part and is_part(part)) for part in parts
    )


def _message(record: Record, role: Role, parts: list[Any]) -> Message:
    found = read_parts(record, parts)
    calls = tuple(call if call.id else replace(call, id=call.name, family=BY_NAME) for call in found.calls)
    results = tuple(result if result.id else _by_name(result, parts) for result in found.results)
    flaws = [flaw for flaw in found.flaws if flaw.rule != "blank-text" or not _is_signed(parts[flaw.part])]
    flaws += [Flaw("blank-text", "empty", n) for n, part in enumerate(parts) if _is_nothing(part)]
    halves = bool(calls or results)
    blank = found.blank and not any(map(_is_signed, parts))
    if not halves and (not found.said or blank):
        kind = "blank-assistant" if any(_is_text(part) for part in parts) else "empty-assistant"
        flaws = [Flaw("empty-message", "user" if role is Role.USER else kind, 0)]
    elif results and any(result.part > n for result in results for n in _others(parts)):
        flaws.append(Flaw("results-not-first", "", _others(parts)[0]))
    return Message(record, role, calls, results, found.said, False, tuple(flaws), False, media_of(parts))


def _by_name(result: Result, parts: list[Any]) -> Result:
    name = parts[result.part]["functionResponse"].get("name")
    return replace(result, id=name if isinstance(name, str) else None, family=BY_NAME)


def _others(parts: list[Any]) -> list[int]:
    return [n for n, part in enumerate(parts) if not isinstance(part, dict) or "functionResponse" not in part]


def _is_signed(part: Any) -> bool:
    return isinstance(part, dict) and bool(part.get("thoughtSignature"))


def _is_nothing(part: Any) -> bool:
    """Say whether a part has no data, which the API refuses."""
    return isinstance(part, dict) and not any(value is not None for key, value in part.items() if key != "thought")


def _is_text(part: Any) -> bool:
    return isinstance(part, str) or bool(isinstance(part, dict) and part.get("text"))
