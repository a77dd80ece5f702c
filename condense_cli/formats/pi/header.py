"""A header for a pi session that has none."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonread
from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from condense_cli.document.records import Records


_IN_NAME = re.compile(r"_([0-9A-Za-z][0-9A-Za-z-]{7,})\.jsonl$")


def header(document: Records) -> dict[str, Any] | None:
    """Build a header: id from the broken line or the file name, else from the content; time from the first entry."""
    return build_header(document, 3, _IN_NAME, most=3)


def build_header(document: Records, newest: int, in_name: re.Pattern[str], *, most: int = 9) -> dict[str, Any] | None:
    """Build a header for entries that have ids; version 1 and 2 files keep their version.

    newest: the version where the line does not say one; most: the highest that the client reads.
    """
    entries = list(document.readable())
    if not any(r.id for r in entries):
        return None
    left = document.raw(document.records[0]).decode("utf-8", "replace")
    old = document.records[0].kind == "unreadable"
    name = in_name.search(os.path.basename(document.path))

    def said(key: str, pattern: str = r'"((?:[^"\\]|\\.)*)"') -> str | None:
        found = re.search(rf'"{key}"\s*:\s*{pattern}', left) if old else None
        read = jsonread.parse(b'"' + found[1].encode() + b'"') if found else None
        return str(read.value) if read is not None else None  # None as well where an escape in it is broken

    first: dict[str, Any] = next(
        (v for v in map(document.value, entries[:50]) if isinstance(v.get("timestamp"), str)), {}
    )
    made: dict[str, Any] = {"type": "session", "version": min(int(said("version", r"(\d)\b") or newest), most)}
    made["id"] = said("id") or (name[1] if name else _derived(document, entries[0]))
    made["timestamp"] = (
        said("timestamp", r'"(\d{4}-\d\d-\d\dT[^"\\]*)"') or first.get("timestamp") or "1970-01-01T00:00:00.000Z"
    )
    made["cwd"] = said("cwd") or _folder(document.path)
    return made


def _derived(document: Records, record: Record) -> str:
    import hashlib

    digest = hashlib.sha256(document.raw(record).strip()).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"


def _folder(path: str) -> str:
    """Read the working folder out of pi's name for the sessions folder (`--home-dev-shop--`), which is lossy."""
    match = re.fullmatch(r"--(.+)--", os.path.basename(os.path.dirname(os.path.abspath(path))))
    return "/" + match[1].replace("-", "/") if match else "/"
