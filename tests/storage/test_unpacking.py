"""Compressed files: each kind by its first bytes, to a limit, and whole or not at all."""

import bz2
import gzip
import lzma

import pytest
from condense_cli.errors import UnreadableError
from condense_cli.storage.unpacking import packing_of, unpacked

TEXT = b'{"role":"user","content":"hello"}\n' * 100


def zstd(data):
    return pytest.importorskip("zstandard").compress(data)


KINDS = [pytest.param(pack, name, id=name) for pack, name in ((gzip.compress, "gzip"), (lzma.compress, "xz"), (bz2.compress, "bzip2"), (zstd, "zstd"))]


def pieces(data, size=7):
    return [data[at : at + size] for at in range(0, len(data), size)]


def unpack(data, limit=1 << 20):
    return b"".join(unpacked("s", pieces(data), packing_of(data), limit))


@pytest.mark.parametrize(("pack", "name"), KINDS)
def test_each_kind_is_known_and_unpacked(pack, name):
    """Also two in a row."""
    assert packing_of(pack(TEXT)).name == name
    assert unpack(pack(TEXT)) == TEXT
    assert unpack(pack(TEXT) + pack(b"more")) == TEXT + b"more"


@pytest.mark.parametrize(("pack", "name"), KINDS)
def test_a_damaged_one_is_told(pack, name):
    """A cut one and a garbled one raise what people can read; the name of the kind's own error does not matter."""
    data = pack(TEXT)
    with pytest.raises(UnreadableError, match="too early"):
        unpack(data[:-5])
    with pytest.raises(UnreadableError, match=r"s: "):
        unpack(data[: len(data) // 2] + b"\xff" * 40 + data[len(data) // 2 :])


@pytest.mark.parametrize(("pack", "name"), KINDS)
def test_the_limit_holds(pack, name):
    """Not one byte more."""
    assert unpack(pack(TEXT), len(TEXT)) == TEXT
    with pytest.raises(UnreadableError, match="more than 3399 bytes"):
        unpack(pack(TEXT), len(TEXT) - 1)


def test_nuls_at_the_end_are_padding():
    """As tapes have them."""
    assert unpack(gzip.compress(TEXT) + b"\0" * 600) == TEXT


def test_text_is_not_compressed():
    """Nor is an empty file."""
    assert packing_of(TEXT) is None
    assert packing_of(b"") is None
