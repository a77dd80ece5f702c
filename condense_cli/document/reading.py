"""Reading one record's bytes: strictly, else as leniently as the clients do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.records import BLANK, UNKNOWN, UNREADABLE
from condense_cli.jsonbytes import jsonread
from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from condense_cli.document.format import Format

    Read = Callable[[Record, dict[str, Any]], None]


def read_leniently(record: Record, raw: bytes, read: Read) -> None:
    """Read a line that is no strict JSON as far as a client could; the line rules say what is wrong with it."""
    record.damaged = True
    parsed = jsonread.parse(raw)
    if parsed is not None and isinstance(parsed.value, dict):
        read(record, parsed.value)
    else:
        record.kind = UNREADABLE if raw.strip(b"\0 \t\r\n") else BLANK


def is_whole(parsed: jsonread.Parsed | None, fmt: Format) -> bool:
    """Say whether what was found inside a damaged line is a record, and a message in it is understood: one that is not
    would keep the whole file from being repaired.
    """
    if parsed is None or not isinstance(parsed.value, dict) or not fmt.is_record(parsed.value):
        return False
    record = Record(1, 0, 0)
    fmt.read(record, parsed.value)
    return record.kind is not UNKNOWN


def made_of(data: bytes, like: Record, fmt: Format, *, origin: bool = True) -> Record:
    """Return a record with new bytes and its facts; origin: it is a later version of `like`, not a record of its
    own.
    """
    record = Record(like.line, like.start, like.end, data, like.as_read if origin else None)
    parsed = jsonread.parse(data)
    if parsed is not None and isinstance(parsed.value, dict) and not parsed.fault:
        fmt.read(record, parsed.value)
    else:
        read_leniently(record, data, fmt.read)
    return record
