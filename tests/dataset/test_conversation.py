"""Where the conversation of a row is found, and what is none."""

import json

import pytest
from condense_cli.dataset.conversation import Shape, conversation_of
from tests.dataset.rows import GOOD

BLOCKS = [{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "bash", "input": {}}]}]


@pytest.mark.parametrize(
    ("row", "column", "expected"),
    [
        ({"messages": GOOD}, None, (Shape.CHAT, "messages", False)),
        (GOOD, None, (Shape.CHAT, "", False)),
        ({"messages": json.dumps(GOOD)}, None, (Shape.CHAT, "messages", True)),
        ({"chosen": GOOD, "messages": BLOCKS}, "chosen", (Shape.CHAT, "chosen", False)),
        ({"messages": BLOCKS}, None, (Shape.ANTHROPIC, "messages", False)),
        ({"conversations": [{"from": "human", "value": "x"}]}, None, (Shape.SHAREGPT, "conversations", False)),
    ],
)
def test_where_it_is(row, column, expected):
    """By the usual names, or by the one that was given; as a list or as the JSON text of one."""
    found = conversation_of(row, column)

    assert (found.shape, found.column, found.text) == expected


@pytest.mark.parametrize(
    "row",
    [None, 5, "x", {}, [], {"messages": []}, {"messages": "hello"}, {"messages": [1]}, {"messages": [{"role": "user", "parts": []}]},
     {"messages": [{"role": "user", "content": {"text": "x"}}]}, {"messages": [{"role": "user", "content": [{"text": "x"}]}]},
     {"conversations": [{"from": "martian", "value": "x"}]}, {"steps": [{"source": "agent"}]}, {"messages": "[{"}],
)  # fmt: skip
def test_what_is_none(row):
    """Turns of another shape are not understood, and never called sound."""
    assert conversation_of(row) is None
