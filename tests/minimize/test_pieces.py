"""Pieces that can be left out."""

import json

from condense_cli.minimize.pieces import array, arrays, lines
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law


@law(100)
@given(st.binary(max_size=80))
def test_all_lines_are_the_file(data):
    """Cut behind newlines alone."""
    pieces = lines(data)
    assert pieces.joined(range(len(pieces.parts))) == data
    assert all(b"\n" not in part[:-1] for part in pieces.parts)


def test_a_link_goes_on_past_what_is_left_out():
    """To the nearest record that is there, over several; unknown parents stay."""
    rows = [{"id": "a", "parentId": None}, {"id": "b", "parentId": "a"}, {"id": "c", "parentId": "b"}, {"id": "d", "parentId": "c"}, {"id": "e", "parentId": "zz"}]
    pieces = lines(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    kept = [json.loads(line) for line in pieces.linked([0, 3, 4]).splitlines()]
    assert [row["parentId"] for row in kept] == [None, "a", "zz"]
    assert json.loads(pieces.linked([2]))["parentId"] is None
    assert pieces.joined([2]) == pieces.parts[2]


def test_a_cycle_of_links_ends():
    """Each parent is followed once."""
    rows = [{"id": "a", "parentId": "b"}, {"id": "b", "parentId": "a"}, {"id": "c", "parentId": "a"}]
    pieces = lines(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    assert json.loads(pieces.linked([2]))["parentId"] in ("a", "b")


def test_elements_of_an_array():
    """With what stands around them; an empty array has none."""
    data = b'{"x": [1 , {"y": []},3], "z": 0}'
    pieces = array(data, ("x",))
    assert json.loads(pieces.joined([0, 2])) == {"x": [1, 3], "z": 0}
    assert json.loads(pieces.joined([])) == {"x": [], "z": 0}
    assert array(data, ("x", 1, "y")) is array(data, ("z",)) is array(data, ("q",)) is None
    assert list(arrays(json.loads(data))) == [("x",)]
