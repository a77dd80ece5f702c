"""Ids and parents: what is said about a record whose id another one owns."""

from __future__ import annotations

import json
from pathlib import Path

from condense_cli.model import Report
from condense_cli.pipeline.check import check
from condense_cli.sessions import open_session


def checked(path: Path, *entries: dict[str, object]) -> Report:
    """Check a pi session of a header and these entries."""
    header = {"type": "session", "version": 3, "id": "0190a000-0000-7000-8000-0000000000aa", "timestamp": "2026-11-02T09:00:00.000Z", "cwd": "/w"}
    path.write_text("".join(json.dumps(entry) + "\n" for entry in (header, *entries)), encoding="utf-8")
    with open_session(str(path)) as session:
        return check(session.document, [session.format.CONTRACT])


def user(ident: str, parent: str | None, text: str) -> dict[str, object]:
    message = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1}
    return {"type": "message", "id": ident, "parentId": parent, "timestamp": "2026-11-02T09:00:01.000Z", "message": message}


def test_a_record_with_a_taken_id_is_named_by_the_id_in_the_file(tmp_path: Path) -> None:
    """A finding names a record by the id that stands in the file, not by the one that a repair would give it."""
    report = checked(tmp_path / "s.jsonl", user("00000001", None, "one"), user("00000002", "00000001", "two"), user("00000001", "00000002", "three"))

    assert [(f.rule, f.line, f.entry) for f in report.findings] == [("duplicate-id", 4, "00000001")]
