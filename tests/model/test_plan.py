"""Plans as values: spans of the old file and new bytes, put together and applied."""

from itertools import pairwise

from condense_cli.document.memory import BytesInMemory
from condense_cli.model.plan import Copy, Plan, Put, apply, join
from hypothesis import given
from hypothesis import strategies as st

OLD = b"0123456789"
PIECES = st.lists(
    st.tuples(st.integers(0, 10), st.integers(0, 10)).map(lambda two: Copy(*two)) | st.binary(max_size=3).map(Put),
    max_size=8,
)


def made(segments, **more):
    """The bytes that segments make of the old file."""
    return b"".join(apply(segments, BytesInMemory(OLD), **more))


def plan(*segments, size=10):
    """A plan with these segments."""
    return Plan("s.jsonl", "pi", "", size, (), (), (), segments)


def test_spans_and_new_bytes_are_put_together():
    """Each span gives the old bytes, each put its own, in their order."""
    assert made([Copy(0, 3), Put(b"ab"), Copy(5, 5), Copy(8, 10), Put(b"")]) == b"012ab89"


def test_large_spans_come_in_pieces():
    """A span is read bit by bit, so that memory does not grow with the file."""
    pieces = list(apply([Copy(1, 9)], BytesInMemory(OLD), chunk=3))

    assert pieces == [b"123", b"456", b"78"]


def test_small_spans_are_read_and_yielded_at_once():
    """A file that is changed in each line takes one read, not one for each line."""
    reads = []

    class Counted(BytesInMemory):
        def read(self, start, end):
            reads.append((start, end))
            return super().read(start, end)

    pieces = list(apply([Copy(0, 2), Put(b"a"), Copy(3, 5), Put(b"b"), Copy(1, 4)], Counted(OLD)))

    assert pieces == [b"01a34b123"]
    assert len(reads) == 1


def test_neighbours_are_joined():
    """Spans that touch become one, new bytes in a row become one, and what is empty goes."""
    assert join([Copy(0, 2), Copy(2, 5), Put(b"a"), Put(b""), Put(b"b"), Copy(5, 5), Copy(6, 7)]) == (Copy(0, 5), Put(b"ab"), Copy(6, 7))
    assert join([]) == ()
    assert join([Copy(3, 5), Copy(0, 3)]) == (Copy(3, 5), Copy(0, 3))
    assert join([Copy(0, 2), Copy(3, 5)]) == (Copy(0, 2), Copy(3, 5))


@given(PIECES)
def test_joining_changes_nothing_that_is_written(pieces):
    """The joined segments make the same bytes, none of them is empty, and joining them again changes nothing."""
    joined = join(pieces)

    assert made(joined) == made(pieces)
    assert all(s.end > s.start if isinstance(s, Copy) else s.data for s in joined)
    assert not any(isinstance(a, Put) and isinstance(b, Put) for a, b in pairwise(joined))
    assert join(joined) == joined


def test_a_plan_says_whether_it_changes_anything():
    """Only the whole file and nothing else is no change; an empty file stays empty."""
    assert not plan(Copy(0, 10)).changes
    assert plan(Copy(0, 9)).changes
    assert plan(Copy(0, 10), Put(b"\n")).changes
    assert plan().changes
    assert not plan(size=0).changes
    assert plan(Put(b"x"), size=0).changes


def test_plans_can_be_compared():
    """Equal plans are equal values, and another leaf makes another plan."""
    assert plan(Copy(0, 9)) == plan(Copy(0, 9))
    assert plan(Copy(0, 9)) != plan(Copy(0, 9))._replace(leaf="x")
