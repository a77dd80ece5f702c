"""What a plan does to the lines of a file."""

from __future__ import annotations

import re

from condense_cli.model.plan import Change, Copy, Edit, Plan, Put, apply, join
from condense_cli.output.hunks import WINDOW, Hunk, hunks
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law


class Old:
    """An old file in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def read(self, start: int, end: int) -> bytes:
        return self.data[start:end]


def plan_of(old: bytes, *segments, edits=()) -> Plan:
    """A plan with these segments."""
    return Plan("s.jsonl", "pi", "", len(old), (), (), tuple(edits), join(segments))


def lines_of(data: bytes) -> list[bytes]:
    """The lines of a file with their newlines."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def patched(old: bytes, changed: list[Hunk]) -> bytes:
    """The old file with each hunk's old lines replaced by its new ones; whoever reads a diff does the same."""
    lines = lines_of(old)
    for hunk in reversed(changed):
        assert tuple(lines[hunk.line - 1 : hunk.last]) == hunk.old
        lines[hunk.line - 1 : hunk.last] = hunk.new
    return b"".join(lines)


@st.composite
def plans(draw) -> tuple[bytes, Plan]:
    """An old file with short lines, and a new one of spans in any order with new bytes between them."""
    old = draw(st.binary(max_size=60).map(lambda data: bytes(b"a\nbc"[byte % 4] for byte in data)))
    offset = st.integers(0, len(old))
    spans = st.tuples(offset, offset).map(lambda pair: Copy(min(pair), max(pair)))
    # A byte is copied once at most: a span that overlaps an earlier one is cut to what is left.
    segments, used = [], set()
    for segment in draw(
        st.lists(spans | st.sampled_from([Put(b"N"), Put(b"N\n"), Put(b"\n"), Put(b"N\nM")]), max_size=8)
    ):
        if isinstance(segment, Copy):
            if used & set(range(segment.start, segment.end)):
                continue
            used |= set(range(segment.start, segment.end))
        segments.append(segment)
    moved = draw(st.sets(st.integers(1, 5), max_size=2))
    return old, plan_of(old, *segments, edits=[Edit(Change.MOVE, "displaced-result", line) for line in moved])


@given(plans())
@law(300)
def test_hunks_turn_the_old_file_into_the_new_one(drawn):
    """Replacing the old lines of all hunks by the new ones gives the bytes that the plan gives, whatever was moved."""
    old, plan = drawn
    changed = list(hunks(plan, Old(old)))

    assert not any(hunk.head_cut or hunk.tail_cut for hunk in changed)
    assert patched(old, changed) == b"".join(apply(plan.segments, Old(old)))


def test_nothing_changed():
    """A plan that copies the whole file has no hunk."""
    assert list(hunks(plan_of(b"a\nb\n", Copy(0, 4)), Old(b"a\nb\n"))) == []


def test_kinds_of_change():
    """Removed, replaced and inserted lines, and an added last newline, are hunks at their old lines."""
    old = b"one\ntwo\nthree\nfour\nfive"
    plan = plan_of(old, Copy(4, 8), Put(b"THREE\n"), Copy(14, 19), Put(b"new\n"), Copy(19, 23), Put(b"\n"))

    assert list(hunks(plan, Old(old))) == [
        Hunk(1, 1, (b"one\n",), ()),
        Hunk(3, 3, (b"three\n",), (b"THREE\n",)),
        Hunk(5, 5, (b"five",), (b"new\n", b"five\n")),
    ]


def test_insertions_stand_behind_a_line():
    """An insertion covers no line: it ends one line before it begins."""
    assert list(hunks(plan_of(b"a\nb\n", Copy(0, 2), Put(b"n\n"), Copy(2, 4)), Old(b"a\nb\n"))) == [
        Hunk(2, 1, (), (b"n\n",))
    ]


def test_changes_on_one_line_are_one_hunk():
    """Two changes of one line that are near each other are shown as one line."""
    old = b'{"a":1,"b":2}\n'
    plan = plan_of(old, Copy(0, 5), Put(b"3"), Copy(6, 11), Put(b"4"), Copy(12, 14))

    assert list(hunks(plan, Old(old))) == [Hunk(1, 1, (old,), (b'{"a":3,"b":4}\n',))]


def test_moved_is_what_the_plan_calls_moved():
    """Of two neighbours that changed places the one is shown as moved that the plan moved, though it is the larger."""
    old = b"call\nnote\nlarge result\nend\n"
    plan = plan_of(
        old,
        Copy(0, 5),
        Copy(10, 23),
        Copy(5, 10),
        Copy(23, 27),
        edits=[Edit(Change.MOVE, "displaced-result", 3, target=1)],
    )

    assert list(hunks(plan, Old(old))) == [
        Hunk(2, 1, (), (b"large result\n",)),
        Hunk(3, 3, (b"large result\n",), ()),
    ]


def test_long_lines_are_not_read():
    """Around a change in a line of megabytes only a window is read, and the hunk says that there is more."""
    old = b"x" * 5_000_000 + b"OLD" + b"y" * 5_000_000 + b"\n"

    class Watched(Old):
        most = 0

        def read(self, start: int, end: int) -> bytes:
            self.most = max(self.most, end - start)
            return super().read(start, end)

    source = Watched(old)
    (hunk,) = hunks(plan_of(old, Copy(0, 5_000_000), Put(b"NEW"), Copy(5_000_003, len(old))), source)

    assert hunk == Hunk(
        1, 1, (b"x" * WINDOW + b"OLD" + b"y" * WINDOW,), (b"x" * WINDOW + b"NEW" + b"y" * WINDOW,), True, True
    )
    assert source.most <= 1 << 20
