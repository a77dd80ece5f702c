"""Tokens, estimated."""

import base64
import struct

import pytest
from condense_cli.document.views import Block
from condense_cli.pi_condense.compact.tokens import IMAGE, tokens, widest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law


def png(width, height):
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x02\0\0\0"
    return base64.b64encode(head + b"\0" * 30).decode()


def test_text_counts_by_its_bytes():
    """And what is inside of a result once."""
    empty = tokens([Block("text")])
    assert tokens([Block("text", "x" * 300)]) == 100 + empty
    assert tokens([Block("text", "日" * 100)]) == 100 + empty
    assert tokens([Block("call", arguments={"a": "x" * 290})]) > 95 + empty
    assert tokens([Block("result", "x" * 300, inner=(Block("text", "x" * 300),))]) == 100 + 2 * empty
    assert tokens([Block("thinking", "", signature="x" * 300)]) == 100 + empty


@pytest.mark.parametrize(("block", "count"), [(Block("image", data=png(75, 100)), 10), (Block("image", data=png(9000, 9000)), IMAGE), (Block("image", data="no image"), IMAGE), (Block("image", url="https://x/y.png"), IMAGE)])
def test_images_count_by_their_pixels(block, count):
    """Not by the length of their bytes."""
    assert tokens([block]) == count + tokens([Block("text")])


@law(200)
@given(st.lists(st.integers(0, 50), max_size=30), st.integers(0, 400), st.integers(0, 800))
def test_as_many_chains_stay_as_fit(sizes, rest, most):
    """The widest window whose request fits; None where none does; few tries."""
    asked = []

    def measure(window):
        asked.append(window)
        return rest + sum(sizes[len(sizes) - window :])

    found = widest(most, len(sizes), measure)
    fitting = [window for window in range(len(sizes) + 1) if rest + sum(sizes[len(sizes) - window :]) <= most]
    assert found == (max(fitting) if fitting else None)
    assert len(asked) <= 8
