"""Messages with the lines that they are on, and what is to be said at a line: findings, and errors that a client
stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.model.findings import Severity
from condense_cli.output.contract_table import STYLES
from condense_cli.output.grouping import places_of, worst
from condense_cli.output.sentence import facts, sentence, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.document import Document
    from condense_cli.model.findings import Finding
    from condense_cli.output.lines import Span

_LONGEST_ERROR = 400
_IN_MESSAGE = b'"errorMessage"'  # where the message itself holds the error, a transcript shows it


class Placed(NamedTuple):
    """A message as a JSON value, and the line (from 1) of its record; 0 where none is known."""

    line: int
    message: Any


class Note(NamedTuple):
    """What is said at a line (from 1)."""

    line: int
    spans: tuple[Span, ...]


def notes(document: Document, findings: Iterable[Finding]) -> list[Note]:
    """Return what is said of a session at its lines, in their order: stored errors first."""
    found = [*_stored_errors(document), *map(_note, map(worst, places_of(tuple(findings))))]
    return sorted(found, key=lambda note: note.line)


def _note(finding: Finding) -> Note:
    severity = finding.severity or Severity.INFO
    more = f" ({known})" if (known := facts(finding)) else ""
    text = f" {finding.rule} at line {finding.line}: {sentence(finding.rule, finding.detail)}{more}"
    return Note(finding.line, (("! ", STYLES[severity]), (severity.value, STYLES[severity]), (text, "")))


def _stored_errors(document: Document) -> Iterator[Note]:
    mark = document.format.stored_error_mark
    if not mark or mark == _IN_MESSAGE:
        return
    for record in document.readable():
        if mark in document.raw(record) and (text := document.format.stored_error(document.value(record))):
            said = f"the client stored this error at line {record.line}: {shortened(text, _LONGEST_ERROR)}"
            yield Note(record.line, (("! ", "bold red"), (said, "bold red")))
