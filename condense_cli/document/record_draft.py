"""The edits of one fix while they are made: what each record is now, and what becomes of it.

A draft changes nothing but itself: `edits` are values, and `apply_edits` makes the new document of them. Records are
named by what the document has, or by what `add` and `shift` return; `now` gives the version that the draft has made of
one.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from condense_cli.document import tables
from condense_cli.document.edits import RecordEdit
from condense_cli.document.reading import made_of
from condense_cli.document.records import BLANK, UNREADABLE, Records, Shape
from condense_cli.jsonbytes import jsonedit, jsonread
from condense_cli.model.messages import Message, Record
from condense_cli.model.plan import Change, Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable

    from condense_cli.document.document import Document


_Derived = TypeVar("_Derived")


class Taken:
    """Ids that are in use: those of the document, and those that were made since."""

    def __init__(self, known: Collection[str]) -> None:
        self._known = known
        self._made: set[str] = set()

    def __contains__(self, ident: object) -> bool:
        return ident in self._known or ident in self._made

    def add(self, ident: str) -> None:
        """Take an id."""
        self._made.add(ident)


class RecordDraft(Records):
    """Edits of single records: bytes, places, and the facts that follow from them. Its `records` are the document's."""

    def __init__(self, document: Document) -> None:
        super().__init__(document.path, document.source, document.shape)
        self.document = document
        self.format = document.format
        self.records = document.records
        self.bodies = document.bodies
        self.newline = document.newline
        self._fixed = document.fixed
        self._read = document.format.reader()
        self._edits: list[RecordEdit] = []
        self._now: dict[Record, Record] = {}
        self._gone: set[Record] = set()
        self._added: Record | None = None
        self.added = 0  # how many records were added so far

    @cached_property
    def taken(self) -> Taken:
        """Return the ids of records that are in use."""
        return Taken(self.document.derived(tables.owners))

    @cached_property
    def call_ids(self) -> Taken:
        """Return the ids of calls that are in use."""
        return Taken(self.document.derived(tables.call_ids))

    @property
    def edits(self) -> tuple[RecordEdit, ...]:
        """Return what was decided so far."""
        return tuple(self._edits)

    # ------------------------------------------------------------------ reading
    @property
    def fixed(self) -> bool:
        """Say whether no line may move or change its length."""
        return self._fixed

    def derived(self, make: Callable[[Any], _Derived], revision: Hashable = None) -> _Derived:
        """Return what a function makes of the document that the draft began with."""
        return self.document.derived(make, revision)

    def now(self, record: Record) -> Record:
        """Return the version of a record that the draft has made."""
        return self._now.get(record, record)

    def raw(self, record: Record) -> bytes:
        """Return the bytes of a record as they are now, with its line ending."""
        return self.document.raw(self.now(record))

    def value(self, record: Record) -> Any:
        """Return the JSON value of a record as it is now."""
        return self.document.value(self.now(record))

    def message(self, record: Record) -> Message | None:
        """Return the facts of a record as they are now."""
        return self.now(record).message

    def is_gone(self, record: Record) -> bool:
        """Say whether a record is dropped, or was moved and is another one now."""
        return record in self._gone

    # ------------------------------------------------------------------ changing
    def note(self, change: Change, rule: str, record: Record, **more: Any) -> None:
        """Say of a record that is changed already that another rule's edit is in it, too."""
        edit = Edit(change, rule, record.line, index=self.document.index(record), **more)
        self._edits.append(RecordEdit(edit, record, (self.now(record),)))

    def rewrite(
        self,
        record: Record,
        data: bytes,
        rule: str,
        change: Change = Change.REPLACE,
        *,
        grows: bool = False,
        **more: Any,
    ) -> bool:
        """Give a record new bytes; False: its line must keep its length and they do not fit.

        grows: the line may become longer all the same, because nothing comes after it. Raises ValueError for bytes
        that are no record.
        """
        written = data if grows or not self._fixed else self.document.in_same_length(self.raw(record), data)
        if written is None:
            return False
        parsed = jsonread.parse(written)
        if parsed is None:
            raise ValueError("no record")
        new = Record(record.line, record.start, record.end, written, record.as_read)
        new.damaged = bool(parsed.fault)
        self._read(new, parsed.value)
        self._put(record, (new,), change, rule, **more)
        return True

    def reread(self, record: Record, data: bytes, rule: str, change: Change = Change.REPLACE, **more: Any) -> None:
        """Give a line new bytes that may still be no record."""
        self._put(record, (made_of(data, record, self.format),), change, rule, **more)

    def split(self, record: Record, lines: list[bytes], rule: str, **more: Any) -> None:
        """Put several lines in the place of one, each a record of its own."""
        new = tuple(made_of(line, record, self.format, origin=False) for line in lines)
        self._put(record, new, Change.REPLACE, rule, **more)

    def _put(self, record: Record, new: tuple[Record, ...], change: Change, rule: str, **more: Any) -> None:
        edit = Edit(change, rule, record.line, index=self.document.index(record), **more)
        if new:
            self._now[record] = new[0]
        else:
            self._gone.add(record)
        self._edits.append(RecordEdit(edit, record, new))

    def remove(self, record: Record, rule: str, **more: Any) -> bool:
        """Take a record out; where lines keep their place, blanks or a record that says nothing take it instead.

        Links to it are the caller's business. False: neither fits.
        """
        document, now = self.document, self.now(record)
        readable = now.kind not in (BLANK, UNREADABLE)
        stays = document.fixed or (document.counted and record.end)
        if stays and (readable or (document.fixed and record is not document.records[-1])):
            data = document.in_same_length(self.raw(record), self.format.stand_in(document, now) if readable else b"")
            if data is None:
                return False
            self._put(record, (made_of(data, record, self.format),), Change.DROP, rule, **more)
            return True
        self._put(record, (), Change.DROP, rule, **more)
        return True

    def insert_line(self, value: dict[str, Any], data: bytes, after: Record) -> Record:
        """Put a line that is written already after a record; `inserted` says why."""
        new = Record(after.line, 0, 0, data)
        self._read(new, value)
        self._edits.append(RecordEdit(None, None, (new,), placed=True, after=after))
        return new

    def inserted(self, rule: str, record: Record, after: Record, **more: Any) -> None:
        """Say of a record why its new version was inserted after another one."""
        self._edits.append(RecordEdit(Edit(Change.INSERT, rule, record.line, target=after.line, **more)))

    def add(
        self, value: dict[str, Any], after: Record | None, rule: str, *, line: int | None = None, **more: Any
    ) -> Record:
        """Insert a record that was made here, in the style of its neighbour; where lines keep their place only at
        the end.

        It goes after the record `after`, or to the front. line: that of the record that it changes for the client.
        """
        document = self.document
        like = after or next(document.readable(), None)
        raw = self.raw(like) if like else b""
        data = jsonedit.dump(value, spaced=jsonedit.is_spaced(raw))
        if document.shape is Shape.LINES:
            data += b"\r\n" if raw.endswith(b"\r\n") else b"\n"
        record = Record(after.line if after else 1, 0, 0, data)
        self._read(record, value)
        if (document.fixed or document.counted) and after is not self.last:
            return record
        if record.id is not None:
            self.taken.add(record.id)
        edit = Edit(Change.INSERT, rule, line or record.line, target=after.line if after else 0, **more)
        self._edits.append(RecordEdit(edit, None, (record,), placed=True, after=after))
        self._added = record
        self.added += 1
        return record

    @property
    def last(self) -> Record:
        """Return the last record of a file whose lines keep their place: only there something can be added."""
        return self._added or self.document.records[-1]

    def shift(self, record: Record, after: Record | None, rule: str, **more: Any) -> Record:
        """Move a record after another one, or to the front; return its new self, or itself where lines keep their
        place.
        """
        document = self.document
        if document.fixed or document.counted:
            return record
        now, raw = self.now(record), self.raw(record)
        data = raw + b"\n" if document.shape is Shape.LINES and not raw.endswith(b"\n") else now.data
        moved = Record(record.line, record.start, record.end, data, record.as_read)
        self._read(moved, self.value(record))
        moved.damaged = now.damaged
        self._gone.add(record)
        edit = Edit(
            Change.MOVE, rule, record.line, index=document.index(record), target=after.line if after else 0, **more
        )
        self._edits.append(RecordEdit(edit, record, (moved,), placed=True, after=after))
        return moved
