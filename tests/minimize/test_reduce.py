"""Delta debugging."""

from condense_cli.minimize.reduce import reduce
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law


@law(100)
@given(st.integers(0, 60), st.sets(st.integers(0, 59), max_size=5))
def test_what_must_stay_stays_and_nothing_else(size, needed):
    """For any set of needed pieces the result is that set, in order."""
    needed = {n for n in needed if n < size}
    assert reduce(range(size), lambda kept: needed <= set(kept)) == sorted(needed)


@law(100)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.integers(1, 30))
def test_no_piece_can_go_alone(values, least):
    """Where pieces stand for each other, the result is one of the smallest in this sense."""

    def holds(kept):
        return sum(kept) >= min(least, sum(values))

    kept = reduce(values, holds)
    assert holds(kept)
    assert not any(holds(kept[:n] + kept[n + 1 :]) for n in range(len(kept)))


def test_many_pieces_take_few_tests():
    """One needed piece of ten thousand is found in less than a hundred tests."""
    asked = []
    assert reduce(range(10_000), lambda kept: asked.append(1) or 7_777 in kept) == [7_777]
    assert len(asked) < 100
