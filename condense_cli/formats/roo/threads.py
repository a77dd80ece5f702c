"""What Roo Code sends of a task: from the last summary on, without what compactions and truncations left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from condense_cli.document.records import Records
from condense_cli.document.views import View
from condense_cli.errors import UsageError
from condense_cli.formats.anthropic.threads import joined
from condense_cli.formats.cline.reading import Facts
from condense_cli.formats.cline.threads import model_in_use, without_answered
from condense_cli.formats.messages import groups
from condense_cli.model.messages import Message, Record

_SECOND = re.compile(rb'"version"\s*:\s*2\b')


def views(document: Records, leaf: str | None) -> Iterator[View]:
    """Yield the thread, assistant neighbours joined; raise UsageError for a leaf: there is one thread."""
    if leaf is not None:
        raise UsageError(f"{document.path}: this session has one thread, and no end that is {leaf}", "leave out --leaf")
    for group in groups(document):
        sent = _sent(group)
        messages = [record.message for record in sent if record.message is not None]
        if len(sent) < len(group):
            messages = list(_without_lost_results(messages))
        yield View(group, list(joined(without_answered(messages))), model_in_use(group), group[-1] if group else None)


def second_version(document: Records) -> bool:
    """Say whether the file is a document of the second version."""
    return document.derived(_is_second)


def _is_second(document: Records) -> bool:
    at = min((body.start for body in document.bodies), default=0)
    return _SECOND.search(document.source.read(0, at)) is not None


def _sent(records: Sequence[Record]) -> Sequence[Record]:
    """Return the records from the last summary on, without those that a compaction in the file left out."""
    last = max((n for n, record in enumerate(records) if _facts(record).summary), default=0)
    marks = {mark for record in records for mark in _facts(record).marks}
    return [record for record in records[last:] if marks.isdisjoint(_facts(record).hidden_by)]


def _facts(record: Record) -> Facts:
    return record.extra if isinstance(record.extra, Facts) else Facts()


def _without_lost_results(messages: Sequence[Message]) -> Iterator[Message]:
    """Leave out results whose call was left out: the client does so, too."""
    asked: set[str | None] = set()
    for message in messages:
        asked.update(call.id for call in message.calls)
        kept = tuple(result for result in message.results if result.id in asked)
        yield message if len(kept) == len(message.results) else replace(message, results=kept)
