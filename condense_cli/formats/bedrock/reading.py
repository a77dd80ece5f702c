"""What one message says: its halves and flaws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.bedrock.detection import is_message
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.formats.messages import is_blank, placeholder_text
from condense_cli.model.blocks import is_placeholder, words
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message; extra are the numbers of its blocks that are thinking without a signature."""
    record.kind = words(value.get("role")) or "?"
    record.message, record.extra = None, ()
    if not is_message(value):
        record.kind = UNKNOWN
        return
    content = value.get("content", [])
    role = Role.ASSISTANT if record.kind == "assistant" else Role.USER
    calls = tuple(_calls(record, content))
    results = tuple(_results(record, content))
    blank = [n for n, block in enumerate(content) if "text" in block and is_blank(block["text"])]
    others = [n for n, block in enumerate(content) if "toolUse" not in block and "toolResult" not in block]
    flaws = list(_argument_flaws(content, calls))
    media = media_of(content)
    flaws += image_flaws(media)
    if len(blank) < len(content):
        flaws += (Flaw("blank-text", "white" if content[n]["text"] else "empty", n) for n in blank)
    else:
        kind = "blank-assistant" if blank else "empty-assistant"
        flaws = [Flaw("empty-message", "user" if role is Role.USER else kind, 0)]
    flaws += _order(content, calls, results, others)
    reasons = [n for n, block in enumerate(content) if "reasoningContent" in block]
    signed = [n for n in reasons if is_signed(content[n]["reasoningContent"])]
    record.extra = tuple(n for n in reasons if n not in signed)
    record.message = Message(record, role, calls, results, bool(others), False, tuple(flaws), bool(signed), media)


def _calls(record: Record, content: list[dict[str, Any]]) -> Iterator[Call]:
    for n, block in enumerate(content):
        asked = block.get("toolUse")
        if isinstance(asked, dict):
            yield Call(record, n, text_or_none(asked.get("toolUseId")), text_or_none(asked.get("name")))


def _results(record: Record, content: list[dict[str, Any]]) -> Iterator[Result]:
    for n, block in enumerate(content):
        answered = block.get("toolResult")
        if isinstance(answered, dict):
            made_up = is_placeholder(placeholder_text(answered.get("content")))
            yield Result(record, n, text_or_none(answered.get("toolUseId")), made_up)


def _argument_flaws(content: list[dict[str, Any]], calls: tuple[Call, ...]) -> Iterator[Flaw]:
    for call in calls:
        asked = content[call.part]["toolUse"]
        if not isinstance(asked.get("input"), dict):
            yield Flaw("invalid-arguments" if "input" in asked else "missing-arguments", "", call.part, "", call.id)


def _order(
    content: list[dict[str, Any]], calls: tuple[Call, ...], results: tuple[Result, ...], others: list[int]
) -> Iterator[Flaw]:
    said = [n for n in others if "cachePoint" not in content[n]]
    if results and said and said[0] < results[-1].part:
        yield Flaw("results-not-first", "", said[0])
    if calls and any("text" in content[n] and n > calls[0].part for n in said):
        yield Flaw("text-after-call", "", calls[0].part)


def is_signed(reasoning: Any) -> bool:
    """Say whether reasoning is bound to its model: it has a signature, or is hidden."""
    said = reasoning.get("reasoningText") if isinstance(reasoning, dict) else None
    return not isinstance(said, dict) or bool(said.get("signature"))


def text_or_none(value: Any) -> str | None:
    """Return a text, or None."""
    return value if isinstance(value, str) else None
