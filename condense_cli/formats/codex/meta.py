"""What the header of a rollout says, and what follows from it for the whole file."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from condense_cli.document.records import Records


IN_NAME = re.compile(r"rollout-[0-9T-]{19}-([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(_[^.]*)?\.jsonl")


class Meta(NamedTuple):
    """What a session_meta says. mode: legacy or paginated; continues: the history begins in another file."""

    id: str
    mode: str
    version: str | None
    provider: str
    continues: bool = False
    bare: bool = False
    ordinal: int | None = None


def meta(document: Records) -> Meta | None:
    """Return what the first session_meta says."""
    return next((r.extra for r in document.readable() if type(r.extra) is Meta), None)


def ordinal_of(record: Record) -> int | None:
    """Return the number that a record of a paginated file has."""
    extra = record.extra
    if extra is None or type(extra) is int:
        return extra
    found: int | None = extra.ordinal
    return found


def is_fixed(document: Records) -> bool:
    """Say whether lines must keep place and length: in paginated mode, or where numbers are all that is left of it."""
    if document.records and type(document.records[0].extra) is Meta:  # the usual case
        return bool(document.records[0].extra.mode == "paginated")
    found = meta(document)
    if found is not None:
        return found.mode == "paginated"
    return any(ordinal_of(r) is not None for r in document.readable())


def continues(document: Records) -> bool:
    """Say whether the file is a later segment: the history before it is in another file."""
    found = meta(document)
    name = IN_NAME.fullmatch(os.path.basename(document.path))
    return (
        (found is not None and found.continues)
        or bool(name and name[2])
        or any(r.kind == "rollout_reference" for r in document.records[:20])
    )


def version(document: Records) -> str | None:
    """Return the version of the client that began the session."""
    # A header that was made here knows no version.
    return next((r.extra.version for r in document.readable() if type(r.extra) is Meta and r.end), None)


def notice(document: Records) -> str:
    """Say of a later segment that there is more of the session elsewhere."""
    return "this file continues another one: what came before it is not looked at" if continues(document) else ""
