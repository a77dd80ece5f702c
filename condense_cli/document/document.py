"""A session file of a known format, with what was found in it and changed: what check and repair work on.

`segments` says how the new file is put together from spans of the source and new bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.editing import Editable
from condense_cli.document.records import BLANK, UNREADABLE, Body, Bytes, Shape
from condense_cli.jsonbytes import jsonedit, jsonread
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change, Copy, Edit, Put, Segment, join

if TYPE_CHECKING:
    from condense_cli.document.format import Format

HELD = "held"  # variant of a finding that cannot be mended, because the lines of its file keep place and length


class Document(Editable):
    """The records of one file in order, with what was found and changed so far. Stages mutate it, one at a time."""

    def __init__(self, path: str, source: Bytes, fmt: Format, shape: Shape) -> None:
        super().__init__(path, source, shape)
        self.format = fmt
        self.findings: list[Finding] = []
        self.edits: list[Edit] = []
        self.unread: list[Record] = []  # lines that orjson refused, in order, until the line stage has looked at them
        self.with_nul: list[Record] = []  # records that hold an escaped U+0000
        self.renamed: dict[int, str] = {}  # id() of a record that got a fresh id, and the id that it has in the file
        self.orders = 0  # how often the records were put into a new order
        self.skip = 0  # bytes at the beginning of an array that go
        self.neutral = False  # an array that could be of either API
        self._behind: dict[int, list[Record]] = {}
        self._front: list[Record] = []

    @property
    def revision(self) -> tuple[int, int, int]:
        """Return a value that is another one after every change."""
        return self.orders, len(self.records), len(self.edits)

    # ------------------------------------------------------------------ files whose lines keep place and length
    @property
    def fixed(self) -> bool:
        """Say whether byte offsets into the file are kept elsewhere, so that no line may move or change its length."""
        return self.format.is_fixed(self)

    def fitted(self, record: Record, data: bytes) -> bytes | None:
        """Return new bytes of a record as they may stand in the file: padded where lines keep their length, None if too long."""
        if not self.fixed:
            return data
        old = self.raw(record)
        ending = old[len(old.rstrip(b"\r\n")) :]
        body = data.rstrip(b" \t\r\n")
        room = len(old) - len(ending) - len(body)
        return None if room < 0 else body + b" " * room + ending

    def hold(self, rule: str, record: Record) -> None:
        """Say of a finding of the file's own layers that it stays."""
        self.findings[:] = [f._replace(variant=HELD) if f.rule == rule and f.record is record else f for f in self.findings]

    def notice(self) -> str:
        """Return what the user of such a file should know whatever is found in it, or ""."""
        unknown = self.unknown()
        said = [self.format.notice(self)]
        if unknown:
            said.append(f"line {unknown[0].line}: a message in other words than {self.format.name}'s ({len(unknown)} in all): it is passed over")
        return "; ".join(filter(None, said))

    def refusal(self) -> tuple[str, str] | None:
        """Return why a repair of this file is refused, and what to do instead, or None."""
        refused = self.format.refuse_repair(self)
        unknown = self.unknown() if refused is None else ()
        if unknown:
            return f"line {unknown[0].line} holds a message that is not understood, so nothing is changed", "`condense formats` lists what is repaired"
        return refused

    # ------------------------------------------------------------------ changing
    def note(self, change: Change, rule: str, record: Record, **more: Any) -> None:
        """Remember why a record is changed."""
        self.moves += change in (Change.MOVE, Change.INSERT)
        self.edits.append(Edit(change, rule, record.line, index=self.index(record), **more))

    def drop(self, record: Record, rule: str, **more: Any) -> bool:
        """Take a record out; where lines keep their place, blanks or a record that says nothing take it instead.

        Links to it are the caller's business. False: neither fits.
        """
        cut = record is self.records[-1] and record.kind in (BLANK, UNREADABLE)
        record.gone = cut or not self.fixed
        if not record.gone and not self._blotted(record):
            return False
        self.note(Change.DROP, rule, record, **more)
        return True

    def _blotted(self, record: Record) -> bool:
        readable = record.kind not in (BLANK, UNREADABLE)
        data = self.fitted(record, self.format.stand_in(self, record) if readable else b"")
        if data is None:
            return False
        record.data = data
        if readable:
            self.format.read(record, jsonread.loads(data))
        else:
            record.kind = BLANK
        return True

    def rewrite(
        self, record: Record, data: bytes, rule: str, change: Change = Change.REPLACE, *, grows: bool = False, **more: Any
    ) -> bool:
        """Give a record new bytes and read its facts again; False: its line must keep its length and they do not fit.

        grows: the line may become longer all the same, because nothing stands behind it.
        """
        fitted = data if grows else self.fitted(record, data)
        if fitted is None:
            return False
        record.data = fitted
        self.format.read(record, jsonread.loads(fitted))
        self.note(change, rule, record, **more)
        return True

    def place(self, record: Record, after: Record | None) -> None:
        """Put a new record behind another one, or in front of all; it takes its place at the next `settle`."""
        if after is None:
            self._front.append(record)
        else:
            self._behind.setdefault(id(after), []).append(record)

    def add(self, value: dict[str, Any], after: Record | None, rule: str, **more: Any) -> Record:
        """Insert a record that was made here, in the style of its neighbour; where lines keep their place only at the end."""
        like = after or next(self.readable(), None)
        raw = self.raw(like) if like else b""
        data = jsonedit.dump(value, spaced=jsonedit.is_spaced(raw))
        if self.shape is Shape.LINES:
            data += b"\r\n" if raw.endswith(b"\r\n") else b"\n"
        record = Record(after.line if after else 1, 0, 0, data)
        self.format.read(record, value)
        if self.fixed and after is not self.records[-1]:
            return record
        self.place(record, after)
        self.moves += 1
        self.edits.append(Edit(Change.INSERT, rule, record.line, target=after.line if after else 0, **more))
        return record

    def shift(self, record: Record, after: Record | None, rule: str, **more: Any) -> Record:
        """Move a record behind another one, or to the front; return its new self, or itself where lines keep their place."""
        if self.fixed:
            return record
        moved = Record(record.line, record.start, record.end, record.data)
        if self.shape is Shape.LINES:
            raw = self.raw(record)
            if not raw.endswith(b"\n"):
                moved.data = raw + b"\n"
        moved.kind, moved.id, moved.parent, moved.extra = record.kind, record.id, record.parent, record.extra
        record.gone = True
        self.format.read(moved, self.value(moved))
        if record in self.with_nul:
            self.with_nul.append(moved)
        self.findings[:] = [f._replace(record=moved) if f.record is record else f for f in self.findings]
        self.place(moved, after)
        self.moves += 1
        self.edits.append(Edit(Change.MOVE, rule, record.line, index=self.index(record), target=after.line if after else 0, **more))
        return moved

    def settle(self) -> None:
        """Bring the records into their new order and forget those that are gone."""
        if not self._behind and not self._front and not any(r.gone for r in self.records):
            return
        order: list[Record] = []
        todo = list(reversed(self._front + self.records))
        while todo:
            record = todo.pop()
            if not record.gone:
                order.append(record)
            todo.extend(reversed(self._behind.get(id(record), [])))
        self.records = order
        self.orders += 1
        self._behind.clear()
        self._front.clear()

    # ------------------------------------------------------------------ writing
    def segments(self) -> tuple[Segment, ...]:
        """Say how the new file is put together. Call `settle` first."""
        if self.shape is Shape.LINES:
            return join(self._lines())
        return join(self._arrays())

    def _lines(self) -> Iterator[Segment]:
        last = len(self.records) - 1
        for n, record in enumerate(self.records):
            if record.data is None:
                yield Copy(record.start, record.end)
                ended = n == last or self.source.read(record.end - 1, record.end) == b"\n"
            else:
                yield Put(record.data)
                ended = n == last or record.data.endswith(b"\n")
            if not ended:
                yield Put(b"\n")

    def _arrays(self) -> Iterator[Segment]:
        at = self.skip
        for body, group in zip(self.bodies, self.groups(), strict=True):
            where = {record.start: n for n, record in enumerate(body.records)}
            yield Copy(at, body.start)
            yield from self._body(body, group, where)
            at = body.end
        yield Copy(at, self.source.size)

    def _body(self, body: Body, group: list[Record], where: dict[int, int]) -> Iterator[Segment]:
        old = body.records
        if not old:
            for n, record in enumerate(group):
                if n:
                    yield Put(b",")
                yield Put(self.raw(record))
            return
        gap = self.source.read(old[0].end, old[1].start) if len(old) > 1 else _gap(self.source.read(body.start, old[0].start))
        if not group:
            return
        yield Copy(body.start, old[0].start)
        before: int | None = None
        for n, record in enumerate(group):
            place = where.get(record.start) if record.end else None
            if n:
                if before is not None and place == before + 1:
                    yield Copy(old[before].end, old[place].start)
                else:
                    yield Put(gap)
            yield Copy(record.start, record.end) if record.data is None else Put(record.data)
            before = place
        yield Copy(old[-1].end, body.end)


def _gap(lead: bytes) -> bytes:
    return b"," + lead if lead.strip() == b"" and lead else b", "
