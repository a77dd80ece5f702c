"""The history that Copilot CLI replays: the main agent's events in the order of the file, from the newest compaction
on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from condense_cli.document.format import unknown_leaf
from condense_cli.document.records import Records
from condense_cli.document.views import View
from condense_cli.formats.copilot.reading import START, Facts
from condense_cli.model.messages import Message, Record, Role


@dataclass(slots=True, eq=False)
class Chunked(Message):
    """One response that was written as several events. members: those after the first one."""

    members: tuple[Record, ...] = ()


def views(document: Records, leaf: str | None, every: bool) -> Iterator[View]:
    """Yield the main thread, and with `every` each sub-agent's. Raises UsageError for a leaf that is not there."""
    records = list(document.readable())
    if leaf is not None:
        end = next((n for n, record in enumerate(records) if record.id == leaf), None)
        if end is None:
            raise unknown_leaf(document, leaf, "event", "events")
        records = records[: end + 1]
    yield _view([record for record in records if _agent(record) == ""])
    if every:
        for agent in dict.fromkeys(_agent(record) for record in records):
            if agent:
                yield _view([record for record in records if _agent(record) == agent])


def agents(document: Records) -> int:
    """Return how many agents have events in the file."""
    return len({_agent(record) for record in document.readable() if record.message is not None}) or 1


def _agent(record: Record) -> str:
    return record.extra.agent if isinstance(record.extra, Facts) else ""


def _view(path: list[Record]) -> View:
    done = max((n for n, r in enumerate(path) if isinstance(r.extra, Facts) and r.extra.compacts), default=None)
    kept = path
    if done is not None:
        start = max((n for n in range(done) if path[n].kind == START), default=done)
        kept = [path[done], *path[start:done], *path[done + 1 :]]
    return View(path, list(_joined(kept)), leaf=path[-1] if path else None)


def _joined(records: Iterable[Record]) -> Iterator[Message]:
    """Yield the messages; neighbouring pieces of one response are one message."""
    before: Message | None = None
    for record in records:
        message = record.message
        if message is None:
            continue
        if before is not None and _is_piece(before, message):
            before = _join(before, message)
            continue
        if before is not None:
            yield before
        before = message
    if before is not None:
        yield before


def _is_piece(before: Message, message: Message) -> bool:
    mine, its = before.record.extra, message.record.extra
    return (
        message.role is Role.ASSISTANT
        and isinstance(mine, Facts)
        and isinstance(its, Facts)
        and mine.response == its.response != ""
    )


def _join(first: Message, second: Message) -> Chunked:
    members = (*(first.members if isinstance(first, Chunked) else ()), second.record)
    flaws = (*first.flaws, *(flaw._replace(record=second.record) for flaw in second.flaws))
    calls = (*first.calls, *second.calls)
    return Chunked(first.record, first.role, calls, (), first.said or second.said, flaws=flaws, members=members)
