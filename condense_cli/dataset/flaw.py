"""A finding of a conversation as a value that goes from process to process."""

from __future__ import annotations

from typing import NamedTuple

ERROR = "error"


class Flaw(NamedTuple):
    """A rule that a conversation breaks. index counts its turns from 0."""

    rule: str
    severity: str
    index: int | None  # type: ignore[assignment]
    detail: str = ""
