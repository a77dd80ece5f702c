"""The history that Kimi Code replays: records in the order of the file, the events of a step put together.

A step takes results until it ends or the next one begins; one that comes later is lost, and so is one whose call the
client has not seen. Messages that come while a call is open are sent after its results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from condense_cli.document.format import unknown_leaf
from condense_cli.document.records import Records
from condense_cli.document.views import View
from condense_cli.formats.kimi_code.reading import Compacted, Event
from condense_cli.model.messages import Call, Message, Record, Role


@dataclass(slots=True, eq=False)
class Step(Message):
    """One answer of the model. members: its records after the first one."""

    members: tuple[Record, ...] = ()


def views(document: Records, leaf: str | None) -> Iterator[View]:
    """Yield the one thread. Raises UsageError for a leaf that is not there."""
    records = list(document.readable())
    if leaf is not None:
        end = next((n for n, record in enumerate(records) if record.id == leaf), None)
        if end is None:
            raise unknown_leaf(document, leaf, "record", "records")
        records = records[: end + 1]
    yield View(records, replayed(records), leaf=records[-1] if records else None)


def replayed(records: Sequence[Record], *, whole: bool = False) -> list[Message]:
    """Return the messages that come of records; whole: those too that were compacted, cleared or taken back."""
    replay = _Replay(whole=whole)
    for record in records:
        replay.take(record)
    return replay.done()


class _Replay:
    """The messages so far, the parts of the open step, and its calls that wait for a result."""

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole
        self.messages: list[Message] = []
        self._parts: list[Message] = []
        self._step: str | None = None
        self._at = 0  # the place of the open step among the messages
        self._waiting: set[str | None] = set()
        self._deferred: list[Message] = []
        self._late: set[str] = set()  # ids of calls that the client has answered itself

    def take(self, record: Record) -> None:
        """Replay one record."""
        message, extra = record.message, record.extra
        if isinstance(extra, Event):
            self._event(record, extra)
        elif isinstance(extra, Compacted) and message is not None:
            self._finish()
            self.messages = [*self.messages, message] if self._whole else _compacted(self.messages, extra, message)
        elif record.kind == "context.clear":
            self._finish()
            self.messages = self.messages if self._whole else []
        elif record.kind == "context.undo":
            self._finish()
            self.messages = self.messages if self._whole else self.messages[: _undone(self.messages, extra)]
        elif message is not None:
            (self._deferred if self._waiting else self.messages).append(message)

    def done(self) -> list[Message]:
        """Return the messages of the thread."""
        self._seal()
        return [*self.messages, *self._deferred]

    def _event(self, record: Record, event: Event) -> None:
        message = record.message
        if event.kind == "step.begin":
            self._finish()
            self._step, self._at = event.step, len(self.messages)
        elif event.kind == "step.end":
            if event.ends and self._step is not None:
                self._finish()
        elif message is None:
            return
        elif message.results:
            self._result(message)
        elif self._step is not None and event.step == self._step:
            self._parts.append(message)
            self._waiting.update(call.id for call in message.calls)

    def _result(self, message: Message) -> None:
        ident = message.results[0].id
        if ident in self._waiting:
            self._waiting.discard(ident)
            self.messages.append(message)
            if not self._waiting:
                self.messages += self._deferred
                self._deferred = []
        elif self._step is not None and not self._late and not any(ident == call.id for call in self._calls()):
            self.messages.insert(self._at, message)  # before its call, if that comes
            self._at += 1
        else:
            if ident in self._late:
                # The client has ended the step, and answered the call itself.
                self.messages.append(Message(message.record, Role.CUSTOM))
                self._late.discard(ident)
            self.messages.append(message)

    def _calls(self) -> Iterator[Call]:
        return (call for part in self._parts for call in part.calls)

    def _finish(self) -> None:
        """End the open step: calls that wait are answered by the client."""
        if self._step is None:
            return
        self._late = {ident for ident in self._waiting if ident is not None}
        self._seal()
        self._waiting.clear()
        self.messages += self._deferred
        self._deferred = []
        self._step = None

    def _seal(self) -> None:
        parts, self._parts = self._parts, []
        said = any(part.said for part in parts)
        if not parts or not (said or any(part.calls for part in parts)):
            return  # the client drops a step that says nothing
        first = parts[0].record
        calls = tuple(call for part in parts for call in part.calls)
        flaws = tuple(flaw._replace(record=part.record) for part in parts for flaw in part.flaws)
        media = tuple(medium for part in parts for medium in part.media)
        members = tuple(part.record for part in parts[1:])
        step = Step(first, Role.ASSISTANT, calls, (), said, False, flaws, False, media, members)
        self.messages.insert(self._at, step)


def _compacted(messages: list[Message], kept: Compacted, summary: Message) -> list[Message]:
    """Return what is sent after a compaction: the user's last messages before its summary, or the tail after it."""
    if kept.users is None:
        return [summary, *messages[kept.gone :]]
    users = [message for message in messages if message.role is Role.USER]
    return [*users[len(users) - kept.users if kept.users < len(users) else 0 :], summary] if kept.users else [summary]


def _undone(messages: list[Message], count: int) -> int:
    """Return how many messages are left when so many of the user's last turns are taken back."""
    for place in range(len(messages) - 1, -1, -1):
        if count <= 0:
            return place + 1
        count -= messages[place].role is Role.USER
        if count == 0:
            return place
    return 0 if count else len(messages)
