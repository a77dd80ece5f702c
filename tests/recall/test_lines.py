"""A line of the file names its message: one of many lines, and one of many records."""

import json

import pytest
from condense_cli.cli import run
from condense_cli.recall.lines import on_line
from condense_cli.session.opened import open_session

CHAT = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "x", "type": "function", "function": {"name": "run", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "x", "content": "out"},
    {"role": "assistant", "content": "done"},
]


def entry(number, **fields):
    parent = f"u{number - 1}" if number else None
    return {"uuid": f"u{number}", "parentUuid": parent, "sessionId": "s", "timestamp": "2026-01-01T00:00:00.000Z", "version": "2.1.0", "cwd": "/w", "isSidechain": False, **fields}


def reply(number, block):
    return entry(number, type="assistant", message={"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [block]})


CLAUDE = [
    entry(0, type="user", message={"role": "user", "content": "hi"}),
    reply(1, {"type": "text", "text": "I look"}),
    reply(2, {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}),
    entry(3, type="user", message={"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "out"}]}),
]


@pytest.fixture
def ask(tmp_path, capfdbinary):
    def asked(text, ref):
        path = tmp_path / "s.json"
        path.write_text(text)
        code = run(["query", "--session", str(path), "--raw", ref])
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return asked


def test_every_line_of_a_message_of_an_array_names_it(ask):
    """An array in many lines: each line of the call and of its result gives the output, any other says what it is."""
    text = json.dumps(CHAT, indent=1)
    lines = text.splitlines()
    start, end = next(n for n, line in enumerate(lines, 1) if "assistant" in line) - 1, next(n for n, line in enumerate(lines, 1) if '"out"' in line) + 1

    for line in range(1, len(lines) + 1):
        code, out, err = ask(text, f"L{line}")
        assert (code, out) == ((0, "out") if start <= line <= end else (1, "")), line
        assert ("has neither a call nor an output" in err) == (1 < line < start or end < line < len(lines)), line


def test_every_record_of_a_message_names_it(ask):
    """Claude Code spreads one answer over records: the line of its text leads to the output of its call."""
    text = "".join(json.dumps(one) + "\n" for one in CLAUDE)

    assert [ask(text, f"L{line}")[:2] for line in (1, 2, 3, 4)] == [(1, ""), (0, "out"), (0, "out"), (0, "out")]


def test_a_line_outside_the_file_has_no_record(tmp_path):
    """Before the first message and after the last line there is none."""
    (tmp_path / "s.json").write_text(json.dumps(CHAT, indent=1))
    with open_session(str(tmp_path / "s.json")) as session:
        assert on_line(session, 1) == on_line(session, 10_000) == []
        assert on_line(session, 3) == session.records[:1]
