"""Rows of a data set: files are cut into parts of some megabytes, and the rows of a part are read one after the other.

JSONL is cut at newlines, Parquet at row groups (extra `data`: pyarrow); a JSON document is one part. Paths may be globs
and whatever pyarrow's file systems open (`s3://…`, `gs://…`, `hdfs://…`).
"""

from __future__ import annotations

import glob
import importlib.util
import os
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import PurePath
from typing import Any, BinaryIO, NamedTuple

import orjson

from condense_cli.errors import UnreadableError, UsageError

PART = 32 << 20  # bytes
_BATCH = 256  # rows of Parquet in memory at once
_PARQUET = frozenset({".parquet", ".pq"})
_ENDINGS = frozenset({".jsonl", ".ndjson", ".json", *_PARQUET})


class Kind(StrEnum):
    """How the rows of a file are kept."""

    LINES = "lines"
    DOCUMENT = "document"
    PARQUET = "parquet"


class Part(NamedTuple):
    """A piece of one file: bytes start to end of lines or of a document, row groups start to end of Parquet."""

    path: str
    kind: Kind
    start: int
    end: int
    last: bool  # the last part of its file


class Row(NamedTuple):
    """One row of a part, numbered from 0 in it. raw are the bytes of its line or element, b"" where there are none."""

    number: int
    raw: bytes
    value: Any
    problem: str = ""


def files_of(paths: Sequence[str]) -> list[str]:
    """Return the files that paths, folders and globs name, sorted within each; raise UnreadableError where one names
    nothing.
    """
    found: dict[str, None] = {}
    for path in paths:
        if "://" in path:
            found[path] = None
            continue
        if os.path.isdir(path):
            named = sorted(p for p in glob.iglob(os.path.join(glob.escape(path), "**"), recursive=True) if _is_data(p))
        else:
            named = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
        if not named:
            raise UnreadableError(f"{path}: no file of rows", "name JSONL, JSON or Parquet files, a folder or a glob")
        found.update(dict.fromkeys(named))
    return list(found)


def _is_data(path: str) -> bool:
    return os.path.isfile(path) and PurePath(path).suffix.lower() in _ENDINGS


def kind_of(path: str) -> Kind:
    """Return how a file keeps its rows, by its ending and, for JSON, by its first bytes."""
    suffix = PurePath(path).suffix.lower()
    if suffix in _PARQUET:
        return Kind.PARQUET
    if suffix in (".jsonl", ".ndjson"):
        return Kind.LINES
    with open_bytes(path) as handle:
        first = handle.readline(PART)
        more = handle.read(1)
    try:
        orjson.loads(first)
    except ValueError:
        return Kind.DOCUMENT
    return Kind.LINES if more and first.lstrip()[:1] == b"{" else Kind.DOCUMENT


def parts_of(path: str, size: int = PART) -> list[Part]:
    """Cut one file into parts of about `size` bytes. Raises UnreadableError where it cannot be opened."""
    kind = kind_of(path)
    if kind is Kind.PARQUET:
        groups = _parquet(path).num_row_groups
        return [Part(path, kind, n, n + 1, n + 1 == groups) for n in range(groups)]
    with open_bytes(path) as handle:
        end = handle.seek(0, os.SEEK_END)
    if kind is Kind.DOCUMENT:
        return [Part(path, kind, 0, end, last=True)]
    starts = range(0, max(end, 1), size)
    return [Part(path, kind, start, min(start + size, end), start + size >= end) for start in starts]


def rows_of(part: Part) -> Iterator[Row]:
    """Yield the rows of a part. A row that is no JSON has a problem and no value."""
    if part.kind is Kind.LINES:
        for number, line in enumerate(lines_of(part)):
            yield _row(number, line)
    elif part.kind is Kind.DOCUMENT:
        with open_bytes(part.path) as handle:
            raw = handle.read()
        yield _row(0, raw)
    else:
        number = 0
        for batch in _parquet(part.path).iter_batches(_BATCH, row_groups=[part.start]):
            for value in batch.to_pylist():
                yield Row(number, b"", value)
                number += 1


def _row(number: int, raw: bytes) -> Row:
    try:
        return Row(number, raw, orjson.loads(raw))
    except ValueError:
        return Row(number, raw, None, "not JSON")


def lines_of(part: Part) -> Iterator[bytes]:
    """Yield the lines that begin in the part, with their endings; blank ones are left out."""
    with open_bytes(part.path) as handle:
        at = part.start
        if at:
            handle.seek(at - 1)
            at += len(handle.readline()) - 1
        while at < part.end:
            line = handle.readline()
            if not line:
                return
            at += len(line)
            if not line.isspace():
                yield line


def open_bytes(path: str) -> BinaryIO:
    """Open a local path, or a location that pyarrow's file systems know. Raises UnreadableError."""
    try:
        if "://" not in path:
            return open(path, "rb")
        fs, _ = _pyarrow_fs(path)
        name = path.split("://", 1)[1]
        opened: BinaryIO = fs.open_input_file(name)
    except OSError as problem:
        raise UnreadableError(
            f"{path}: {problem.strerror or 'cannot be opened'}", "check the path and its permissions"
        ) from problem
    return opened


def _pyarrow_fs(path: str) -> tuple[Any, str]:
    need_pyarrow()
    from pyarrow import fs

    found: tuple[Any, str] = fs.FileSystem.from_uri(path)
    return found


def _parquet(path: str) -> Any:
    need_pyarrow()
    from pyarrow import ArrowException, parquet

    try:
        return parquet.ParquetFile(path) if "://" not in path else parquet.ParquetFile(open_bytes(path))
    except (OSError, ArrowException) as problem:
        raise UnreadableError(
            f"{path}: not a Parquet file that can be read", "check that the file is whole"
        ) from problem


def need_pyarrow() -> None:
    """Raise UsageError with the way to install it where pyarrow is not there."""
    if importlib.util.find_spec("pyarrow") is None:
        raise UsageError("Parquet and remote paths need the extra `data`", "pip install 'condense-cli[data]'")
