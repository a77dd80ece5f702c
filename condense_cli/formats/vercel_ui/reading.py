"""What one message says. A call and its result are one part, whose state says which of both there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.gemini.places import family_of
from condense_cli.formats.messages import is_blank
from condense_cli.formats.vercel_model.output import said
from condense_cli.formats.vercel_ui.detection import is_message, is_tool
from condense_cli.jsonbytes.jsonspan import Path
from condense_cli.model.blocks import is_placeholder, words
from condense_cli.model.messages import Call, Flaw, FollowedCall, Message, Record, Result, Role

_ROLES = {"system": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT}
_DROPPED = frozenset({"input-streaming"})  # the library leaves it out of the request
_ANSWERED = frozenset({"output-available", "output-error", "output-denied", "result"})


class Use(NamedTuple):
    """One tool use of a message: where it is, what is there, and its tool; old: as version 4 writes it."""

    path: Path
    held: dict[str, Any]
    name: str | None
    old: bool

    @property
    def id(self) -> str | None:
        """Return the id of the call."""
        return text_or_none(self.held.get("toolCallId"))

    @property
    def at(self) -> int:
        """Return the number of its part, or of its invocation in version 4's second list, which is after the text."""
        number = self.path[1] if self.path[0] == "parts" else None
        return number if isinstance(number, int) else 1 << 30

    @property
    def answered(self) -> bool:
        """Say whether there is a result."""
        return words(self.held.get("state")) in _ANSWERED

    @property
    def arguments(self) -> Any:
        """Return the arguments of the call."""
        return self.held.get("args" if self.old else "input")

    @property
    def text(self) -> str:
        """Return the text of the result."""
        key = "result" if self.old else "errorText" if self.held.get("state") == "output-error" else "output"
        return said(self.held.get(key))

    @property
    def failed(self) -> bool:
        """Say whether the result is an error."""
        return self.held.get("state") in ("output-error", "output-denied")


def uses(value: dict[str, Any]) -> Iterator[Use]:
    """Yield the tool uses that are sent, in their order; of version 4's two lists the parts count."""
    found = False
    parts = value.get("parts")
    for n, part in enumerate(parts if isinstance(parts, list) else ()):
        kind = words(part.get("type"))
        if kind == "tool-invocation":
            held = part["toolInvocation"]
            found = True
            yield Use(("parts", n, "toolInvocation"), held, text_or_none(held.get("toolName")), old=True)
        elif is_tool(kind) and words(part.get("state")) not in _DROPPED:
            name = part.get("toolName") if kind == "dynamic-tool" else kind[5:]
            yield Use(("parts", n), part, text_or_none(name), old=False)
    if not found:
        for n, held in enumerate(value.get("toolInvocations") or ()):
            yield Use(("toolInvocations", n), held, text_or_none(held.get("toolName")), old=True)


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message."""
    record.kind = words(value.get("role")) or "?"
    record.message = None
    if not is_message(value):
        record.kind = UNKNOWN
        return
    role = _ROLES[record.kind]
    listed = list(uses(value)) if role is Role.ASSISTANT else []
    calls: list[Call] = []
    results: list[Result] = []
    flaws: list[Flaw] = []
    last = _last_text(value)
    for n, use in enumerate(listed):
        family = family_of(use.path, use.path)
        call = Call(record, n, use.id, use.name, family)
        calls.append(call.seen_as(FollowedCall) if use.at < last else call)
        if use.answered:
            results.append(Result(record, n, use.id, is_placeholder(use.text), family))
        if not isinstance(use.arguments, dict) and use.held.get("providerExecuted") is not True:
            missing = ("args" if use.old else "input") not in use.held
            flaws.append(Flaw("missing-arguments" if missing else "invalid-arguments", "", n, "", use.id))
    spoken = any(_texts(value)) or any(_is_other(part) for part in value.get("parts") or ())
    if not spoken and not listed and role is not Role.SYSTEM:
        kind = "user" if role is Role.USER else "empty-assistant"
        flaws.append(Flaw("empty-message", kind, 0))
    record.message = Message(record, role, tuple(calls), tuple(results), spoken, False, tuple(flaws))


def _last_text(value: dict[str, Any]) -> int:
    """Return the number of the last part that says something, -1 where none does."""
    parts = value.get("parts")
    said = [
        n
        for n, part in enumerate(parts if isinstance(parts, list) else ())
        if part["type"] == "text" and not is_blank(part.get("text"))
    ]
    return max(said, default=-1)


def _texts(value: dict[str, Any]) -> Iterator[bool]:
    parts = value.get("parts")
    if isinstance(parts, list):
        yield from (not is_blank(part.get("text")) for part in parts if part["type"] == "text")
    else:
        yield not is_blank(value.get("content"))


def _is_other(part: dict[str, Any]) -> bool:
    """Say whether a part says something that is neither text nor a tool use: a file, data, reasoning."""
    kind = words(part["type"])
    return kind not in ("text", "step-start", "tool-invocation") and not is_tool(kind)


def text_or_none(value: Any) -> str | None:
    """Return a text, or None."""
    return value if isinstance(value, str) else None
