"""Which record of the new file is which record of the old one."""

from __future__ import annotations

from pathlib import Path

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.output.difference.align import align
from condense_cli.repair.engine import Choice, make_plan
from hypothesis import given
from tests.strategies import broken_lists, calls, chat_array, condense, damaged_files, law, pi_file, session_file

CASES = sorted((Path(__file__).parents[3] / "fixtures" / "cases").glob("*.jsonl"))


def aligned(data: bytes):
    """The documents before and after a repair, their plan, and how they are aligned."""
    old = read_document("s.jsonl", BytesInMemory(data))
    plan = make_plan(old, Choice())
    new = read_document("s.jsonl", BytesInMemory(b"".join(apply(plan.segments, old.source))), plan.format)
    return old, new, plan, align(plan, old, new)


def rebuilt(data: bytes, records) -> list[bytes]:
    """Make the new file of the old one with nothing but the lines of `diff --raw`; blank lines are left out."""
    lines = dict(enumerate(data.split(b"\n"), 1))
    after: dict[int, list[bytes]] = {}
    for one in records:
        if one["change"] == "edit":
            continue
        new = None if one["new"] is None else one["new"].encode("utf-8", "surrogatepass").rstrip(b"\n")
        if one["change"] == "insert" or one["moved"]:
            after.setdefault(one["after"], []).append(new)
        if one["change"] != "insert":
            lines[one["line"]] = b"" if one["moved"] else new or b""
    out = list(after.get(0, []))
    for number, line in lines.items():
        out += [line, *after.get(number, [])]
    return [line for line in out if line.strip(b"\0 \t\r\n")]


def check_rebuilt(data: bytes) -> None:
    """What `diff --raw` says is what `repair` writes."""
    with session_file(data) as path:
        said = condense("diff", "--raw", path)
        if said.code not in (0, 1):
            return
        written = condense("repair", path, "-o", "-").out
    assert rebuilt(data, said.records) == [line for line in written.split(b"\n") if line.strip(b"\0 \t\r\n")]


@law()
@given(damaged_files())
def test_the_difference_of_damaged_files_is_the_repair(data):
    """Nothing that a repair changes in a file is left out, and nothing else is named."""
    check_rebuilt(data)


@law()
@given(broken_lists())
def test_the_difference_of_broken_threads_is_the_repair(messages):
    """Likewise for calls and results."""
    check_rebuilt(pi_file(messages))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_edit_is_shown(path):
    """Each edit of the plan belongs to a record that changed, or is named on its own."""
    _, _, plan, found = aligned(path.read_bytes())
    shown = [*found.others, *(edit for one in found.changed for edit in one.edits)]

    assert sorted(map(repr, shown)) == sorted(map(repr, plan.edits))


def test_a_record_is_recognised_by_its_id():
    """The moved one is one record, and so are those that are linked anew."""
    messages = [("user",), calls(["a"]), ("user",), ("result", "a"), ("text",)]
    old, _, _, found = aligned(pi_file(messages))

    assert [(one.old.line, one.moved) for one in found.changed] == [(5, True), (4, False), (6, False)]
    assert found.changed[0].after == 3
    assert found.others == ()
    assert all(one.old in old.records for one in found.changed)


def test_messages_of_an_array_have_places_too():
    """All are on one line: their numbers tell them apart."""
    data = chat_array([("user",), calls(["a"]), ("user",), ("text",)])
    _, _, _, found = aligned(data)

    (one,) = found.changed
    assert one.old is None
    assert [edit.rule for edit in one.edits] == ["unanswered-call"]
