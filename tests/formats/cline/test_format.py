"""Cline: which files are its sessions, results as texts, and lists whose places are counted elsewhere."""

import json
from pathlib import Path

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats import detect
from condense_cli.formats.read import look, read_document
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan
from tests.strategies import condense

STORE = Path(__file__).parents[3] / "fixtures" / "sessions" / "cline" / "healthy.json"
TS = 1793527200000
ASK = {"role": "user", "content": [{"type": "text", "text": "Is there tea?"}]}


def use(ident, name="look"):
    return {"type": "tool_use", "id": ident, "name": name, "input": {}}


def task(*messages, info=True):
    """A list as versions before the store wrote it."""
    found = [{**message, "ts": TS + n} for n, message in enumerate(messages)]
    for message in found:
        if info and message["role"] == "assistant":
            message["modelInfo"] = {"modelId": "claude-sonnet-4-5", "providerId": "anthropic", "mode": "act"}
    return json.dumps(found).encode()


def name_of(data, path="session.json"):
    return detect(look(path, BytesInMemory(data))).name


def test_a_document_of_the_store_needs_its_keys():
    """version, sessionId and messages with agent or updated_at: without them it is an array of Anthropic messages."""
    value = json.loads(STORE.read_text())

    assert name_of(json.dumps(value).encode()) == "cline"
    for key in ("version", "sessionId"):
        assert name_of(json.dumps({k: v for k, v in value.items() if k != key}).encode()) == "anthropic"
    assert name_of(json.dumps({**value, "messages": []}).encode()) == "cline"


@pytest.mark.parametrize(
    ("data", "path", "name"),
    [
        (task(ASK, {"role": "assistant", "content": [use("a")]}), "session.json", "cline"),
        (task(ASK, {"role": "assistant", "content": [use("a")]}, info=False), "session.json", "anthropic"),
        (task(ASK, {"role": "assistant", "content": [use("a")]}, info=False), "tasks/17/api_conversation_history.json", "cline"),
        (task(ASK, {"role": "assistant", "content": [use("a")]}, info=False), "globalStorage/rooveterinaryinc.roo-cline/tasks/a/api_conversation_history.json", "roo"),
        (task({"role": "user", "content": [{"type": "text", "text": "<environment_details>x</environment_details>"}]}, info=False), "a.json", "cline"),
        (task({**ASK, "isSummary": True, "condenseId": "c"}, info=False), "a.json", "roo"),
        (json.dumps([{**ASK, "ts": TS}, {"type": "reasoning", "summary": [], "id": "rs_1", "ts": TS}]).encode(), "a.json", "roo"),
        (json.dumps([ASK, {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "b", "arguments": "{}"}}]}]).encode(), "api_conversation_history.json", "openai-chat"),
        (json.dumps([ASK]).encode(), "api_conversation_history.json", "cline"),
    ],
)
def test_a_list_needs_times_and_keys_or_the_name_of_the_file(data, path, name):
    """Weak evidence makes no format: a list with nothing of Cline's stays an array of its API."""
    assert name_of(data, path) == name


def findings(data, path="api_conversation_history.json"):
    document = read_document(path, BytesInMemory(data))
    return [(finding.rule, finding.index) for finding in check(document, [document.format.contract]).findings], document


def test_results_may_be_texts():
    """Without a single result by id no call is looked at, and the file says so; beside others a text answers its own call."""
    said = {"role": "user", "content": [{"type": "text", "text": "[look for 'tea'] Result:\nfour"}]}
    calls = {"role": "assistant", "content": [use("a"), use("b", "count")]}
    by_id = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "4"}, *said["content"]]}

    found, document = findings(task(ASK, {"role": "assistant", "content": [use("z")]}, ASK))
    assert (found, document.format.notice(document)) == ([], "results are texts in this session: calls are not paired by id")
    found, document = findings(task(ASK, calls, by_id))
    assert (found, document.format.notice(document)) == ([], "")
    assert findings(task(ASK, {"role": "assistant", "content": [use("a"), use("x"), use("b", "count")]}, by_id, ASK))[0] == [("unanswered-call", 1)]


DAMAGES = {
    "orphan": [ASK, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "no", "content": "x"}]}, ASK],
    "empty": [ASK, {"role": "assistant", "content": [{"type": "text", "text": " "}]}, ASK, {"role": "assistant", "content": [use("a")]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}],
    "start": [{"role": "assistant", "content": [{"type": "text", "text": "Hello."}]}, ASK],
    "late": [ASK, {"role": "assistant", "content": [use("a")]}, ASK, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}, ASK],
    "early": [ASK, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}, {"role": "assistant", "content": [use("a")]}, ASK],
    "unanswered": [ASK, {"role": "assistant", "content": [use("a")]}, {"role": "assistant", "content": [use("b")]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "x"}]}],
    "twice": [ASK, {"role": "assistant", "content": [use("a")]}, *[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}] * 2, ASK],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_no_place_in_a_list_changes(damage):
    """As many messages as before, each with its time: `conversationHistoryDeletedRange` names places in the list."""
    document = read_document("api_conversation_history.json", BytesInMemory(task(*damage)))
    plan = make_plan(document, Choice())
    new = json.loads(b"".join(apply(plan.segments, document.source)))

    assert plan.findings
    assert [message["ts"] for message in new] == [TS + n for n in range(len(damage))]
    assert [message["role"] for message in new] == [message["role"] for message in damage]
    assert all(message["content"] for message in new)


def test_a_trailing_call_may_be_answered_at_the_end(tmp_path):
    """On request: what is added after the last message moves no place."""
    path = tmp_path / "api_conversation_history.json"
    path.write_bytes(task(ASK, {"role": "assistant", "content": [use("z")]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "z", "content": "x"}]}, {"role": "assistant", "content": [use("a")]}))

    assert condense("repair", "--trailing", "answer", path, "-o", tmp_path / "new").code == 0
    new = json.loads((tmp_path / "new").read_text())
    assert new[:4] == json.loads(path.read_text())
    assert new[4]["content"][0]["tool_use_id"] == "a"


def test_query_gives_what_a_command_said():
    """Results of Cline's store are lists of objects with query, result and success."""
    assert condense("query", "toolu_01A", "--raw", "--session", STORE).out == b"14 passed"


def test_a_file_is_shown_as_the_text_that_is_sent():
    """A block of kind file is what the user gave with the request."""
    shown = condense("render", "--view", "context", "--output-format", "json", STORE).out.decode()

    assert "Tea first." in shown
    assert "/home/dev/shop/notes.md" in shown
