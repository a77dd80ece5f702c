"""What is wrong at a place, and what was found in one file."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from condense_cli.model.messages import Record


class Severity(StrEnum):
    """What a broken rule costs: an error loses history or the request, a warning breaks another reader."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Order severities: info 1, warning 2, error 3."""
        return _RANK[self]


_RANK = {Severity.INFO: 1, Severity.WARNING: 2, Severity.ERROR: 3}


class Finding(NamedTuple):
    """A rule broken at a place. related are physical lines; index counts messages of an array from 0.

    possible says whether the rule's fix can do anything at this place; cause is what the rule's scan hands to its fix.
    """

    rule: str
    line: int
    record: Record
    severity: Severity | None = None
    variant: str = ""
    part: int | None = None
    call_id: str | None = None
    related: tuple[int, ...] = ()
    detail: str = ""
    index: int | None = None  # type: ignore[assignment]  # messages of an array, from 0
    entry: str | None = None
    fixable: bool = False
    contract: str | None = None
    provider_error: str | None = None
    possible: bool = True
    cause: Any = None


class Report(NamedTuple):
    """What a check found in one file: the value that every writer shows."""

    path: str
    format: str
    client_version: str | None
    threads: int
    messages: int
    calls: int
    results: int
    findings: tuple[Finding, ...]
    error: str | None = None
    advice: str = ""
    own_contract: str = ""
    notice: str = ""  # what the format's user should know whatever was found
    exit_code: int = 0  # what an error ends the run with
    passed_over: str = ""  # why a file below a folder was not checked: torn, nul, empty, packed, unreadable, foreign
    unknown_kinds: tuple[
        tuple[str, int], ...
    ] = ()  # kinds of records that the format does not know, the most frequent first
    not_shown: tuple[Finding, ...] = ()  # findings that --max-findings leaves out of the output
