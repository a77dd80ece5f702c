"""Copies that are equal but for their place, beside copies that say something else."""

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.model.findings import Severity
from condense_cli.session.opened import open_session

HEADER = {"type": "session", "version": 3, "id": "0190a000-0000-7000-8000-0000000000aa", "timestamp": "2026-11-02T09:00:00.000Z", "cwd": "/w"}


def said(ident, parent, text, *, second=1, role="user", **more):
    message = {"role": role, "content": [{"type": "text", "text": text}], "timestamp": second, **more}
    return {"type": "message", "id": ident, "parentId": parent, "timestamp": f"2026-11-02T09:00:0{second}.000Z", "message": message}


def label(ident, parent, target, **more):
    return {"type": "label", "id": ident, "parentId": parent, "timestamp": "2026-11-02T09:00:01.000Z", "targetId": target, **more}


BASE = [said("a", None, "one"), said("b", "a", "two"), said("c", "b", "three"), said("d", "c", "four")]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ([said("c", "a", "three", second=5)], [("stale-copy", 6, Severity.ERROR)]),
        ([said("c", "b", "three", second=5)], [("stale-copy", 6, Severity.ERROR)]),  # the last record is the leaf: d is cut off
        ([said("c", "b", "three", second=5), said("e", "d", "five")], [("stale-copy", 6, Severity.INFO)]),
        ([said("c", "a", "other words")], [("duplicate-id", 6, Severity.ERROR)]),
        ([said("c", "a", "three", responseId="another")], [("duplicate-id", 6, Severity.ERROR)]),
        ([BASE[2], said("e", "d", "five")], [("duplicate-record", 6, Severity.WARNING)]),
        ([said("x", "a", "three"), said("e", "d", "five")], []),  # the same words under an id of their own
        ([label("l", "d", "a"), label("l", "a", "b"), said("e", "d", "five")], [("stale-copy", 7, Severity.ERROR)]),
        ([label("l", "d", "a", label="x"), label("l", "a", "b", label="y"), said("e", "d", "five")], [("duplicate-id", 7, Severity.ERROR)]),
    ],
)
def test_what_a_second_record_of_an_id_is(tmp_path, more, expected):
    """The same bytes, the same record in another place, or another record: each has a rule of its own."""
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in (HEADER, *BASE, *more)), encoding="utf-8")
    with open_session(str(path)) as session:
        report = check(session.document, ["pi"])
    assert [(f.rule, f.line, f.severity) for f in report.findings if f.rule in {"stale-copy", "duplicate-id", "duplicate-record"}] == expected
