"""How many pages a PDF has, without a PDF library: the page tree's own count against the pages that are there."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

_MOST = 64 << 20  # bytes that object streams of one file may unpack to
_DICTIONARY = 4096  # bytes between the type of an object stream and its data
_KIDS = 1 << 16  # bytes that the list of children of a node may take
_LEAF = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_TREE = re.compile(rb"/Type\s*/Pages(?![A-Za-z])")
_COUNT = re.compile(rb"/Count\s+(\d{1,9})")
_OBJECTS = re.compile(rb"/Type\s*/ObjStm(?![A-Za-z])")


class Pages(NamedTuple):
    """A number of pages; sure: the page tree says the same as the pages that were found. number 0: not known."""

    number: int
    sure: bool


def pages(data: bytes) -> Pages:
    """Count the pages of a PDF, those in compressed object streams too.

    Not sure is a file whose tree and pages differ (written to again, encrypted, damaged): then the tree's count is
    returned, or the pages that were found if there is no tree.
    """
    leaves = 0
    counts: list[int] = []
    for text in (data, *_object_streams(data)):
        leaves += len(_LEAF.findall(text))
        counts.extend(_tree_counts(text))
    if not counts:
        return Pages(leaves, False)
    return Pages(max(counts), leaves == max(counts))


def _tree_counts(text: bytes) -> Iterator[int]:
    """Yield the count of each node of the page tree: it is in the dictionary of the node, before or after its type."""
    for found in _TREE.finditer(text):
        count = _within(text, found, b"<<", b">>") or _within(text, found, b"obj", b"endobj")
        if count:
            yield int(count[1])


def _within(text: bytes, found: re.Match[bytes], opening: bytes, closing: bytes) -> re.Match[bytes] | None:
    start = text.rfind(opening, max(0, found.start() - _DICTIONARY), found.start())
    end = text.find(closing, found.end(), found.end() + _KIDS)
    return _COUNT.search(text, start, end) if start >= 0 and end >= 0 else None


def _object_streams(data: bytes) -> Iterator[bytes]:
    left = _MOST
    for found in _OBJECTS.finditer(data):
        start = data.find(b"stream", found.end(), found.end() + _DICTIONARY)
        end = data.find(b"endstream", found.end())
        if end < 0:
            return
        if start < 0 or start >= end:
            continue
        start += len(b"stream")
        start += 2 if data[start : start + 2] == b"\r\n" else 1
        text = _unpacked(data[start:end], left)
        left -= len(text)
        yield text
        if left <= 0:
            return


def _unpacked(packed: bytes, most: int) -> bytes:
    """Unpack a stream, at most that many bytes of it; what does not unpack is none."""
    try:
        return zlib.decompressobj().decompress(packed, most)
    except zlib.error:
        return b""
