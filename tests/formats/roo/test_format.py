"""Roo Code: what is sent of a task after compactions, and tasks of the second version."""

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.errors import UsageError
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan
from tests.strategies import condense

TS = 1793527200000


def said(role, *blocks, **more):
    return {"role": role, "content": [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks], **more}


def use(ident):
    return {"type": "tool_use", "id": ident, "name": "read_file", "input": {"path": "a"}}


def result(ident, text="x"):
    return {"type": "tool_result", "tool_use_id": ident, "content": text}


def call(ident):
    return {"type": "tool-call", "toolCallId": ident, "toolName": "read_file", "input": {"path": "a"}}


def output(ident, text="x"):
    return {"type": "tool-result", "toolCallId": ident, "toolName": "read_file", "output": {"type": "text", "value": text}}


def document(messages, version=1):
    timed = [{**message, "ts": TS + n} for n, message in enumerate(messages)]
    data = json.dumps(timed if version == 1 else {"version": version, "messages": timed}).encode()
    return read_document("rooveterinaryinc.roo-cline/tasks/a/api_conversation_history.json", BytesInMemory(data))


def found(messages, version=1):
    read = document(messages, version)
    assert read.format.name == "roo"
    return [(finding.rule, finding.index) for finding in check(read, [read.format.contract]).findings]


OPEN = [said("user", "go"), said("assistant", use("a"))]


@pytest.mark.parametrize(
    ("messages", "rules"),
    [
        ([*OPEN, said("user", "next")], [("unanswered-call", 1)]),
        ([*OPEN, said("user", "## Summary", isSummary=True, condenseId="c")], []),
        ([*OPEN, said("user", "## Summary", result("a"), isSummary=True, condenseId="c")], [("results-not-first", 2)]),
        ([*[{**m, "truncationParent": "t"} for m in OPEN], said("user", result("a")), said("user", "cut", isTruncationMarker=True, truncationId="t")], []),
        ([*[{**m, "truncationParent": "t"} for m in OPEN], said("user", "next")], [("unanswered-call", 1)]),
        ([*OPEN, said("user", "[read_file for 'a'] Result:\nx")], []),
    ],
)
def test_the_effective_list_is_judged(messages, rules):
    """From the last summary on, without what a marker in the file left out; a marker that is gone leaves nothing out."""
    assert found(messages) == rules


def test_the_second_version_is_read_and_repaired_in_its_own_parts():
    """Calls and results are parts of the AI SDK, results are in messages of role tool, old blocks may be among them."""
    messages = [said("user", "go"), said("assistant", call("a"), call("b")), said("tool", output("a")), said("assistant", use("c")), said("user", result("c"), "next")]
    read = document(messages, 2)
    plan = make_plan(read, Choice())
    new = json.loads(b"".join(apply(plan.segments, read.source)))

    assert found(messages, 2) == [("unanswered-call", 1)]
    assert new["version"] == 2
    added = new["messages"][2]["content"][1]
    assert (added["type"], added["toolCallId"], added["toolName"]) == ("tool-result", "b", "read_file")
    assert added["output"]["value"].startswith("[ERROR] [condense] ")
    assert [m["ts"] for m in new["messages"]] == [TS + n for n in range(5)]


def test_an_array_of_the_ai_sdk_is_no_task(tmp_path):
    """Whatever --format says: nothing in it is changed."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps([said("user", "go"), said("assistant", call("a")), said("user", "next")]))

    assert json.loads(condense("check", "--json", path).out)["files"][0]["format"] == "vercel-model"
    assert condense("repair", "--format", "roo", path, "-o", tmp_path / "new").code == 4


def test_query_gives_the_output_of_a_part(tmp_path):
    """The output of the second version is found by the id of its call."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"version": 2, "messages": [said("user", "go", ts=TS), said("assistant", call("a"), ts=TS), said("tool", output("a", "four"), ts=TS)]}))

    done = condense("query", "a", "--raw", "--session", path)
    assert (done.code, done.out) == (0, b"four")


def test_a_task_has_one_thread():
    """Messages have ids in some versions, and no leaf to choose."""
    read = document(OPEN)
    with pytest.raises(UsageError):
        list(read.format.views(read, "a", False))
