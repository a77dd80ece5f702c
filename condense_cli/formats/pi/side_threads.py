"""The threads of a pi session as a check looks at them: of a side thread only its own end, and a little of what it
shares.

A session may have as many threads as messages, and each may be as long as the session: whole, they would be looked at
in quadratic time. What a side thread shares with one before it was looked at there; what is its own can only be wrong
together with what is next to it, or with what has the same id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.formats.pi import threads
from condense_cli.model.messages import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.records import Records
    from condense_cli.document.views import View
    from condense_cli.model.messages import Message, Record

# Kinds of entry that change nothing about the entries before them.
_PLAIN = frozenset({"session", "message", "model_change", "thinking_level_change", "label", "session_info"})
_LARGE = 16 << 20  # bytes: a request that is smaller is taken everywhere
_MOST_OPEN = 50  # ids that wait for another half and are remembered
_MOST_ALIKE = 50  # messages with one call id, beyond which a thread is looked at whole
_MOST_SHARED = 500  # entries of a trunk that are looked at once more


class _State(NamedTuple):
    """What a path holds down to an entry: halves whose other half may still come (None: many), the model of the last
    message, and the message that begins it.
    """

    waiting: frozenset[str] | None = frozenset()
    model_in_use: ModelInUse = ModelInUse()
    first: Record | None = None


def looked_at(document: Records) -> Iterator[View]:
    """Yield the active thread, and of each other one what is enough to find all that no thread before it shows."""
    every = threads.views(document, None, every=True)
    active = next(every)
    yield active
    if threads.is_linear(document) or not _is_plain(document):
        yield from every
        return
    side = _Sides(document, active.model_in_use)
    side.follow(active.path)
    last = active.path[-1] if active.path else None
    for leaf in threads.leaves(document):
        if leaf is not last:
            yield side.end_of(leaf)


def _is_plain(document: Records) -> bool:
    """Say whether no entry or message of the file has a say in what is read of others."""
    if document.source.size > _LARGE or any(record.kind not in _PLAIN for record in document.readable()):
        return False
    models_in_use = [record for record in document.records if isinstance(record.extra, ModelInUse)]
    models = {(record.extra.provider, record.extra.model) for record in models_in_use}
    apis = {record.extra.api for record in models_in_use if record.kind == "message"}
    messages = [record.message for record in document.records if record.message is not None]
    return max(len(models), len(apis)) <= 1 and not any(
        m.media or (m.skipped and m.halves) or any(half.id is None for half in m.halves) for m in messages
    )


class _Sides:
    """The side threads of one document, and which of its entries were looked at."""

    def __init__(self, document: Records, model_in_use: ModelInUse) -> None:
        self._document = document
        self._writer = model_in_use
        self._owners = document.derived(threads.owners_of)
        self._below = _below(document, self._owners)
        self._having: dict[str, list[Record]] = {}  # the messages that each call id is in
        for record in document.records:
            for ident in _ids(record):
                self._having.setdefault(ident, []).append(record)
        messages = (record.message for record in document.records if record.message is not None)
        self._asked = frozenset(half.id for message in messages for half in message.calls if half.id is not None)
        self._states: dict[Record, _State] = {}

    def follow(self, path: Iterable[Record], state: _State = _State()) -> _State:  # noqa: B008 - a frozen value
        """Note what a path holds down to each of its entries."""
        for record in path:
            state = self._states[record] = self._after(state, record)
        return state

    def _after(self, state: _State, record: Record) -> _State:
        message = record.message
        model_in_use, first, waiting = state.model_in_use, state.first, state.waiting
        if isinstance(record.extra, ModelInUse) and (record.kind == "message" or not model_in_use.api):
            model_in_use = record.extra
        if message is None:
            return state if model_in_use is state.model_in_use else state._replace(model_in_use=model_in_use)
        if first is None and not message.skipped and message.role not in (Role.RESULT, Role.SYSTEM):
            first = record
        if message.halves and waiting is not None:
            waiting = _waiting(waiting, message, self._asked)
        return _State(waiting, model_in_use, first)

    def end_of(self, leaf: Record) -> View:
        """Return the end of a thread, from where nothing before it matters; all of it where there is no such place."""
        own = self._own(leaf)
        shared = self._parent(own[0])
        before = self._states[shared] if shared is not None else _State()
        end = self.follow(own, before)
        beginning = self._beginning(shared) if shared is not None else ()
        path = [*beginning, *own]
        if (shared is not None and not beginning) or end.model_in_use != self._writer or self._goes_back(path):
            return threads.view(self._document, threads.path_to(leaf, self._owners))
        if beginning and not _says(beginning[0], Role.USER) and end.first is not None:
            path.insert(0, end.first)  # the user begins
        return threads.view(self._document, path)._replace(model_in_use=end.model_in_use)

    def _goes_back(self, path: list[Record]) -> bool:
        """Say whether a call id of the path may be in a message above it."""
        mine, first = frozenset(path), self._below.get(path[0])
        for ident in {ident for record in path for ident in _ids(record)}:
            having = self._having[ident]
            if first is None or len(having) > _MOST_ALIKE:
                return True
            for other in having:
                below = self._below.get(other)
                if other not in mine and (below is None or first.start in below):
                    return True
        return False

    def _parent(self, record: Record) -> Record | None:
        return self._owners.get(record.parent) if record.parent else None

    def _own(self, leaf: Record) -> list[Record]:
        """Return the entries down to a leaf that were not looked at yet; where parents go round, it ends."""
        found: dict[Record, None] = {}
        at: Record | None = leaf
        while at is not None and at not in found and at not in self._states:
            found[at] = None
            at = self._parent(at)
        return list(reversed(found))

    def _beginning(self, last: Record) -> list[Record]:
        """Return what is shared, from the last message on above which no call waits for a result, or []."""
        found: list[Record] = []
        at: Record | None = last
        while at is not None and len(found) < _MOST_SHARED:
            found.append(at)
            at = self._parent(at)
            if self._may_begin(found[-1]) and (at is None or not self._waits(at)):
                return found[::-1]
        return []

    def _may_begin(self, record: Record) -> bool:
        """Say whether a message can stand after nothing, or after the user's message that begins the thread."""
        first = self._states[record].first
        return _says(record, Role.USER) or (
            _says(record, Role.ASSISTANT) and first is not None and _says(first, Role.USER)
        )

    def _waits(self, record: Record) -> bool:
        waiting = self._states[record].waiting
        return waiting is None or bool(waiting)


def _waiting(before: frozenset[str], message: Message, asked: frozenset[str]) -> frozenset[str] | None:
    """Return the ids that wait for another half. A result that no call above waits for waits for its call for good."""
    answered = {half.id for half in message.results if half.id is not None}
    early = {f"result of {ident}" for ident in answered - before if ident in asked}
    now = (before - answered) | early | {half.id for half in message.calls if half.id is not None}
    return now if len(now) <= _MOST_OPEN else None


def _ids(record: Record) -> list[str]:
    return [half.id for half in record.message.halves if half.id is not None] if record.message is not None else []


def _below(document: Records, owners: dict[str, Record]) -> dict[Record, range]:
    """Number the entries so that those below one have the numbers of a range; what no root leads to has none."""
    children: dict[Record | None, list[Record]] = {}
    for record in document.readable():
        parent = owners.get(record.parent) if record.parent else None
        children.setdefault(parent, []).append(record)
    found: dict[Record, range] = {}
    starts: dict[Record, int] = {}
    todo = children.get(None, [])[::-1]
    while todo:
        record = todo[-1]
        if record in starts:
            found[todo.pop()] = range(starts[record], len(starts))
        else:
            starts[record] = len(starts)
            todo += children.get(record, ())
    return found


def _says(record: Record, role: Role) -> bool:
    return record.message is not None and record.message.role is role and not record.message.skipped
