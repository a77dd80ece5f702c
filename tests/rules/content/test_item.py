"""invalid-item: fields of items that the Responses API refuses, and what becomes of them."""

from __future__ import annotations

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.choice import Choice
from condense_cli.repair.engine import make_plan

SEALED = "gAAAAA" + "x" * 72
SEARCH = {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "weather"}}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": SEALED}


def rollout(*payloads, provider="openai", paginated=False):
    meta = {"id": "019fe734-2578-4b5d-acc0-147c812bb623", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/demo", "cli_version": "0.171.0", "model_provider": provider}
    said = [{"type": "message", "role": role, "content": [{"type": kind, "text": "Go."}]} for role, kind in (("user", "input_text"), ("assistant", "output_text"))]
    records = [("session_meta", meta | ({"history_mode": "paginated"} if paginated else {}))]
    records += [("response_item", one) for one in (said[0], *payloads, said[1])]
    return b"".join(
        json.dumps({"timestamp": "2026-01-01T00:00:01.000Z"} | ({"ordinal": n} if paginated else {}) | {"type": kind, "payload": payload}).encode() + b"\n"
        for n, (kind, payload) in enumerate(records)
    )


def found(data):
    report = check(read_document("rollout.jsonl", BytesInMemory(data), "codex"), ["codex"])
    return [(f.rule, f.line, str(f.severity)) for f in report.findings if f.rule != "ends-with-assistant"]


def repaired(data):
    source = BytesInMemory(data)
    plan = make_plan(read_document("rollout.jsonl", source, "codex"), Choice(("codex",)))
    assert [f for f in plan.remaining if f.severity != "info"] == []
    return [json.loads(line) for line in b"".join(apply(plan.segments, source)).splitlines()]


@pytest.mark.parametrize(("length", "bad"), [(0, True), (1, False), (64, False), (65, True)])
def test_an_id_has_one_to_64_characters(length, bad):
    """It is optional: one that is refused goes, all else stays."""
    item = REASONING | {"id": "r" * length}
    data = rollout(item)
    assert found(data) == ([("invalid-item", 3, "error")] if bad else [])
    del item["id"]
    assert not bad or repaired(data)[2]["payload"] == item


@pytest.mark.parametrize("kind", ["search", "open_page", "find_in_page", None])
def test_known_actions_are_sound(kind):
    """An action that is not there is sound, too."""
    assert found(rollout(SEARCH | {"action": {"type": kind} if kind else None})) == []


@pytest.mark.parametrize("paginated", [False, True])
def test_an_item_of_an_unknown_action_becomes_a_note(paginated):
    """It cannot be sent in any form; where lines keep their length, an event that says nothing may take its place."""
    data = rollout(SEARCH | {"action": {"type": "other"}}, paginated=paginated)
    assert found(data) == [("invalid-item", 3, "error")]
    new = repaired(data)
    assert "other" not in json.dumps(new)
    assert paginated or "condense" in json.dumps(new[2])
    assert len(new) == len(data.splitlines())


def test_an_unknown_status_goes():
    """It is optional."""
    data = rollout(SEARCH | {"status": "lost"})
    assert found(data) == [("invalid-item", 3, "error")]
    assert "status" not in repaired(data)[2]["payload"]


def test_plain_reasoning_beside_sealed_one_goes():
    """A warning: the sealed part says the same."""
    data = rollout(REASONING | {"content": [{"type": "reasoning_text", "text": "hm"}]})
    assert found(data) == [("invalid-item", 3, "warning")]
    assert repaired(data)[2]["payload"] == REASONING


@pytest.mark.parametrize(("provider", "severity"), [("openai", "error"), ("ollama", "info")])
def test_plain_reasoning_alone_is_another_hosts(provider, severity):
    """OpenAI refuses it and nothing is left without it; a host that writes it takes it again."""
    data = rollout({"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}], "encrypted_content": None}, provider=provider)
    assert found(data) == [("invalid-item", 3, severity)]
    assert len(repaired(data)) == (3 if provider == "openai" else 4)


def test_items_inside_a_compaction_are_repaired_where_they_are():
    """A replacement_history is sent as it is."""
    kept = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]}, REASONING | {"id": "r" * 80}, {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}]
    data = rollout() + json.dumps({"timestamp": "2026-01-01T00:00:02.000Z", "type": "compacted", "payload": {"message": "", "replacement_history": kept}}).encode() + b"\n"
    assert found(data) == [("invalid-item", 4, "error")]
    del kept[1]["id"]
    assert repaired(data)[3]["payload"]["replacement_history"] == kept
