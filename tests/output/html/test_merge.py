"""Merging sequences: each keeps its own order, equal elements are one where orders allow it."""

from condense_cli.output.html.merge import merge
from hypothesis import given
from hypothesis import strategies as st

KEYS = st.lists(st.integers(0, 12), max_size=30)


@given(KEYS, KEYS)
def test_each_sequence_is_in_the_merged_one_in_its_own_order(first, second):
    """Every element of both is there once, in order, and what is put together is equal."""
    places = merge(first, second)
    assert [p.first for p in places if p.first is not None] == list(range(len(first)))
    assert [p.second for p in places if p.second is not None] == list(range(len(second)))
    assert all(first[p.first] == second[p.second] for p in places if p.first is not None and p.second is not None)


@given(st.lists(st.integers(), unique=True, max_size=40), st.data())
def test_of_a_subsequence_every_element_is_found(first, data):
    """A view that only leaves out messages adds none to the page."""
    kept = [key for key in first if data.draw(st.booleans())]
    assert len(merge(first, kept)) == len(first)


def test_one_element_that_moved_far_costs_one_element():
    """The thousand between keep their places."""
    first = ["call", *range(1000), "result"]
    second = ["call", "result", *range(1000)]
    assert len(merge(first, second)) == len(first) + 1


def test_repeated_elements_are_matched_between_the_unique_ones():
    """Five times the same word in both is five elements."""
    assert len(merge(["a", "ok", "ok", "b", "ok"], ["a", "ok", "b", "ok"])) == 5
