"""The turns of a session in each view, one after the other: each is loaded when it is asked for and kept by nobody."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.records import BLANK, UNREADABLE
from condense_cli.document.views import Block, Turn
from condense_cli.jsonbytes.javascript import stringify

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from condense_cli.document.document import Document
    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.prune.views import Rendering

CLIENT = "client"  # the role of records that are no messages
BROKEN = "record"  # the role of a record that nobody can read, or that is no message and has a finding
_RAW_MOST = 200_000  # bytes of a record that are shown as they are


class ViewedTurn(NamedTuple):
    """A turn as one view has it, of one record: its line (from 1), its first byte, and its number in an array (from
    0).
    """

    role: str
    blocks: tuple[Block, ...]
    line: int = 0
    start: int = -1
    index: int | None = None  # type: ignore[assignment]  # as in Finding
    skipped: bool = False

    def digest(self) -> bytes:
        """Return what is the same for two turns that say the same."""
        state = hashlib.blake2b(self.role.encode(), digest_size=12)
        for block in self.blocks:
            _feed(state, block)
        if not self.blocks:
            state.update(b"%d" % self.start)
        return state.digest()


def _feed(state: Any, block: Block) -> None:
    for text in (block.kind, block.text, block.id, block.name, block.media_type, block.data, block.url):
        state.update(b"\0" if text is None else str(text).encode("utf-8", "surrogatepass"))
        state.update(b"\xff")
    if block.arguments is not None:
        state.update(stringify(block.arguments))
    for inner in block.inner:
        _feed(state, inner)


def stored(document: Document, apart: Collection[int]) -> Iterator[ViewedTurn]:
    """Yield all records in the order of the file; those that are no messages as runs, but for those whose first byte
    is in `apart`.
    """
    run: list[Record] = []
    for record in document.records:
        if record.message is not None:
            yield from _client(run)
            yield from of_turn(document, document.format.turn(document, record.message))
        elif record.kind == UNREADABLE or record.start in apart:
            yield from _client(run)
            text = document.raw(record)[:_RAW_MOST].decode("utf-8", "backslashreplace")
            yield ViewedTurn(
                BROKEN,
                (Block("other", text, name=record.kind or None),),
                record.line,
                record.start,
                document.index(record),
            )
        elif record.kind != BLANK:
            run.append(record)
    yield from _client(run)


def _client(run: list[Record]) -> Iterator[ViewedTurn]:
    if run:
        counts = Counter(record.kind or "record" for record in run)
        text = ", ".join(kind if number == 1 else f"{kind} ×{number}" for kind, number in counts.items())
        yield ViewedTurn(CLIENT, (Block("other", text, name="records of the client"),), run[0].line, run[0].start)
        run.clear()


def of_turn(document: Document, turn: Turn) -> Iterator[ViewedTurn]:
    """Yield a turn record by record: several records may be one message."""
    if not turn.blocks:
        yield _told(document, turn, turn.record, ())
    for record, blocks in groupby(turn.blocks, key=lambda block: block.record or turn.record):
        yield _told(document, turn, record, tuple(blocks))


def _told(document: Document, turn: Turn, record: Record, blocks: tuple[Block, ...]) -> ViewedTurn:
    at = record.start if record.end else -1
    return ViewedTurn(
        turn.role.value, blocks, record.line, at, document.index(record) if record.end else None, turn.skipped
    )


def of_turns(document: Document, turns: Iterable[Turn]) -> Iterator[ViewedTurn]:
    """Yield turns record by record."""
    for turn in turns:
        yield from of_turn(document, turn)


def pruned(document: Document, rendering: Rendering) -> Iterator[ViewedTurn]:
    """Yield the messages of a pi session after pruning; one that nothing changed is the one of its record."""
    from condense_cli.pi_condense.prune.decide import emit
    from condense_cli.request.pi_turns import turn_of

    places = rendering.pruning.places
    for emitted in emit(rendering.pruning, rendering.branch.records, rendering.load):
        record = places[emitted.step].record if isinstance(emitted.step, int) else None
        if record is not None and record.message is not None and not emitted.changed:
            yield from of_turn(document, document.format.turn(document, record.message))
        else:
            yield ViewedTurn(*turn_of(emitted.message), record.line if record else 0)


class Replay:
    """Gives the turns of one view again, by number, in ascending order."""

    def __init__(self, make: Callable[[], Iterator[ViewedTurn]]) -> None:
        self._turns = enumerate(make())

    def at(self, number: int) -> ViewedTurn:
        """Return the turn with this number from 0; the ones before it are passed over."""
        return next(told for n, told in self._turns if n == number)
