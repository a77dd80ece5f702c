"""OpenCode exports: read, checked and shown, never repaired."""

import json
from pathlib import Path

import pytest
from condense_cli.document.views import Head
from condense_cli.formats import BY_NAME
from condense_cli.session.opened import open_session
from tests.strategies import condense, session_file

LAB = Path(__file__).parents[4] / "shared" / "lab" / "cases" / "opencode"
NAME = "export.json"


def message(ident, role, *parts, **info):
    return {"info": {"id": ident, "role": role, "sessionID": "ses_1", **info}, "parts": list(parts)}


def text(said, **more):
    return {"type": "text", "text": said, **more}


def tool(ident, status="completed", **more):
    state = {"status": status, "input": {"command": "ls"}, **more}
    if status == "completed":
        state.setdefault("output", "out")
    if status == "error":
        state.setdefault("error", "failed")
    return {"type": "tool", "tool": "bash", "callID": ident, "state": state}


def user(ident, *parts):
    return message(ident, "user", *(parts or (text("hi"),)))


def said(ident, *parts, **info):
    return message(ident, "assistant", {"type": "step-start"}, *parts, **{"finish": "stop", "providerID": "p", "modelID": "m", **info})


def export(*messages, **info):
    return json.dumps({"info": {"id": "ses_1", "version": "1.18.33", **info}, "messages": list(messages)}, indent=1).encode()


def found(*messages, options=()):
    with session_file(export(*messages), NAME) as path:
        report = json.loads(condense("check", "--output-format", "json", *options, path).out)["files"][0]
    assert (report["format"], report["client_version"]) == ("opencode", "1.18.33")
    assert not any(f["fixable"] for f in report["findings"])
    return [(f["rule"], f["severity"], f["index"], f["part"]) for f in report["findings"]]


def context(*messages):
    with session_file(export(*messages), NAME) as path, open_session(str(path)) as session:
        return [m.record.id for m in session.view().messages]


def test_an_export_is_known():
    """A document is one by the id of its session; message arrays are not."""
    assert BY_NAME["opencode"].detect(Head("x", b"", (), json.loads(export())))
    assert not BY_NAME["opencode"].detect(Head("x", b"", (), {"messages": [{"role": "user", "content": "x"}]}))
    assert not BY_NAME["opencode"].detect(Head("x", b"", (), {"info": {"id": "abc"}, "messages": []}))


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([user("a"), said("b", tool("t")), said("c", text("x")), user("d")], [], id="sound"),
        pytest.param([user("a"), said("b", tool("t", "error")), user("d")], [], id="a failed tool is answered"),
        pytest.param([user("a"), said("b", tool("t", "running"), finish=None)], [("trailing-call", "info", 1, 1)], id="running at the end"),
        pytest.param([user("a"), said("b", tool("t", "pending")), user("c")], [("unanswered-call", "error", 1, 1)], id="pending before a turn"),
        pytest.param([user("a"), said("b", tool("t"), tool("t2", "running")), said("c", text("x")), user("d")], [("unanswered-call", "error", 1, 2)], id="one of two"),
        pytest.param([user("a"), said("b", {**tool("t"), "state": {"status": "completed", "input": {}}}), user("c")], [("unanswered-call", "error", 1, 1)], id="no output"),
        pytest.param([user("a"), said("b", tool("t"), tool("t")), user("c")], [("duplicate-call-id", "error", 1, 2)], id="one id twice"),
        pytest.param([user("a"), said("b", tool("t")), said("c", tool("t")), user("d")], [("reused-id", "info", 2, 1)], id="an id used again"),
        pytest.param([user("a", text("  "))], [("empty-message", "warning", 0, 0)], id="blank user text"),
        pytest.param([user("a", text(""), text("x"))], [("blank-text", "info", 0, 0)], id="a blank part"),
        pytest.param([user("a"), said("b", text("x"), tool("t", input="no")), user("c")], [("invalid-arguments", "warning", 1, 2)], id="arguments"),
        pytest.param([user("a"), said("b", tool("t", "running"), error={"name": "APIError"}), user("c")], [], id="a failed turn is left out"),
        pytest.param([user("a"), said("b", tool("t"), error={"name": "APIError"}), user("c")], [], id="with its result"),
        pytest.param([user("a"), said("b", text("x"), tool("t", "running"), error={"name": "MessageAbortedError"}), user("c")], [("unanswered-call", "error", 1, 2)], id="aborted with content"),
    ],
)  # fmt: skip
def test_findings(messages, expected):
    """Each kind of fault is found at its message and part, and none of them counts as fixable."""
    assert [f for f in found(*messages) if f[0] != "ends-with-assistant"] == expected


@pytest.mark.parametrize("url", ["data:image/png;base64,bm8=", "data:image/png;base64,???", "data:image/tiff;base64,AAAA"])
def test_images_are_looked_at(url):
    """A file part and an attachment that cannot be images are errors."""
    file = {"type": "file", "mime": "image/png", "url": url}

    assert [f[:3] for f in found(user("a", text("x"), file), said("b", tool("t", attachments=[file])), user("c")) if f[0] == "invalid-image"] == [("invalid-image", "error", 0), ("invalid-image", "error", 1)]


def test_unsigned_reasoning_is_anthropics_business():
    """Reasoning without a signature is told where Anthropic is asked about."""
    reasoning = {"type": "reasoning", "text": "hm"}
    signed = {**reasoning, "metadata": {"anthropic": {"signature": "s" * 64}}}
    messages = [user("a"), said("b", reasoning, signed, text("x"), providerID="anthropic"), user("c")]

    assert found(*messages) == []
    assert ("unsigned-thinking", "error", 1, 1) in found(*messages, options=["--contract", "anthropic"])


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        pytest.param({"type": "compaction", "auto": True}, ["c", "d", "e"], id="from the compaction on"),
        pytest.param({"type": "compaction", "auto": True, "tail_start_id": "b"}, ["b", "c", "d", "e"], id="with its tail"),
        pytest.param(text("no compaction"), ["a", "b", "c", "d", "e"], id="a summary of nothing"),
    ],
)
def test_a_compaction_starts_anew(part, expected):
    """What stands before the last finished summary is not sent, but for the tail that it kept."""
    messages = [user("a"), said("b", text("x")), user("c", part), said("d", text("summary"), summary=True, parentID="c"), user("e")]

    assert context(*messages) == expected


def test_an_unfinished_summary_does_not_count():
    """A summary that was cut off leaves everything in place."""
    assert context(user("a"), user("c", {"type": "compaction"}), said("d", text("s"), summary=True, parentID="c", finish=None), user("e")) == ["a", "c", "d", "e"]


def test_a_repair_is_refused_with_the_reason(tmp_path):
    """There is something to mend: exit 4, nothing is written; a sound export is no failure."""
    path, out = tmp_path / NAME, tmp_path / "out.json"
    path.write_bytes(export(user("a"), said("b", tool("t", "pending")), user("c")))
    broken = condense("repair", "-o", out, path)
    path.write_bytes(export(user("a"), said("b", tool("t")), user("c")))
    sound = condense("repair", "-o", out, path)

    assert broken.code == 4
    assert "import" in broken.err
    assert (sound.code, out.read_bytes()) == (0, path.read_bytes())


def test_outputs_are_shown_and_found():
    """render shows messages with calls and outputs, query gives an output back."""
    with session_file(export(user("a"), said("b", tool("t1", output="first"), tool("t2", "error", error="second")), user("c")), NAME) as path:
        shown = condense("render", "--output-format", "text", path)

        assert shown.code == 0
        assert b"first" in shown.out
        assert condense("query", "--session", path, "--raw", "t1").out == b"first"
        assert condense("query", "--session", path, "--raw", "t2").out == b"second"


def test_a_cut_export_names_the_line():
    """A document that breaks off is unreadable: exit 3, and the message says where."""
    data = export(user("a"), said("b", tool("t")))[:-60]
    with session_file(data, NAME) as path:
        for command in ("check", "render", "repair"):
            outcome = condense(command, path)
            said_all = outcome.out.decode() + outcome.err
            assert outcome.code == 3
            assert f"{NAME}:{data.count(chr(10).encode()) + 1}: " in said_all
            assert "breaks off" in said_all


@pytest.mark.skipif(not LAB.is_dir(), reason="the lab's exports are not here")
@pytest.mark.parametrize("path", sorted(LAB.glob("*.json")) if LAB.is_dir() else [], ids=lambda path: path.stem)
def test_exports_of_the_lab(path):
    """Every export that OpenCode itself could import is detected, checked and shown."""
    checked = condense("check", "--output-format", "json", path)
    report = json.loads(checked.out)["files"][0]
    if path.stem == "torn-end":
        assert (checked.code, report["format"]) == (3, None)
        return

    assert report["format"] == "opencode"
    assert condense("render", "--output-format", "text", path).code == 0
    if path.stem.startswith("good"):
        assert [f for f in report["findings"] if f["severity"] != "info"] == []


def test_a_damaged_export_is_refused_with_the_place_where_it_breaks():
    """It is one document: its lines are no records, whatever --format says."""
    whole = export(user("msg_1"), said("msg_2", text("yes")))
    for data in (whole[:-30], whole.replace(b'"1.18.33"', b'{"1.18"}'), b'{"info":{"id":"ses_1","version":{"1.18"},"messages":[]}\n'):
        with session_file(data, NAME) as path:
            done = condense("check", "--format", "opencode", path)
        assert done.code == 3
        assert f"{NAME}:" in str(done.err) + str(done.out)
