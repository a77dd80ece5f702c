"""What an assistant message of pi says: its two readers agree."""

from __future__ import annotations

from itertools import product

import pytest
from condense_cli.formats.pi import assistant
from condense_cli.model.messages import Record

BLOCKS = [
    {"type": "text", "text": "Looking."}, {"type": "text", "text": " "}, {"type": "text", "text": None}, {"type": "text"},
    {"type": "thinking", "thinking": "Hm.", "thinkingSignature": "x" * 80}, {"type": "thinking", "thinking": "Hm.", "thinkingSignature": "short"}, {"type": "thinking", "redacted": True},
    {"type": "toolCall", "id": "call_1", "name": "bash", "arguments": {}}, {"type": "toolCall", "id": "call_2", "name": "bash", "arguments": "{}"},
    {"type": "toolCall", "id": 5, "name": None}, {"type": "tool_use", "id": "call_1"}, {"type": "image", "mimeType": "image/png", "data": "no"}, {"type": ["text"]}, "text", None,
]  # fmt: skip


@pytest.mark.parametrize("stop", ["stop", "error"])
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_the_short_way_for_usual_messages_comes_to_the_same(count, stop, monkeypatch):
    """It is there for its speed alone."""
    def facts(content):
        record, asked = Record(1, 0, 1), {}
        message = assistant.read_assistant(record, {"stopReason": stop}, content, asked, frozenset({"toolCall"}), own_calls=True)
        halves = [(call.part, call.id, call.name) for call in message.calls]
        return record.kind, halves, asked, message.said, message.skipped, message.flaws, message.signed, message.media

    contents = [list(blocks) for blocks in product(BLOCKS, repeat=count)]
    short = [facts(content) for content in contents]
    monkeypatch.setattr(assistant, "_read_usual", lambda *_, **__: None)
    assert short == [facts(content) for content in contents]
