"""Where a file is, for machines."""

from __future__ import annotations

import pytest
from condense_cli.output.place import relative, uri


@pytest.mark.parametrize(
    ("path", "below", "address"),
    [
        ("s.jsonl", "s.jsonl", "s.jsonl"),
        ("./a/../s.jsonl", "s.jsonl", "s.jsonl"),
        ("/base/a b", "a b", "a%20b"),
        ("/base/c:d#e?f%", "c:d#e?f%", "c%3Ad%23e%3Ff%25"),
        ("..x", "..x", "..x"),
        ("../else", None, "file:///else"),
        ("/base2/s", None, "file:///base2/s"),
        ("\udcff\ud800", "\udcff\ud800", "%ED%B3%BF%ED%A0%80"),
        ("\udcff", "\udcff", "%FF"),
    ],
)
def test_places(path, below, address):
    """A path below the base is relative to it, another one is not; an address has only characters a URI may have."""
    assert (relative(path, "/base"), uri(path, "/base")) == (below, address)
