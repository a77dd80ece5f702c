"""The lines that are appended: pi's entries in its order of keys, each hung on the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes.javascript import UNDEFINED, is_number, iso, number_text, string, stringify
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Record
from condense_cli.storage.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterable

_STATS = ("totalInputTokens", "totalOutputTokens", "totalCost", "callCount", "chainsCompressed", "rangesSummarized")
_ONLY_WITH_VALUES = frozenset({"protectedToolCallIds", "droppedOccurrenceKeys"})


class Appended(Record):
    """An entry that is appended: there may be more of them than fit into memory, so its bytes are in a spool."""

    __slots__ = ("_end", "_spool", "_start")

    def __init__(self, line: int, data: bytes, spool: Spool) -> None:
        self._spool = spool
        super().__init__(line, 0, len(data), data)

    @property
    def data(self) -> bytes:
        """Return its bytes."""
        return self._spool.read(self._start, self._end)

    @data.setter
    def data(self, data: bytes) -> None:
        """Put its bytes aside."""
        self._start = self._spool.add(data)
        self._end = self._start + len(data)


class Writer:
    """Makes entries below a leaf, each the parent of the next. now is in milliseconds.

    Ids look like that of the leaf and are fixed by what they are given to: the same run makes the same ids.
    """

    def __init__(self, leaf: str | None, taken: Iterable[str | None], line: int, now: int) -> None:
        self.lines: list[Appended] = []
        self._spool = Spool()
        self._like = leaf or "00000000"
        self._parent = leaf
        self._taken = {ident for ident in taken if ident is not None}
        self._line = line
        self._now = iso(now)
        self._tail = b',"timestamp":%b}\n' % stringify(self._now)

    def add(self, custom: str, data: dict[str, Any]) -> tuple[Record, dict[str, Any]]:
        """Append a custom entry; return it as a record that carries its bytes, and its value."""
        body = stringify(data)
        ident = fresh_id(self._like, f"{self._parent} {custom} {len(body)}".encode("utf-8", "replace"), self._taken)
        entry = {
            "type": "custom",
            "customType": custom,
            "data": data,
            "id": ident,
            "parentId": self._parent,
            "timestamp": self._now,
        }
        # Not written anew as a whole: the data may be most of a large session.
        head, links = b'{"type":"custom","customType":%b,"data":', b',"id":%b,"parentId":%b'
        line = b"".join(
            (head % stringify(custom), body, links % (stringify(ident), stringify(self._parent)), self._tail)
        )
        self._line += 1
        record = Appended(self._line, line, self._spool)
        record.kind = "custom"
        self.lines.append(record)
        self._taken.add(ident)
        self._parent = ident
        return record, entry


def next_block(block_ids: Iterable[Any]) -> float:
    """Return the number of the next block: one more than the highest; NaN where one of them has none."""
    numbers = [_block_number(block_id) for block_id in block_ids]
    if any(number != number for number in numbers):  # noqa: PLR0124 - NaN
        return float("nan")
    return max(numbers, default=0) + 1


def block_name(number: float) -> str:
    """Write the id of a block."""
    return f"b{number_text(number)}"


def _block_number(block_id: Any) -> float:
    digits = ""
    text = block_id[1:].lstrip() if isinstance(block_id, str) else ""
    for n, char in enumerate(text):
        if not (char.isascii() and char.isdigit()) and not (n == 0 and char in "+-"):
            break
        digits += char
    try:
        return float(digits) if len(digits) > 15 else int(digits)
    except ValueError:
        return float("nan")


def stats(last: Any, added: int) -> dict[str, Any]:
    """Count the chains of a run in: a whole snapshot, in which a member that is missing is 0."""
    old = last if isinstance(last, dict) else {}
    made = {name: 0 if old.get(name) is None else old[name] for name in _STATS}
    count = made["chainsCompressed"]
    made["chainsCompressed"] = (
        count + added if is_number(count) else string(count) + str(added) if isinstance(count, str) else added
    )
    return made


def chain_data(**fields: Any) -> dict[str, Any]:
    """Leave out what pi-condense leaves out: members without a value, and two lists when they are empty."""
    return {
        key: value
        for key, value in fields.items()
        if value is not UNDEFINED and (value or key not in _ONLY_WITH_VALUES)
    }
