"""A session file of a known format as a value: its records in order, and how a file is put together from them.

Nothing changes a document. `edits.apply_edits` makes a new one, which shares the records that no edit names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from condense_cli.document.records import Body, Bytes, Records, Shape, Torn
from condense_cli.model.messages import Record
from condense_cli.model.plan import Copy, Put, Segment, join

if TYPE_CHECKING:
    from condense_cli.document.format import Format


class Document(Records):
    """The records of one file in order.

    damaged are the records that are no strict JSON, with_nul those that hold an escaped U+0000. skip counts bytes at the
    beginning of an array's file that are left out; neutral says that the array could be of either API. torn is where a
    document breaks off, closed that it is closed there.
    """  # noqa: E501 - a sentence is one text

    def __init__(self, path: str, source: Bytes, fmt: Format, shape: Shape) -> None:
        super().__init__(path, source, shape)
        self.format = fmt
        self.damaged: tuple[Record, ...] = ()
        self.with_nul: tuple[Record, ...] = ()
        self.skip = 0
        self.neutral = False
        self.torn: Torn | None = None
        self.closed = False

    def changed(
        self,
        records: list[Record],
        damaged: tuple[Record, ...],
        with_nul: tuple[Record, ...],
        skip: int,
        *,
        closed: bool = False,
    ) -> Document:
        """Return a document of the same file with other records."""
        new = Document(self.path, self.source, self.format, self.shape)
        new.records = records
        new.bodies = self.bodies
        new.unread = self.unread
        new.passed = self.passed
        new.newline = self.newline
        new.neutral = self.neutral
        new.damaged = damaged
        new.with_nul = with_nul
        new.skip = skip
        new.torn = self.torn
        new.closed = closed
        return new

    # ------------------------------------------------------------------ what the format says of the file
    @property
    def fixed(self) -> bool:
        """Say whether byte offsets into the file are kept elsewhere, so that no line may move or change its length."""
        return self.derived(_is_fixed)

    @property
    def counted(self) -> bool:
        """Say whether places of records are kept elsewhere, so that none may come between others or be taken out."""
        return self.derived(_is_counted)

    @property
    def is_tree(self) -> bool:
        """Say whether records name their parents."""
        return self.derived(_is_tree)

    def in_same_length(self, old: bytes, data: bytes) -> bytes | None:
        """Return new bytes of a record as they may be in the file: padded where lines keep their length, None if too
        long.
        """
        if not self.fixed:
            return data
        ending = old[len(old.rstrip(b"\r\n")) :]
        body = data.rstrip(b" \t\r\n")
        room = len(old) - len(ending) - len(body)
        return None if room < 0 else body + b" " * room + ending

    def notice(self) -> str:
        """Return what the user of such a file should know whatever is found in it, or ""."""
        unknown = self.unknown()
        said = [self.format.notice(self)]
        if unknown:
            said.append(
                f"line {unknown[0].line}: a message in other words than {self.format.name}'s ({len(unknown)} in all): it is passed over"  # noqa: E501 - a sentence is one text
            )
        return "; ".join(filter(None, said))

    def refusal(self) -> tuple[str, str] | None:
        """Return why a repair of this file is refused, and what to do instead, or None."""
        refused = self.format.refuse_repair(self)
        unknown = self.unknown() if refused is None else ()
        if unknown:
            return (
                f"line {unknown[0].line} holds a message that is not understood, so nothing is changed",
                "`condense formats` lists what is repaired",
            )
        return refused

    # ------------------------------------------------------------------ writing
    def segments(self) -> tuple[Segment, ...]:
        """Say how the new file is put together."""
        if self.shape is Shape.LINES:
            return join(self._lines())
        return join(self._arrays())

    def _lines(self) -> Iterator[Segment]:
        last, size = len(self.records) - 1, self.source.size
        for n, record in enumerate(self.records):
            if record.data is None:
                yield Copy(record.start, record.end)
                # Only the last line of a file may have no end.
                ended = n == last or record.end < size or self.source.read(record.end - 1, record.end) == b"\n"
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
        if self.torn is not None and self.closed:
            yield Copy(at, self.torn.rest.start)
            yield Put(self.torn.closing)
        else:
            yield Copy(at, self.source.size)

    def _body(self, body: Body, group: list[Record], where: dict[int, int]) -> Iterator[Segment]:
        old = body.records
        if not old:
            for n, record in enumerate(group):
                if n:
                    yield Put(b",")
                yield Put(self.raw(record))
            return
        gap = (
            self.source.read(old[0].end, old[1].start)
            if len(old) > 1
            else _gap(self.source.read(body.start, old[0].start))
        )
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


def _is_fixed(document: Document) -> bool:
    return document.format.is_fixed(document)


def _is_counted(document: Document) -> bool:
    return document.format.is_counted(document)


def _is_tree(document: Document) -> bool:
    return not document.format.is_linear(document)
