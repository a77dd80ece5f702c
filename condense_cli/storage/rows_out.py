"""Writing rows of a data set: parts first, then whole files in the layout of the input."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from condense_cli.storage.rows import Kind, Part, need_pyarrow, open_bytes

_END = b"\0\n"  # ends an element of a document while it is a part: no JSON text holds a NUL


def write_part(path: str, part: Part, rows: Sequence[Any]) -> None:
    """Write the rows of one part beside its place, then into it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    _WRITE[part.kind](temporary, part, rows)
    os.replace(temporary, path)


def join_parts(target: str, parts: Sequence[Part], rows: Sequence[str]) -> None:
    """Write one file from its parts (rows: their paths, in order), beside its place first, then into it."""
    temporary = f"{target}.{os.getpid()}.tmp"
    try:
        _JOIN[parts[0].kind](temporary, parts, rows)
        os.replace(temporary, target)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


# ---------------------------------------------------------------------- lines
def _write_lines(path: str, _: Part, rows: Sequence[Any]) -> None:
    with open(path, "wb") as out:
        out.writelines(rows)


def _join_lines(path: str, _: Sequence[Part], rows: Sequence[str]) -> None:
    with open(path, "wb") as out:
        for name in rows:
            with open(name, "rb") as part:
                shutil.copyfileobj(part, out, 1 << 20)


# ---------------------------------------------------------------------- one JSON document
def _write_document(path: str, _: Part, rows: Sequence[Any]) -> None:
    with open(path, "wb") as out:
        out.writelines(row + _END for row in rows)


def _join_document(path: str, parts: Sequence[Part], rows: Sequence[str]) -> None:
    """Write the elements of a list, or the one document, with the white space around the list as it was."""
    with open(rows[0], "rb") as part:
        elements = part.read().split(_END)[:-1]
    with open_bytes(parts[0].path) as old:
        is_list = old.read(64).lstrip()[:1] == b"["
    whole = len(elements) == 1 and elements[0].lstrip()[:1] == (b"[" if is_list else b"{")
    with open(path, "wb") as out:
        out.write(elements[0] if whole else b"[\n" + b",\n".join(elements) + b"\n]\n")


# ---------------------------------------------------------------------- Parquet
def _write_parquet(path: str, part: Part, rows: Sequence[Any]) -> None:
    need_pyarrow()
    import pyarrow as pa  # the extra `data`

    schema = _schema(part.path)
    with pa.OSFile(path, "wb") as out, pa.ipc.new_file(out, schema) as writer:
        writer.write_table(pa.Table.from_pylist(list(rows), schema=schema))


def _join_parquet(path: str, parts: Sequence[Part], rows: Sequence[str]) -> None:
    from pyarrow import parquet  # the extra `data`

    with parquet.ParquetWriter(path, _schema(parts[0].path)) as writer:
        for table in _tables(rows):
            writer.write_table(table)


def _tables(rows: Sequence[str]) -> Iterator[Any]:
    import pyarrow as pa  # the extra `data`

    for name in rows:
        with pa.memory_map(name, "rb") as part:
            yield pa.ipc.open_file(part).read_all()


def _schema(path: str) -> Any:
    from pyarrow import parquet  # the extra `data`

    with open_bytes(path) as handle:
        return parquet.ParquetFile(handle).schema_arrow


_WRITE: dict[Kind, Callable[[str, Part, Sequence[Any]], None]] = {
    Kind.LINES: _write_lines,
    Kind.DOCUMENT: _write_document,
    Kind.PARQUET: _write_parquet,
}
_JOIN: dict[Kind, Callable[[str, Sequence[Part], Sequence[str]], None]] = {
    Kind.LINES: _join_lines,
    Kind.DOCUMENT: _join_document,
    Kind.PARQUET: _join_parquet,
}
