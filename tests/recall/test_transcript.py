"""Results and the calls that they answer, in any format."""

import json

import pytest
from condense_cli.jsonbytes.javascript import UNDEFINED
from condense_cli.recall.find import Finder
from condense_cli.recall.transcript import text_of
from condense_cli.session.opened import open_session


def outputs(path, messages, ref):
    path.write_text(json.dumps(messages))
    with open_session(str(path)) as session:
        return Finder(session).answer(ref).outputs


def test_a_chat_request_is_searched_too(tmp_path):
    """Arguments that are text are parsed; a format without times numbers its occurrences."""
    def turn(n):
        function = {"name": "ls", "arguments": json.dumps({"n": n})}
        return [{"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}, {"role": "tool", "tool_call_id": "c", "content": f"out {n}"}]

    found = outputs(tmp_path / "m.json", [{"role": "user", "content": "hi"}, *turn(1), *turn(2)], "c")

    assert [(o.tool, o.arguments, o.text, o.turn, o.time) for o in found] == [("ls", {"n": 1}, "out 1", 0, UNDEFINED), ("ls", {"n": 2}, "out 2", 1, UNDEFINED)]


def test_calls_with_one_id_in_one_message_are_answered_in_order(tmp_path):
    """The first result belongs to the first call, the second to the second."""
    calls = [{"type": "tool_use", "id": "t", "name": "bash", "input": {"command": c}} for c in ("ls", "pwd")]
    results = [{"type": "tool_result", "tool_use_id": "t", "content": c, "is_error": c == "two"} for c in ("one", "two")]
    messages = [{"role": "user", "content": "Go."}, {"role": "assistant", "content": calls}, {"role": "user", "content": results}]

    found = outputs(tmp_path / "m.json", messages, "t")

    assert [(o.arguments["command"], o.text, o.error) for o in found] == [("ls", "one", False), ("pwd", "two", True)]


def test_a_result_without_its_call_is_found(tmp_path):
    """Arguments are then unknown, and the output is given all the same."""
    found = outputs(tmp_path / "m.json", [{"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": "lost", "content": "x"}], "lost")

    assert [(o.arguments, o.text) for o in found] == [(UNDEFINED, "x")]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        ([{"type": "text", "text": "a"}, {"type": "image", "data": "…"}, {"type": "text", "text": "b"}], "a\nb"),
        ({"content": [{"type": "text", "text": "a"}]}, "a"),
        ({"output": {"content": "a", "success": True}}, "a"),
        ({"lines": 3}, '{"lines":3}'),
        (None, ""),
        ({"type": "function_call_output"}, ""),
    ],
)
def test_the_text_of_an_output_is_its_text_blocks(value, text):
    """Strings, blocks and the objects around them give their text; pictures give none; other objects are JSON."""
    assert text_of(value) == text
