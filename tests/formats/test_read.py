"""Reading: a document is read as a whole or not at all, and a file of lines stays one when its first line is damaged."""

import pytest
from tests.strategies import condense, session_file

ARRAY = (
    b'[\n{"role": "user", "content": "q"},\n'
    b'{"role": "assistant", "content": "", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},\n'
    b'{"role": "tool", "tool_call_id": "call_1", "content": "RESULT"},\n{"role": "assistant", "content": "done"}\n]\n'
)
LINES = b'{"role":"user","content":"q"}\n{"role":"assistant","content":"done"}\n'


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (ARRAY.replace(b'"role": "assistant", "content": ""', b'"role: "assistant", "content": ""'), 3),
        (ARRAY.replace(b'{"role": "tool"', b'{]"role": "tool"'), 4),
        (ARRAY.replace(b"},\n", b"}\n,\n", 1).replace(b'"done"}', b'"done"'), 7),
        (ARRAY[:-20], 5),
    ],
)
def test_a_damaged_array_is_never_edited_as_lines(data, line):
    """Taken as lines, a second repair dropped the result whose call was on the broken line."""
    with session_file(data, "session.json") as path:
        for command in (["check"], ["repair"], ["repair", "--format", "openai-chat"], ["render"], ["diff"]):
            done = condense(*command, path)
            assert done.code == 3, command
            assert f"session.json:{line}:" in str(done.err) + str(done.out)


def test_lines_with_a_damaged_first_line_stay_lines():
    """A first line that begins with a bracket makes no array of the file."""
    with session_file(b"[garbage\n" + LINES, "session.jsonl") as path:
        assert condense("check", "--format", "openai-chat", path).code == 1
