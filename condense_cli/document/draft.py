"""Structural edits of one thread: records that are dropped, inserted and moved, with every link to them.

A record that is moved or inserted gets a parent and a place so that no parent comes after its child.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.record_draft import RecordDraft
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.index import Index
    from condense_cli.document.views import View
    from condense_cli.pairing.pair import Pairing


class Draft(RecordDraft):
    """The edits of one fix on one thread. Every method keeps the links of the thread and the children up to date."""

    def __init__(self, index: Index) -> None:
        super().__init__(index.document)
        self.known = index
        self.tree = index.document.format.tree if index.document.is_tree else None
        self.leaf = index.leaf
        self._after: dict[Record, Record | None] = {}
        self._before: dict[Record, Record | None] = {}
        self._children: dict[str, dict[Record, None]] = {}
        self._naming: dict[str, list[Record]] = {}
        self._fewer: dict[str, int] = {}  # how many owners of an id are gone
        self._tails: dict[Record, Record] = {}
        self.attempts: dict[str, int] = {}  # how many fresh ids were made of each old one

    @property
    def view(self) -> View:
        """Return the thread that is repaired."""
        return self.known.view

    @property
    def pairing(self) -> Pairing:
        """Return the pairing of the thread."""
        return self.known.pairing

    # ------------------------------------------------------------------ links
    def can_link(self, record: Record) -> bool:
        """Say whether something can be a child of a record: in a tree, only of one with an id."""
        return self.tree is None or self.now(record).id is not None

    def children(self, ident: str) -> dict[Record, None]:
        """Return the records whose parent has this id now."""
        known = self._children.get(ident)
        if known is None:
            known = self._children[ident] = dict.fromkeys(self.known.children.get(ident, ()))
        return known

    def parent(self, record: Record) -> str | None:
        """Return the id of the parent that a record has for the client now."""
        now = self.now(record)
        return self.format.parent_of(self.document, record) if now is record else now.parent

    def reparent(self, record: Record, parent: str | None, rule: str) -> None:
        """Give a record another parent."""
        old = self.parent(record)
        if self.tree is None or old == parent:
            return
        if old:
            self.children(old).pop(record, None)
        raw = jsonedit.replace(self.raw(record), (self.tree.parent,), parent)
        self.rewrite(record, raw, rule, Change.REPARENT)
        if parent:
            self.children(parent)[record] = None

    def next(self, record: Record) -> Record | None:
        """Return the next record of the thread."""
        return self._after[record] if record in self._after else self.known.after.get(record)

    def previous(self, record: Record) -> Record | None:
        """Return the record of the thread before this one."""
        return self._before[record] if record in self._before else self.known.before.get(record)

    def naming(self, ident: str) -> list[Record]:
        """Return the records that name an id now, elsewhere than as their parent."""
        return [*self.known.references.get(ident, ()), *self._naming.get(ident, ())]

    def rename_reference(self, record: Record, raw: bytes, rule: str) -> None:
        """Give a record that names others bytes that name others than before."""
        self.rewrite(record, raw, rule, Change.REPARENT)
        for ident in self.format.names(self.document, self.now(record)):
            self._naming.setdefault(ident, []).append(record)

    def is_last_owner(self, record: Record) -> bool:
        """Say whether no other record has the id of this one."""
        return record.id is not None and self.known.owners.get(record.id, 0) - self._fewer.get(record.id, 0) <= 1

    # ------------------------------------------------------------------ the thread
    def _end_at(self, record: Record | None, rule: str) -> None:
        self.format.leaf_moved(self, self.leaf, record, None, rule)
        self.leaf = record

    def _bypass(self, record: Record, rule: str) -> None:
        before, after = self.previous(record), self.next(record)
        self._before[record] = self._after[record] = None
        if before is not None:
            self._after[before] = after
        if after is not None:
            self._before[after] = before
        if self.leaf is record:
            self._end_at(before, rule)

    def _thread_in(self, record: Record, anchor: Record, rule: str) -> None:
        after = self.next(anchor)
        self._after[anchor] = record
        self._before[record] = anchor
        self._after[record] = after
        if after is not None:
            self._before[after] = record
            self.format.leaf_moved(self, anchor, record, after, rule)
        if self.leaf is anchor:
            self._end_at(record, rule)

    def cycle_end(self, cycle: int, *, without: Record | None = None) -> Record:
        """Return the last record of a cycle's block: its message and the results in place, with what was put after
        them.
        """
        known = [r for r in self.known.cycle_ends[cycle] if not self.is_gone(r) and r is not without]
        end = known[-1] if known else self.known.pairing.cycles[cycle].message.record
        return self._tail(end, without)

    def _tail(self, end: Record, without: Record | None) -> Record:
        places = self.known.places
        start = end
        tail = self._tails.get(end)
        if tail is not None and not self.is_gone(tail):
            end = tail
        follower = self.next(end)
        while (
            follower is not None and follower not in places and follower is not without and not self.is_gone(follower)
        ):
            end, follower = follower, self.next(follower)
        self._tails[start] = end
        return end

    # ------------------------------------------------------------------ changes
    def drop(self, record: Record, rule: str, **more: Any) -> None:
        """Take a record out; its children get its parent, references follow."""
        todo = [(record, more)]
        while todo:
            one, about = todo.pop()
            if not self.is_gone(one):
                todo.extend((lost, {}) for lost in reversed(self._drop(one, rule, about)))

    def _drop(self, record: Record, rule: str, more: dict[str, Any]) -> list[Record]:
        now, parent = self.now(record), self.parent(record)
        if self.tree is not None and now.id:
            for child in list(self.children(now.id)):
                self.reparent(child, parent, rule)
            if parent:
                self.children(parent).pop(record, None)
        successor = self.next(record)
        self._bypass(record, rule)
        self.remove(record, rule, **more)
        lost: list[Record] = []
        if now.id is not None and self.is_last_owner(now):
            lost = self.format.unlink(self, now, self.now(successor) if successor is not None else None, rule)
        if now.id is not None:
            self._fewer[now.id] = self._fewer.get(now.id, 0) + 1
        return lost

    def insert(self, value: dict[str, Any], anchor: Record, rule: str, **more: Any) -> Record:
        """Put a new record after an anchor of the thread; what followed the anchor follows the new record."""
        record = self.add(value, anchor, rule, **more)
        if self.tree is not None and record.id:
            follower = self.next(anchor)
            if record.parent:
                self.children(record.parent)[record] = None
            if follower is not None and self.parent(follower) == self.now(anchor).id:
                self.reparent(follower, record.id, rule)
        self._thread_in(record, anchor, rule)
        return record

    def insert_before(self, value: dict[str, Any], record: Record, rule: str, **more: Any) -> Record:
        """Put a new record before one: between it and its parent."""
        place = self.known.order.get(record, 0)
        above = self.document.records[place - 1] if place else None
        new = self.add(value, above, rule, **more)
        if self.tree is not None and new.id:
            if new.parent:
                self.children(new.parent)[new] = None
            self.reparent(record, new.id, rule)
        self.format.leads(self, new, record, rule)
        return new

    def move(self, record: Record, anchor: Record, rule: str, **more: Any) -> Record:
        """Move a record after an anchor of the thread; return its new self."""
        ident = self.now(record).id
        if self.tree is not None and ident:
            for child in list(self.children(ident)):
                self.reparent(child, self.parent(record), rule)
            self._bypass(record, rule)
            follower = self.next(anchor)
            self.reparent(record, self.now(anchor).id, rule)
            if follower is not None and self.parent(follower) == self.now(anchor).id:
                self.reparent(follower, ident, rule)
        else:
            self._bypass(record, rule)
        moved = self.shift(record, anchor, rule, **more)
        parent = self.parent(moved)
        if parent and record in self.children(parent):
            self.children(parent).pop(record, None)
            self.children(parent)[moved] = None
        self._thread_in(moved, anchor, rule)
        return moved
