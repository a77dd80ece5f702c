"""Rollouts that go on from a history in another file: it is looked for in the folder and in the client's store."""

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.session.opened import open_session

PARENT, CHILD = "01a0b1c2-0000-7000-8000-0000000000b1", "01a0b1c2-0000-7000-8000-0000000000b2"
OLD = f"rollout-2026-10-12T08-00-00-{PARENT}.jsonl"
NEW = f"rollout-2026-10-13T09-00-00-{CHILD}.jsonl"


def line(ordinal, kind, payload):
    return json.dumps({"timestamp": "2026-10-12T08:00:00.000Z", "ordinal": ordinal, "type": kind, "payload": payload}, separators=(",", ":")).encode() + b"\n"


def meta(ident, ordinal, **more):
    return line(ordinal, "session_meta", {"id": ident, "timestamp": "2026-10-12T08:00:00.000Z", "cwd": "/w", "originator": "x", "cli_version": "0.171.0", "history_mode": "paginated", **more})


def said(ordinal, role="user"):
    return line(ordinal, "response_item", {"type": "message", "role": role, "content": [{"type": "input_text", "text": "x"}]})


HISTORY = meta(PARENT, 0) + said(1) + said(2, "assistant")
END = len(HISTORY)


def found(path, *, byte=END, ordinal=3, thread=PARENT):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(meta(CHILD, 3, history_base={"thread_id": thread, "end_ordinal_exclusive": ordinal, "end_byte_offset": byte}) + said(4))
    with open_session(str(path)) as session:
        return [(f.line, f.detail, f.fixable) for f in check(session.document, ["codex"]).findings if f.rule == "broken-lineage"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, ""),
        ({"byte": len(HISTORY) + 1}, f"it goes on from byte {len(HISTORY) + 1} of {OLD}, which has {len(HISTORY)}"),
        ({"ordinal": 9}, f"it goes on from ordinal 9 of {OLD}, which ends with 2"),
        ({"thread": "01a0b1c2-0000-7000-8000-00000000dead"}, "thread 01a0b1c2-0000-7000-8000-00000000dead has no file here"),
        ({"byte": 10, "ordinal": 1}, ""),
    ],
)
def test_the_place_is_in_the_parents_file(tmp_path, asked, told):
    """A place after the end of the file, or a thread without a file, is an error that no repair mends."""
    (tmp_path / OLD).write_bytes(HISTORY)
    assert found(tmp_path / NEW, **asked) == ([(1, told, False)] if told else [])


@pytest.mark.parametrize("place", ["sessions/2026/10/12", "sessions/2025/01/01", "archived_sessions"])
def test_the_parent_may_be_in_another_folder_of_the_store(tmp_path, place):
    """Threads are in folders by day, and in the archive."""
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / OLD).write_bytes(HISTORY)
    assert found(tmp_path / "sessions/2026/10/13" / NEW) == []
    assert found(tmp_path / "sessions/2026/10/13" / NEW, byte=9999)


def test_a_packed_parent_is_a_file_of_unknown_size(tmp_path):
    """Nothing is proved by it."""
    (tmp_path / (OLD + ".zst")).write_bytes(b"\x28\xb5\x2f\xfd")
    assert found(tmp_path / NEW, byte=9999) == []
