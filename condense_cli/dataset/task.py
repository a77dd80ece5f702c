"""One part of a data set, read, judged and, when asked, repaired: the function that every worker runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from condense_cli.dataset.conversation import Conversation, conversation_of
from condense_cli.dataset.flaw import Flaw
from condense_cli.dataset.judge import judge, repaired, turns_of
from condense_cli.jsonbytes import jsonspan
from condense_cli.rules.schemas import Declared
from condense_cli.storage.rows import Kind, Part, Row, rows_of

_IDS = ("id", "instance_id", "task_id", "session_id", "trajectory_id", "conversation_id", "uuid")


class Work(NamedTuple):
    """What is done with every row. drop leaves out rows that stay broken; fix repairs what it can."""

    column: str | None = None
    findings: bool = False
    fix: bool = False
    drop: bool = False


class Found(NamedTuple):
    """A finding of a row. row counts from 0 in its part until the parts are put together."""

    row: int
    id: str | None
    flaw: Flaw


class Outcome(NamedTuple):
    """What became of one part: counts, findings when asked, and the rows to write when there is something to write."""

    rows: int
    broken: int
    unreadable: int
    rules: dict[str, int]
    found: tuple[Found, ...]
    written: tuple[Any, ...]


def run(part: Part, work: Work) -> Outcome:
    """Judge the rows of a part. Values only, so that the outcome can be sent to another process."""
    rules: Counter[str] = Counter()
    found: list[Found] = []
    written: list[Any] = []
    declared = Declared()
    rows = broken = unreadable = 0
    for row in _rows(part):
        rows += 1
        conversation = conversation_of(row.value, work.column)
        if conversation is None:
            unreadable += 1
            if work.fix and not work.drop:
                written.append(row.raw or row.value)
            continue
        flaws = judge(conversation, declared)
        if flaws:
            broken += 1
            rules.update(flaw.rule for flaw in flaws)
            if work.findings:
                ident = _id_of(row.value)
                found += (Found(row.number, ident, flaw) for flaw in flaws)
        if work.fix:
            written += _kept(row, conversation, flaws, drop=work.drop)
    return Outcome(rows, broken, unreadable, dict(rules), tuple(found), tuple(written))


def _rows(part: Part) -> Iterator[Row]:
    """Yield the rows of a part; a document that is a list of rows is taken apart, one that is a conversation is one
    row.
    """
    for row in rows_of(part):
        if part.kind is not Kind.DOCUMENT or not isinstance(row.value, list) or conversation_of(row.value) is not None:
            yield row
            continue
        spans = jsonspan.elements(row.raw, jsonspan.space_end(row.raw, 0))
        for number, ((start, end), value) in enumerate(zip(spans, row.value, strict=True)):
            yield Row(number, row.raw[start:end], value)


def _id_of(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    return next((str(value[name]) for name in _IDS if isinstance(value.get(name), str | int)), None)


def _kept(row: Row, conversation: Conversation, flaws: tuple[Flaw, ...], *, drop: bool) -> list[Any]:
    """Return the row as it is written: as it was, repaired, or not at all."""
    if not flaws:
        return [row.raw or row.value]
    if drop:
        return []
    new = repaired(conversation, _array_bytes(row, conversation))
    if new is None:
        return [row.raw or row.value]
    return [_spliced(row, conversation, new)]


def _array_bytes(row: Row, conversation: Conversation) -> bytes | None:
    """Return the bytes of the array of turns inside the row, or None where they are a string or the row has no
    bytes.
    """
    if not row.raw or conversation.text:
        return None
    if not conversation.column:
        return row.raw.strip()
    place = jsonspan.span(row.raw, (conversation.column,))
    return row.raw[place[0] : place[1]] if place else None


def _spliced(row: Row, conversation: Conversation, new: bytes) -> Any:
    """Put a repaired array in the place of the old one: in the bytes of the row, or in its value."""
    if not row.raw:
        value: Any = new.decode() if conversation.text else turns_of(new)
        return {**row.value, conversation.column: value}
    if not conversation.column:
        end = len(row.raw) - len(row.raw.lstrip())
        return row.raw[:end] + new + row.raw[len(row.raw.rstrip()) :]
    place = jsonspan.span(row.raw, (conversation.column,))
    assert place is not None
    inner = orjson.dumps(new.decode()) if conversation.text else new
    return row.raw[: place[0]] + inner + row.raw[place[1] :]
