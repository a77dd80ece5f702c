"""Why a file that was found below a folder is no session: damaged, packed, or something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.errors import CondenseError
from condense_cli.jsonbytes.jsonread import parse
from condense_cli.storage.source import open_source

if TYPE_CHECKING:
    from condense_cli.storage.source import Source

REASONS = ("torn", "nul", "empty", "packed", "unreadable", "foreign")
"""torn: JSON that breaks off or is damaged. nul: nothing but NUL bytes, or it begins with them. empty: no character
that is not blank. packed: an archive, a compressed file or a database. unreadable: it cannot be opened. foreign:
whatever else is no session."""

_PACKED = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"BZh",
    b"\xfd7zXZ\0",
    b"7z\xbc\xaf\x27\x1c",
    b"SQLite format 3\0",
)
_HEAD = 1 << 16
_MOST = 16 << 20
_TAR = (257, b"ustar")


def reason_of(path: str) -> str:
    """Return why a file is no session: one of REASONS. Reads at most 16 MiB."""
    try:
        # A pipe or a device is not opened: reading it could wait for ever.
        with open_source(path) as source:
            return _reason(source)
    except (CondenseError, OSError):
        return "unreadable"


def _reason(source: Source) -> str:
    head = source.read(0, min(source.size, _HEAD))
    at, mark = _TAR
    if head.startswith(_PACKED) or head[at : at + len(mark)] == mark:
        return "packed"
    if head.startswith(b"\0"):
        return "nul"
    text = head.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n")
    if not text and source.size <= _HEAD:
        return "empty"
    return "torn" if text[:1] in (b"{", b"[") and not _is_sound(source) else "foreign"


def _is_sound(source: Source) -> bool:
    """Say whether the file is one JSON value, or each line is one.

    The end of a file that is too large is not looked at.
    """
    data = source.read(0, min(source.size, _MOST)).removeprefix(b"\xef\xbb\xbf")
    lines = [line for line in data.split(b"\n") if line.strip()]
    if parse(lines[0]) is not None:
        return all(parse(line) is not None for line in (lines if source.size <= _MOST else lines[:-1]))
    return source.size > _MOST or parse(data) is not None
