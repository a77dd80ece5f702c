"""Positions: an index of a request leads to the lines of its message."""

from __future__ import annotations

import json

import pytest
from condense_cli.check.positions import heaviest, named_indexes, positions
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document


def opened(name, rows, array=False):
    data = json.dumps(rows, indent=0) if array else "\n".join(json.dumps(row) for row in rows) + "\n"
    document = read_document("s.json", BytesInMemory(data.encode()), name)
    return document, next(iter(document.format.views(document, None, False)))


CLAUDE = [
    {"type": "user", "uuid": "a", "parentUuid": None, "sessionId": "s", "message": {"role": "user", "content": "one"}},
    {"type": "user", "uuid": "b", "parentUuid": "a", "sessionId": "s", "message": {"role": "user", "content": "two"}},
    {"type": "assistant", "uuid": "c", "parentUuid": "b", "sessionId": "s", "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": "x" * 500}]}},
    {"type": "user", "uuid": "d", "parentUuid": "c", "sessionId": "s", "message": {"role": "user", "content": "three"}},
]


@pytest.mark.parametrize(("text", "lines"), [("messages.0: x", (1, 2)), ("messages[1]", (3,)), ("messages.2.content.0", (4,)), ("messages.3", ())])
def test_neighbours_of_one_side_are_one_message(text, lines):
    """Anthropic counts turns."""
    document, view = opened("claude-code", CLAUDE)
    assert [one.lines for one in positions(text, document, view)] == [lines]


def test_an_array_counts_its_own_messages():
    """In an array the index is the element's, whatever its role."""
    rows = [{"role": "system", "content": "s"}, {"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    document, view = opened("openai-chat", rows, array=True)
    assert positions("messages[2]", document, view)[0].lines == (document.records[2].line,)


def test_a_chat_client_sends_its_system_prompt_first():
    """A session of chat messages without a system text is counted from 1."""
    rows = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]
    document, view = opened("kimi", rows)
    assert [one.lines for one in positions("messages[1] messages[3]", document, view)] == [(1,), (3,)]


def test_items_of_a_rollout_are_counted_one_by_one():
    """input[N] is the Nth item that Codex sends."""
    item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}
    rows = [
        {"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "0", "timestamp": "2026-01-01T00:00:00Z"}},
        {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "q"}]}},
        {"timestamp": "2026-01-01T00:00:00Z", "type": "event_msg", "payload": {"type": "agent_message"}},
        {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": item},
        {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": item},
    ]
    document, view = opened("codex", rows)
    assert [one.lines for one in positions("input[0] input[1] input[2] input[3]", document, view)] == [(2,), (4,), (5,), ()]


def test_the_largest_records_come_first():
    """Sizes are those of the file, in bytes."""
    document, view = opened("claude-code", CLAUDE)
    assert heaviest(document, view)[0].line == 3
    assert heaviest(document, view)[0].size > 500


def test_indexes_are_read_from_any_spelling():
    """Only what providers write is an index."""
    assert named_indexes("messages.5.content.1, messages[5] input[3] contents 2 my_messages.7 messages.x message at position 4") == (
        "messages.5",
        "messages[5]",
        "input[3]",
        "contents.2",
        "messages[4]",
    )
