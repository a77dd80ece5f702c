"""The reverse patch of a journal record on disk: spans.json, and the removed bytes, `removed` or compressed
`removed.z`.
"""

from __future__ import annotations

import json
import os
import zlib
from typing import TYPE_CHECKING, Any

from condense_cli.model.plan import Copy, Put, Segment
from condense_cli.storage.journal_record import JournalRecord, read_limited
from condense_cli.storage.writing import write_all

if TYPE_CHECKING:
    from collections.abc import Iterable

COMPRESS_FROM = 1 << 14
"""Bytes from which on removed bytes are compressed."""

_SPANS_LIMIT = 64 << 20


def write_spans(folder: str, segments: Iterable[Segment]) -> None:
    """Write a reverse patch into a folder, each file confirmed by the disk. Raises OSError."""
    removed: list[bytes] = []
    shape: list[list[int]] = []
    for segment in segments:
        if isinstance(segment, Put):
            removed.append(segment.data)
            shape.append([len(segment.data)])
        else:
            shape.append([segment.start, segment.end])
    data = b"".join(removed)
    if len(data) >= COMPRESS_FROM:
        write_private(os.path.join(folder, "removed.z"), zlib.compress(data))
    else:
        write_private(os.path.join(folder, "removed"), data)
    write_private(os.path.join(folder, "spans.json"), json.dumps(shape).encode())


def read_spans(folder: str, record: JournalRecord) -> tuple[Segment, ...]:
    """Read the reverse patch of a record.

    Raises ValueError or OSError for what is none: another shape, spans outside the new file, a total that is not
    the size of the old one, more removed bytes than the spans say.
    """
    shape = _shape(json.loads(read_limited(os.path.join(folder, "spans.json"), _SPANS_LIMIT)), record)
    data = _removed(folder, sum(span[0] for span in shape if len(span) == 1))
    out: list[Segment] = []
    at = 0
    for span in shape:
        if len(span) == 1:
            out.append(Put(data[at : at + span[0]]))
            at += span[0]
        else:
            out.append(Copy(span[0], span[1]))
    return tuple(out)


def write_private(path: str, data: bytes) -> None:
    """Write a file that only its owner may read, confirmed by the disk. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    try:
        write_all(descriptor, [data])
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _shape(value: Any, record: JournalRecord) -> list[list[int]]:
    if not isinstance(value, list) or not all(_is_span(span, record) for span in value):
        raise ValueError("no list of spans")
    if sum(span[0] if len(span) == 1 else span[1] - span[0] for span in value) != record.old_size:
        raise ValueError("the spans are not the old file")
    return value


def _is_span(span: Any, record: JournalRecord) -> bool:
    if not isinstance(span, list) or not all(type(number) is int for number in span):
        return False
    if len(span) == 1:
        return bool(0 <= span[0] <= record.old_size)
    return len(span) == 2 and bool(0 <= span[0] <= span[1] <= record.new_size)


def _removed(folder: str, size: int) -> bytes:
    try:
        data = read_limited(os.path.join(folder, "removed"), size)
    except FileNotFoundError:
        packed = read_limited(os.path.join(folder, "removed.z"), size + (size >> 8) + 1024)
        data = zlib.decompressobj().decompress(packed, size + 1)
    if len(data) != size:
        raise ValueError("the removed bytes are not those of the spans")
    return data
