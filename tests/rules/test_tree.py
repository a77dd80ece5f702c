"""Ids and parents: what is said about a record whose id another one owns."""

from __future__ import annotations

import json
from pathlib import Path

from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.pi import threads as pi
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Report
from condense_cli.session.opened import open_session
from hypothesis import example, given
from hypothesis import strategies as st


def checked(path: Path, *entries: dict[str, object]) -> Report:
    """Check a pi session of a header and these entries."""
    header = {"type": "session", "version": 3, "id": "0190a000-0000-7000-8000-0000000000aa", "timestamp": "2026-11-02T09:00:00.000Z", "cwd": "/w"}
    path.write_text("".join(json.dumps(entry) + "\n" for entry in (header, *entries)), encoding="utf-8")
    with open_session(str(path)) as session:
        return check(session.document, [session.format.contract])


def user(ident: str, parent: str | None, text: str) -> dict[str, object]:
    message = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1}
    return {"type": "message", "id": ident, "parentId": parent, "timestamp": "2026-11-02T09:00:01.000Z", "message": message}


def test_a_record_with_a_taken_id_is_named_by_the_id_in_the_file(tmp_path: Path) -> None:
    """A finding names a record by the id that stands in the file, not by the one that a repair would give it."""
    report = checked(tmp_path / "s.jsonl", user("00000001", None, "one"), user("00000002", "00000001", "two"), user("00000001", "00000002", "three"))

    assert [(f.rule, f.line, f.entry) for f in report.findings] == [("duplicate-id", 4, "00000001")]


IDS = st.sampled_from(["a", "b", "c", "d", None])


@given(st.lists(st.tuples(IDS, IDS), max_size=6), st.booleans())
@example(pairs=[(None, None), ("a", None)], chained=True)
@example(pairs=[("a", None), ("b", "a"), ("a", "b"), ("c", "a")], chained=True)
def test_the_thread_is_what_a_walk_from_the_last_entry_finds(pairs: list[tuple[str | None, str | None]], chained: bool) -> None:
    """The short cut for a file that is one chain finds what the walk over the parents finds, and so do the leaves."""
    entries = [{**user(ident or "", parent, "x"), "id": ident} for ident, parent in pairs]
    if chained:
        for before, entry in zip([None, *(entry["id"] for entry in entries)], entries, strict=False):
            entry["parentId"] = before
    header = {"type": "session", "version": 3, "id": "0190a000-0000-7000-8000-0000000000aa", "timestamp": "2026-11-02T09:00:00.000Z", "cwd": "/w"}
    data = b"".join(json.dumps(entry).encode() + b"\n" for entry in (header, *entries))
    document = read_document("s.jsonl", BytesInMemory(data), "pi")
    owners = {entry["id"]: n for n, entry in enumerate(entries) if entry["id"]}
    path: list[int] = []
    at = len(entries) - 1 if entries else None
    while at is not None and at not in path:
        path.insert(0, at)
        at = owners.get(entries[at]["parentId"])
    parents = {entry["parentId"] for entry in entries}
    leaves = [n for n, entry in enumerate(entries) if entry["id"] and entry["id"] not in parents] or [*range(len(entries))][-1:]

    assert [record.line - 2 for record in pi.branch(document)] == path
    assert [record.line - 2 for record in pi.leaves(document)] == leaves
