"""What the client sends of a session: the texts, calls, results and images of its active thread, as digests.

The thread and its messages are those of the format's own `views` and `turn`. A message whose records are the same
bytes in two files is compared as a whole; only the others are loaded. Digests are kept, never texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document.records import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.views import Block
    from condense_cli.model.messages import Message, Record


class Piece(NamedTuple):
    """One thing that the client sends: the line of its record from 1, its index in an array from 0, its call, its
    digest.
    """

    line: int
    index: int | None  # type: ignore[assignment]  # messages of an array
    call_id: str | None
    kind: str
    digest: bytes


class Missing(NamedTuple):
    """What the client no longer sends: how often each digest is missing, and every place where the old file has one
    of them.
    """

    times: Counter[bytes]
    pieces: tuple[Piece, ...] = ()


def missing(old: Document, new: Document) -> Missing:
    """Return what the client sends of the old file and does not send, or less often, of the new one."""
    was, now = _digests(old), _digests(new)
    left = Counter(was)
    left.subtract(now)
    gone = [message for message, digest in zip(sent(old), was, strict=True) if _takes(left, digest)]
    pieces = [piece for message in gone for piece in _pieces(old, message)]
    times = Counter(piece.digest for piece in pieces)
    _strike_out(times, new, _come(new, now, -left, {message.record.id for message in gone}))
    times = +times
    return Missing(times, tuple(piece for piece in pieces if piece.digest in times))


def _takes(counted: Counter[bytes], digest: bytes) -> bool:
    """Count one down and say whether it was there."""
    if counted[digest] <= 0:
        return False
    counted[digest] -= 1
    return True


def _come(document: Document, digests: Sequence[bytes], wanted: Counter[bytes], ids: set[str | None]) -> list[Message]:
    """Return the messages that are new, those first whose records have an id of `ids`: they say the same as a rule."""
    come = [message for message, digest in zip(sent(document), digests, strict=True) if _takes(wanted, digest)]
    return sorted(come, key=lambda message: message.record.id not in ids)


def _strike_out(times: Counter[bytes], document: Document, messages: Sequence[Message]) -> None:
    """Count down the pieces that the messages say, until each is found: a long thread need not be loaded for a few."""
    waiting = times.total()
    for message in messages:
        if not waiting:
            return
        waiting -= sum(_takes(times, piece.digest) for piece in _pieces(document, message))


def _digests(document: Document) -> list[bytes]:
    return [_message_digest(document, message) for message in sent(document)]


def sent(document: Document) -> Iterator[Message]:
    """Yield the messages that the client sends of the active thread, root to leaf."""
    fmt = document.format
    for view in fmt.views(document, None, every=False):
        # Where neighbours are one message for the API, each of them is loaded by itself.
        messages = fmt.stored(document, view) if fmt.joins_neighbours else view.messages
        yield from (message for message in messages if not message.skipped)


def _message_digest(document: Document, message: Message) -> bytes:
    """Return one digest of the bytes that a message comes from, and of what the client takes from them."""
    made = blake2b(
        repr((message.role, message.said, len(message.calls), len(message.results), message.inside)).encode(),
        digest_size=16,
    )
    for record in _records(document, message):
        made.update(_bytes_digest(document, record) if message.inside else document.raw(record).strip())
    return made.digest()


def _bytes_digest(document: Document, record: Record) -> bytes:
    """Return a digest of a record that holds many messages: it is made once."""
    known = document.derived(_no_digests)
    if record not in known:
        known[record] = blake2b(document.raw(record).strip(), digest_size=16).digest()
    return known[record]


def _no_digests(_: Document) -> dict[Record, bytes]:
    return {}


def _records(document: Document, message: Message) -> Sequence[Record]:
    halves = (half.record for half in message.halves)
    return list(dict.fromkeys((message.record, *halves, *document.format.records_of(document, message))))


def _pieces(document: Document, message: Message) -> Iterator[Piece]:
    for block in document.format.turn(document, message).blocks:
        if not _is_empty(block):
            yield _piece(document, block, block.record or message.record)


def _is_empty(block: Block) -> bool:
    return block.kind in ("text", "thinking") and not block.text.strip()


def _piece(document: Document, block: Block, record: Record) -> Piece:
    place = record.as_read
    index = document.index(place) if document.shape is not Shape.LINES else None
    call_id = block.id if isinstance(block.id, str) else None
    return Piece(place.line, index, call_id, block.kind, _digest(_said(block)))


def _said(block: Block) -> tuple[object, ...]:
    """Return what a block says: neither ids nor signatures, which a repair may give anew."""
    inner = tuple(_said(part) for part in block.inner)
    name = block.name if block.kind == "call" else None
    return block.kind, block.text, name, block.arguments, block.data, block.url, inner


def _digest(value: object) -> bytes:
    """Return a digest of nested values; arguments may be nested deeper than Python recurses."""
    made = blake2b(digest_size=16)
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            todo.extend(part for pair in one.items() for part in pair)
        elif isinstance(one, (list, tuple)):
            todo.extend(one)
        shown = f"{type(one).__name__} {len(one)}" if isinstance(one, (dict, list, tuple)) else repr(one)
        made.update(shown.encode() + b"\0")
    return made.digest()
