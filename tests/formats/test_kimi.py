"""Kimi CLI's context.jsonl: chat messages between records of the client's own."""

import json
from pathlib import Path

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.document.views import Head
from condense_cli.formats import BY_NAME
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan
from tests.strategies import condense, repair, session_file

REAL = Path(__file__).parents[3] / "shared" / "real" / "kimi" / "context.jsonl"
NAME = "context.jsonl"
PROMPT = {"role": "_system_prompt", "content": "You are Kimi."}
USAGE = {"role": "_usage", "token_count": 12}


def checkpoint(number):
    return {"role": "_checkpoint", "id": number}


def user(text="hi"):
    return {"role": "user", "content": text}


def said(*calls, text="", think=None, **more):
    content = [{"type": "think", "think": think, "encrypted": None}] if think else []
    content += [{"type": "text", "text": text}] if text else []
    called = {"tool_calls": [call(ident) if isinstance(ident, str) else ident for ident in calls]} if calls else {}
    return {"role": "assistant", "content": content, **called, **more}


def call(ident, arguments='{"command":"ls"}'):
    return {"id": ident, "type": "function", "function": {"name": "Shell", "arguments": arguments}}


def tool(ident, text="out"):
    return {"role": "tool", "tool_call_id": ident, "content": text}


def lines(*records):
    return b"".join(json.dumps(record).encode() + b"\n" for record in (PROMPT, *records))


def found(data, *options):
    with session_file(data, NAME) as path:
        report = json.loads(condense("check", "--output-format", "json", *options, path).out)["files"][0]
    assert report["format"] == "kimi"
    return [(f["rule"], f["severity"], f["line"]) for f in report["findings"]]


def repaired(data, *options):
    """The records of a repair, which leaves nothing, and which keeps the client's own records as they stood."""
    outcome, new = repair(data, *options, name=NAME)
    assert outcome.code == 0, outcome.err
    assert repair(new, *options, name=NAME)[1] == new
    own = [line for line in data.splitlines() if line.startswith(b'{"role": "_')]
    assert [line for line in new.splitlines() if line.startswith(b'{"role": "_')] == own
    return [json.loads(line) for line in new.splitlines()]


def shape(records):
    return [r.get("tool_call_id") or r["role"] for r in records]


# ---------------------------------------------------------------------- detection
def test_its_own_records_are_known():
    """One record whose role starts with an underscore is enough."""
    assert BY_NAME["kimi"].detect(Head("s.jsonl", b"", (user(), USAGE)))


def test_its_place_is_known(tmp_path):
    """context.jsonl beside the client's other files is a session, even without records of its own."""
    (tmp_path / "wire.jsonl").write_text("")

    assert BY_NAME["kimi"].detect(Head(str(tmp_path / NAME), b"", (user(),)))
    assert not BY_NAME["kimi"].detect(Head(str(tmp_path / "other.jsonl"), b"", (user(),)))


@pytest.mark.parametrize("record", [user(), {"type": "session", "id": "x"}, {"role": 3}])
def test_others_are_not_taken(record):
    """Plain chat messages are left to their own format."""
    assert not BY_NAME["kimi"].detect(Head("s.jsonl", b"", (record,)))


# ---------------------------------------------------------------------- rules
def test_an_answer_of_thinking_alone_is_empty():
    """The client sends it as a message without content, which is refused: it is dropped."""
    data = lines(user(), said(think="only thinking"), user("Well?"))
    document = read_document("context.jsonl", BytesInMemory(data), "kimi")
    plan = make_plan(document, Choice())

    assert [(f.rule, f.line) for f in plan.findings] == [("empty-message", 3)]
    assert b"".join(apply(plan.segments, document.source)) == lines(user(), user("Well?"))


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([checkpoint(0), user(), USAGE, said("a:0", "a:1"), tool("a:0"), USAGE, tool("a:1"), said(text="done"), user()], id="records between"),
        pytest.param([user(), said("a:0"), tool("a:0"), user(), said("a:0"), tool("a:0"), said(text="x"), user()], id="ids used again"),
    ],
)
def test_sound_sessions_stay(records):
    """Nothing is wrong with these, and a repair changes no byte."""
    data = lines(*records)

    assert [f for f in found(data) if f[1] != "info"] == []
    assert repair(data, name=NAME)[1] == data


def test_an_open_call_is_answered_at_its_call():
    """The answer stands behind the results of its call; checkpoints and counts stay where they are."""
    records = [checkpoint(0), user(), said("a:0", "a:1"), USAGE, tool("a:0"), checkpoint(1), USAGE, user("next"), said(text="x")]
    new = repaired(lines(*records))

    assert found(lines(*records))[0] == ("unanswered-call", "error", 4)
    assert shape(new) == ["_system_prompt", "_checkpoint", "user", "assistant", "_usage", "a:0", "a:1", "_checkpoint", "_usage", "user", "assistant"]
    assert new[6]["content"].startswith("[condense]")


def test_a_late_result_is_moved():
    """A result behind a user message goes to its call."""
    new = repaired(lines(user(), said("a:0"), checkpoint(1), user("steer"), tool("a:0", "real"), said(text="x"), user()))

    assert shape(new) == ["_system_prompt", "user", "assistant", "a:0", "_checkpoint", "user", "assistant", "user"]


def test_an_orphan_goes():
    """A result without a call is dropped, or kept as a note."""
    data = lines(user(), tool("nobody", "precious"), said(text="x"), user())

    assert shape(repaired(data)) == ["_system_prompt", "user", "assistant", "user"]
    assert "precious" in repaired(data, "--orphan", "note")[2]["content"]


def test_arguments_that_are_no_json():
    """A string that is not JSON becomes an empty object in a string."""
    new = repaired(lines(user(), said(call("a:0", '{"command": "ls')), tool("a:0"), said(text="x"), user()))

    assert new[2]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_thinking_counts_as_reasoning():
    """For a provider that wants its reasoning back, a think part is it."""
    thought = lines(user(), said("a:0", think="hm"), tool("a:0"), said("a:1"), tool("a:1"), said(text="x"), user())
    silent = lines(user(), said("a:0"), tool("a:0"), user())

    assert ("missing-reasoning", "error", 5) in found(thought, "--contract", "kimi")
    assert ("missing-reasoning", "error", 3) not in found(thought, "--contract", "kimi")
    assert "missing-reasoning" not in [rule for rule, _, _ in found(silent, "--contract", "kimi")]


def test_a_torn_tail_is_mended():
    """The line rules hold."""
    data = lines(user(), user())[:-5]

    assert found(data) == [("torn-tail", "error", 3)]
    assert shape(repaired(data)) == ["_system_prompt", "user"]


# ---------------------------------------------------------------------- showing
def test_thinking_is_shown():
    """render shows the thoughts of a message before its text."""
    with session_file(lines(user(), said(text="spoken", think="thought"), user()), NAME) as path:
        out = condense("render", "--output-format", "text", path).out.decode()

    assert 0 < out.index("thought") < out.index("spoken")


def test_outputs_are_found():
    """query gives back an output by its call's id."""
    with session_file(lines(user(), said("a:0"), tool("a:0", "the output"), user()), NAME) as path:
        assert condense("query", "--session", path, "--raw", "a:0").out == b"the output"


@pytest.mark.skipif(not REAL.is_file(), reason="recorded sessions are not here")
def test_a_recorded_session():
    """A recorded session is read, counted, shown and left alone."""
    report = json.loads(condense("check", "--output-format", "json", REAL).out)["files"][0]
    outcome, data = repair(REAL.read_bytes(), name=NAME)

    assert (report["format"], report["calls"], report["results"]) == ("kimi", 1, 1)
    assert condense("render", "--output-format", "text", REAL).code == 0
    assert (outcome.code, data) == (0, REAL.read_bytes())


def test_a_wire_log_is_named(tmp_path):
    """The log of events that stands beside the session is refused by name."""
    path = tmp_path / "wire.jsonl"
    path.write_text('{"type":"metadata","protocol_version":"1.4"}\n{"timestamp":1,"message":{"type":"TurnBegin"}}\n')
    outcome = condense("check", path)

    assert outcome.code == 3
    assert b"wire log of Kimi" in outcome.out
