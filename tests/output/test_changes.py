"""A plan for people."""

from __future__ import annotations

import io
import re

import pytest
from condense_cli.model.findings import Severity
from condense_cli.model.plan import Change, Copy, Edit, Plan, Put, join
from condense_cli.output.changes import summary, write_plan

LINES = (
    b'{"type":"session","id":"s"}\n',
    b'{"id":"a","call":"c1"}\n',
    b'{"id":"x","user":"\x1b[31m[bold]"}\n',
    b'{"id":"b","parent":"x","result":"c1"}\n',
    b'{"id":"c","parent":"b","result":"c9"}\n',
    b'{"id":"d","parent":"c"}',
)
OLD = b"".join(LINES)
AT = [sum(map(len, LINES[:n])) for n in range(len(LINES) + 1)]


class Old:
    """An old file in memory."""

    def __init__(self, data: bytes = OLD) -> None:
        self.data = data

    def read(self, start: int, end: int) -> bytes:
        return self.data[start:end]


def plan_of(edits, segments, *, old=OLD, remaining=(), path="s.jsonl") -> Plan:
    """A plan for the old file."""
    return Plan(path, "pi", "", len(old), (), remaining, tuple(edits), join(segments))


def shown(plan: Plan, *, old=OLD, color=False, diff=True) -> str:
    """The text of a plan."""
    stream = io.StringIO()
    write_plan(plan, Old(old), stream, color=color, diff=diff)
    return stream.getvalue()


@pytest.fixture
def repair(finding) -> Plan:
    """A plan with all kinds of edits, and two findings that stay."""
    edits = (
        Edit(Change.MOVE, "displaced-result", 4, target=2, call_id="c1"),
        Edit(Change.REPARENT, "displaced-result", 3, detail="hung on b"),
        Edit(Change.DROP, "orphan-result", 5, part=0, call_id="c9"),
        Edit(Change.REPARENT, "orphan-result", 6, detail="hung on x"),
        Edit(Change.REPLACE, "missing-final-newline", 6),
    )
    segments = (
        Copy(AT[0], AT[2]),
        Put(b'{"id":"b","parent":"a","result":"c1"}\n'),
        Put(b'{"id":"x","parent":"b","user":"\x1b[31m[bold]"}\n'),
        Put(b'{"id":"d","parent":"x"}\n'),
    )
    remaining = (
        finding("foreign-session", 2, Severity.WARNING, entry="a"),
        finding("trailing-call", 2, Severity.INFO),
        finding("reused-id", 3, Severity.INFO),
        finding("unreadable-line", 3, Severity.WARNING),
    )
    return plan_of(edits, segments, remaining=remaining)


EDITS = (
    "s.jsonl:3: reparent displaced-result: another message stands between the call and its result: hung on b\n"
    "s.jsonl:4: move displaced-result: another message stands between the call and its result\n"
    "    behind line 2; call c1\n"
    "s.jsonl:5: drop orphan-result: nothing on the thread asked for this result\n"
    "    call c9; part 0\n"
    "s.jsonl:6: reparent orphan-result: nothing on the thread asked for this result: hung on x\n"
    "s.jsonl:6: replace missing-final-newline: no newline ends the last record, so what is appended next would run into it\n"
)
HUNK = (
    "@@ lines 3-6 @@\n"
    '+{"id":"b","parent":"a","result":"c1"}\n'
    '-{"id":"x","user":"\\x1b[31m[bold]"}\n'
    '+{"id":"x","parent":"b","user":"\\x1b[31m[bold]"}\n'
    '-{"id":"b","parent":"x","result":"c1"}\n'
    '-{"id":"c","parent":"b","result":"c9"}\n'
    '-{"id":"d","parent":"c"}\n'
    "\\ no newline at the end of the file\n"
    '+{"id":"d","parent":"x"}\n'
)
REST = (
    "not fixed:\n"
    "s.jsonl:2: warning foreign-session: it was written by another session\n"
    "    entry a\n"
    "    reported only: there is no safe repair\n"
    "s.jsonl:2: info trailing-call: the last turn waits for the result of this call, which may be running\n"
    "    on request: nothing, unless --trailing says so\n"
    "s.jsonl:3: info reused-id: an earlier turn used this call id\n"
    "    on request: --select reused-id\n"
    "s.jsonl:3: warning unreadable-line: this line cannot be read as a record\n"
)


def test_edits_without_their_bytes(repair):
    """Without the diff each edit has its place, its rule and its reason; then comes what stays, and why."""
    assert shown(repair, diff=False) == EDITS + REST


def test_edits_with_their_bytes(repair):
    """With the diff the old and new lines stand below the edits that change them."""
    assert shown(repair) == EDITS + HUNK + REST


def test_places_follow_their_edits():
    """Each edit has its lines below it, a move has both of its places, and what no edit explains stands alone."""
    old = b"".join(b"%d\n" % n for n in range(1, 10))
    edits = (
        Edit(Change.DROP, "empty-message", 2),
        Edit(Change.MOVE, "displaced-result", 8, target=4),
        Edit(Change.INSERT, "unanswered-call", 9, target=9, call_id="k"),
    )
    segments = (
        Copy(0, 2),
        Copy(4, 8),
        Copy(14, 16),
        Copy(8, 10),
        Put(b"six\n"),
        Copy(12, 14),
        Copy(16, 18),
        Put(b"ten\n"),
    )

    assert shown(plan_of(edits, segments, old=old), old=old) == (
        "s.jsonl:2: drop empty-message: the message says nothing\n"
        "@@ line 2 @@\n"
        "-2\n"
        "s.jsonl:8: move displaced-result: another message stands between the call and its result\n"
        "    behind line 4\n"
        "@@ behind line 4 @@\n"
        "+8\n"
        "@@ line 8 @@\n"
        "-8\n"
        "@@ line 6 @@\n"
        "-6\n"
        "+six\n"
        "s.jsonl:9: insert unanswered-call: the session went on without this call's result\n"
        "    behind line 9; call k\n"
        "@@ behind line 9 @@\n"
        "+ten\n"
    )


def test_insertion_in_front_of_all():
    """What is put in front of the first line says so."""
    old = b"1\n"
    text = shown(
        plan_of([Edit(Change.INSERT, "missing-header", 1, target=0)], [Put(b"0\n"), Copy(0, 2)], old=old), old=old
    )

    assert text.splitlines()[1:] == ["    in front of all", "@@ in front of all @@", "+0"]


def test_long_records_are_abbreviated():
    """A change in a long record shows only what stands around it."""
    old = b'{"text":"' + b"x" * 1000 + b'","args":"{}","more":"' + b"y" * 1000 + b'"}\n'
    text = shown(
        plan_of([Edit(Change.REPLACE, "invalid-arguments", 1)], [Put(old.replace(b'"{}"', b"{}"))], old=old), old=old
    )

    assert text.splitlines()[1:] == [
        "@@ line 1 @@",
        f'-…{"x" * 71}","args":"{{}}","more":"{"y" * 71}…',
        f'+…{"x" * 71}","args":{{}},"more":"{"y" * 71}…',
    ]


def test_nothing_steers_the_terminal(hostile):
    """Neither the path nor ids, details and bytes of the file reach the terminal as they are, nor begin a line."""
    edit = Edit(Change.DROP, "orphan-result", 1, call_id=hostile, detail=hostile)
    old = hostile.encode("utf-8", "surrogatepass").replace(b"\n", b"\\n") + b"\n"
    text = shown(plan_of([edit], [], old=old, path=hostile), old=old)

    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800]", text)
    assert text.count("[bold]x[/bold]:smile:") == 4
    assert len(text.splitlines()) == 4


def test_colour_changes_nothing_but_colour(repair):
    """With colour the same text comes out; removed lines are red, added ones green."""
    text = shown(repair, color=True)

    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == EDITS + HUNK + REST
    assert "\x1b[31m-" in text
    assert "\x1b[32m+" in text


def test_a_plan_without_changes_is_silent():
    """A sound session gives no text, and a summary that says so."""
    plan = plan_of([], [Copy(0, len(OLD))])

    assert (shown(plan), summary(plan)) == ("", "0 records changed")


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        (
            [Edit(Change.STRIP, "blank-text", 1, part=0), Edit(Change.STRIP, "blank-text", 1, part=2)],
            "1 record changed",
        ),
        ([Edit(Change.REPLACE, "bom", 1, index=0), Edit(Change.REPARENT, "bom", 1, index=1)], "2 records changed"),
        (
            [Edit(Change.DROP, "bom", 1), Edit(Change.INSERT, "bom", 1), Edit(Change.INSERT, "bom", 1)],
            "1 record removed, 2 inserted",
        ),
        (
            [Edit(Change.MOVE, "bom", 1), Edit(Change.STRIP, "bom", 2), Edit(Change.DROP, "bom", 3)],
            "1 record changed, 1 removed, 1 moved",
        ),
    ],
)
def test_summary(edits, expected):
    """The summary counts records, not edits; what did not happen is left out."""
    assert summary(plan_of(edits, [])) == expected
