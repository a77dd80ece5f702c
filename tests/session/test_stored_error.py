"""The errors that clients store in their sessions."""

import json

import pytest
from condense_cli.session.opened import open_session
from condense_cli.session.stored_error import last_error

SAID = "400 messages.2: tool_use ids were found without tool_result blocks"


def pi(error):
    header = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}
    user = {"type": "message", "id": "a", "parentId": None, "timestamp": "", "message": {"role": "user", "content": "hi", "timestamp": 1}}
    failed = {"role": "assistant", "content": [], "stopReason": "error", "timestamp": 2, "errorMessage": error}
    return [header, user, {"type": "message", "id": "b", "parentId": "a", "timestamp": "", "message": failed}]


def claude(error):
    common = {"sessionId": "s", "cwd": "/w", "version": "2.1.332", "isSidechain": False, "timestamp": "2026-01-01T00:00:00.000Z"}
    user = {**common, "type": "user", "uuid": "a", "parentUuid": None, "message": {"role": "user", "content": "hi"}}
    message = {"model": "<synthetic>", "id": "m", "type": "message", "role": "assistant", "content": [{"type": "text", "text": error}]}
    return [user, {**common, "type": "assistant", "uuid": "b", "parentUuid": "a", "isApiErrorMessage": True, "message": message}]


def codex(error):
    meta = {"timestamp": "", "type": "session_meta", "payload": {"id": "s", "timestamp": "", "cwd": "/w", "originator": "o", "cli_version": "0.171.0"}}
    user = {"timestamp": "", "type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}}
    return [meta, user, {"timestamp": "", "type": "event_msg", "payload": {"type": "error", "message": error}}]


def gemini(error):
    head = {"sessionId": "s", "projectHash": "p", "startTime": "", "lastUpdated": "", "kind": "main"}
    user = {"id": "a", "timestamp": "", "type": "user", "content": [{"text": "hi"}]}
    return [head, user, {"id": "b", "timestamp": "", "type": "error", "content": error}]


@pytest.mark.parametrize(("name", "make", "line"), [("pi", pi, 3), ("claude-code", claude, 2), ("codex", codex, 3), ("gemini", gemini, 3)])
@pytest.mark.parametrize("stored", [True, False])
def test_what_a_client_stored_is_found(tmp_path, name, make, line, stored):
    """Its text and its line; what is not an error is none."""
    records = make(SAID)
    if not stored:
        records.pop()
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    with open_session(str(path), name) as session:
        found = last_error(session.document)

    assert (found and (found.text, found.line)) == ((SAID, line) if stored else None)


@pytest.mark.parametrize("value", [None, 1, [], {}, [None], {"message": None}, {"payload": []}, {"content": 1}])
def test_a_record_of_another_shape_has_no_error(value):
    """Nothing in a damaged record is trusted."""
    from condense_cli.formats import FORMATS

    kinds = {"message": {"errorMessage": value, "content": value}, "isApiErrorMessage": True, "type": "event_msg"}
    for form in FORMATS:
        assert form.stored_error({**kinds, "payload": {"type": "error", "message": value}}) == ""
        assert form.stored_error({"message": value, "payload": value, "type": "error", "content": value}) == ""
