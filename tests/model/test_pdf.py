"""PDF pages: the tree's count, checked against the pages that are there."""

from __future__ import annotations

import zlib

import pytest
from condense_cli.model.pdf import pages
from hypothesis import given
from hypothesis import strategies as st


def plain(number, count=None):
    leaves = b"".join(b"%d 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n" % (n + 3) for n in range(number))
    kids = b" ".join(b"%d 0 R" % (n + 3) for n in range(number))
    tree = b"2 0 obj\n<< /Type /Pages /Kids [%s] /Count %d >>\nendobj\n" % (kids, number if count is None else count)
    return b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n" + tree + leaves + b"trailer"


def compressed(number, ending=b"\n"):
    inside = b"<</Type/Pages/Count %d/Kids[]>>" % number + b"<</Type/Page/Parent 2 0 R>>" * number
    packed = zlib.compress(inside)
    head = b"%%PDF-1.5\n5 0 obj\n<</Type/ObjStm/N %d/First 9/Filter/FlateDecode/Length %d>>stream" % (number + 1, len(packed))
    return head + ending + packed + b"\nendstream\nendobj\n"


@pytest.mark.parametrize("number", [1, 2, 150])
def test_pages_are_counted(number):
    """The tree and the pages agree: the number is sure."""
    assert pages(plain(number)) == (number, True)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_pages_in_compressed_object_streams_are_counted(ending):
    """Object streams are unpacked."""
    assert pages(compressed(101, ending)) == (101, True)


def test_a_tree_of_trees_counts_its_root():
    """Inner nodes have counts of their own; the root's is the number."""
    inner = b"<< /Count 2 /Type /Pages /Parent 2 0 R >>\n" * 2
    leaves = b"<< /Type /Page >>\n" * 4
    assert pages(b"%PDF-1.4\n<< /Resources << /Font << >> >> /Type /Pages /Count 4 >>\n" + inner + leaves) == (4, True)


def test_what_differs_is_not_sure():
    """A tree that says otherwise, pages without a tree, and an encrypted stream are no proof."""
    assert pages(plain(3, count=5)) == (5, False)
    assert pages(b"%PDF-1.4 /Type /Page ") == (1, False)
    assert pages(compressed(9)[:-30].replace(b"x\x9c", b"\0\0", 1)) == (0, False)


def test_nothing_unpacks_without_a_limit():
    """A stream that would unpack to more than the limit is read up to it."""
    bomb = zlib.compress(b"<</Type/Page>>" * 8_000_000, 1)
    data = b"%PDF-1.5 <</Type/ObjStm>>stream\n" + bomb + b"endstream"
    assert pages(data).number < 5_000_000


@given(st.binary(max_size=300))
def test_any_bytes_are_counted_without_an_error(data):
    """Damage gives a number that is not sure."""
    assert pages(b"%PDF-1.4" + data).number >= 0
