"""oversized-request: what counts, where it is told, and what is no business of it."""

from __future__ import annotations

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.rules.content import request_size

MB = 1_000_000


def found(messages, name="anthropic", contract="anthropic", *, lines=False):
    raw = b"".join(json.dumps(one).encode() + b"\n" for one in messages) if lines else json.dumps(messages).encode()
    report = check(read_document("s.jsonl" if lines else "s.json", BytesInMemory(raw), name), [contract])
    return [finding for finding in report.findings if finding.rule == "oversized-request"]


def talk(*sizes):
    turns = [[{"type": "text", "text": "x" * size}] for size in sizes]
    return [{"role": "user" if n % 2 == 0 else "assistant", "content": turn} for n, turn in enumerate(turns)]


@pytest.mark.parametrize(("contract", "sizes", "number"), [("anthropic", (20 * MB, 14 * MB), 1), ("anthropic", (20 * MB, 13 * MB), 0), ("bedrock", (21 * MB,), 1), ("gemini", (34 * MB,), 0)])
def test_each_contract_has_its_number(contract, sizes, number):
    """32 MiB for Anthropic, 20 MB at Bedrock, 100 MB for Gemini."""
    assert len(found(talk(*sizes), contract=contract)) == number


def test_a_contract_that_has_no_number_is_not_asked():
    """Nothing is weighed for it: Moonshot's requests have no limit that is known."""
    assert found(talk(34 * MB), contract="kimi") == []


@pytest.mark.parametrize(("api", "number"), [("anthropic-messages", 1), ("google-generative-ai", 0)])
def test_pi_has_the_number_of_the_api_that_it_uses(api, number):
    """Its texts are counted while it is read; the record is not walked over again."""
    header = {"type": "session", "version": 3, "id": "0190a000-0000-7000-8000-000000000001", "timestamp": "2026-11-01T10:00:00.000Z", "cwd": "/x"}
    answer = {"role": "assistant", "content": [{"type": "text", "text": "x" * (34 * MB)}], "api": api, "provider": "p", "model": "m", "stopReason": "stop", "timestamp": 2}
    entries = [{"role": "user", "content": "Go.", "timestamp": 1}, answer]
    records = [header, *({"type": "message", "id": f"{n}", "parentId": f"{n - 1}" if n > 1 else None, "timestamp": "2026-11-01T10:00:01.000Z", "message": entry} for n, entry in enumerate(entries, 1))]
    findings = found(records, "pi", "pi", lines=True)
    assert len(findings) == number
    if findings:
        assert findings[0].detail == f"at least {34 * MB + 3:,} bytes, {34 * MB:,} of them here"


def test_it_is_told_on_the_heaviest_message():
    """That is the one to do something about; the next ones are named, too."""
    (finding,) = found(talk(5 * MB, 30 * MB, 10))
    assert (finding.index, str(finding.severity), finding.fixable) == (1, "warning", False)
    assert len(finding.related) == 1 or finding.related == (1, 1)


def test_what_a_client_keeps_for_itself_is_not_counted():
    """Claude Code stores a result twice; only the message is sent."""
    base = {"isSidechain": False, "userType": "external", "cwd": "/demo", "sessionId": "5fee3261-628e-4975-a916-afa47d5db597", "version": "2.1.332"}

    def record(ident, parent, kind, message, **more):
        return {"parentUuid": parent, **base, "type": kind, "message": message, "uuid": ident, "timestamp": "2026-01-01T00:00:01.000Z"} | more

    call = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}
    text = "x" * (20 * MB)
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": text}
    records = [
        record("u1", None, "user", {"role": "user", "content": "Read it."}),
        record("a1", "u1", "assistant", {"role": "assistant", "id": "msg_1", "model": "claude-opus-4-8", "content": [call]}),
        record("u2", "a1", "user", {"role": "user", "content": [result]}, toolUseResult=text),
    ]
    assert found(records, "claude-code", "claude-code", lines=True) == []


def test_many_conversations_are_weighed_once(monkeypatch):
    """Each is a thread, and none of them looks at the records of all others again."""
    looks = []
    size = request_size._size
    monkeypatch.setattr(request_size, "_size", lambda record: looks.append(record) or size(record))
    conversation = {"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}, {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "n", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]}]}
    assert found([conversation] * 50, lines=True) == []
    assert len(looks) == 150
