"""The error that a client stored last: what the provider answered, as the client wrote it into the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from condense_cli.document.document import Document


class StoredError(NamedTuple):
    """An error text, the line it is on, and how many messages come after it in the file."""

    text: str
    line: int
    messages_after: int


def last_error(document: Document) -> StoredError | None:
    """Return the last error that is stored in a file, or None. Only records that may hold one are parsed."""
    form = document.format
    if not form.stored_error_mark:
        return None
    after = 0
    for record in reversed(list(document.readable())):
        if form.stored_error_mark in document.raw(record):
            text = form.stored_error(document.value(record))
            if text:
                return StoredError(text, record.line, after)
        after += record.message is not None
    return None
