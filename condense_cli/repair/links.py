"""Taking records out, putting them in and moving them, with every link to them: the only code that knows trees.

A record that is moved or inserted is hung and placed so that no parent stands behind its child.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Any

from condense_cli.document.document import Document
from condense_cli.document.format import View
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change


class Surgery:
    """Structural changes to one thread of a document. Every method keeps path and children up to date."""

    def __init__(self, document: Document, view: View) -> None:
        self.document = document
        self.tree = None if document.format.is_linear(document) else document.format.tree
        self.leaf = view.leaf
        path = list(view.path)
        self._after: dict[int, Record] = {id(a): b for a, b in pairwise(path)}
        self._before: dict[int, Record] = {id(b): a for a, b in pairwise(path)}
        self.place = {id(r): n for n, r in enumerate(path)}
        self._children: dict[str, list[Record]] | None = None
        self.order = {id(r): n for n, r in enumerate(document.records)}

    # ------------------------------------------------------------------ links
    def can_link(self, record: Record) -> bool:
        """Say whether something can be hung on a record: in a tree, only on one with an id."""
        return self.tree is None or record.id is not None

    @property
    def children(self) -> dict[str, list[Record]]:
        """Return parent id -> records that hang on it."""
        if self._children is None:
            self._children = defaultdict(list)
            for record in self.document.records:
                if record.parent and not record.gone:
                    self._children[record.parent].append(record)
        return self._children

    def hang(self, record: Record, parent: str | None, rule: str) -> None:
        """Give a record another parent."""
        if self.tree is None or record.parent == parent:
            return
        if record.parent and record in self.children.get(record.parent, ()):
            self.children[record.parent].remove(record)
        raw = jsonedit.replace(self.document.raw(record), (self.tree.parent,), parent)
        self.document.rewrite(record, raw, rule, Change.REPARENT)
        if parent:
            self.children[parent].append(record)

    def next(self, record: Record) -> Record | None:
        """Return the next record of the thread."""
        return self._after.get(id(record))

    def _end_at(self, record: Record | None, rule: str) -> None:
        """Let another record end the thread."""
        self._lead(self.leaf, record, None, rule)
        self.leaf = record

    def _lead(self, old: Record | None, new: Record | None, before: Record | None, rule: str) -> None:
        """Let a format whose leaf is written down put it, in front of a record of the thread, on another one."""
        self.document.format.leaf_moved(self.document, old, new, self.order.get(id(before)) if before is not None else None, rule)

    def _bypass(self, record: Record, rule: str) -> None:
        before, after = self._before.pop(id(record), None), self._after.pop(id(record), None)
        if before is not None:
            if after is not None:
                self._after[id(before)] = after
            else:
                self._after.pop(id(before), None)
        if after is not None:
            if before is not None:
                self._before[id(after)] = before
            else:
                self._before.pop(id(after), None)
        if self.leaf is record:
            self._end_at(before, rule)

    def _thread_in(self, record: Record, anchor: Record, rule: str) -> None:
        after = self._after.get(id(anchor))
        self._after[id(anchor)] = record
        self._before[id(record)] = anchor
        if after is not None:
            self._after[id(record)] = after
            self._before[id(after)] = record
            self._lead(anchor, record, after, rule)
        if self.leaf is anchor:
            self._end_at(record, rule)

    # ------------------------------------------------------------------ changes
    def drop(self, record: Record, rule: str, **more: Any) -> None:
        """Take a record out; its children hang on its parent, references follow."""
        if record.gone:
            return
        if self.tree is not None and record.id:
            for child in list(self.children.get(record.id, ())):
                self.hang(child, record.parent, rule)
            if record.parent and record in self.children.get(record.parent, ()):
                self.children[record.parent].remove(record)
        heir = self._after.get(id(record))
        self._bypass(record, rule)
        self.document.drop(record, rule, **more)
        for lost in self.document.format.unlink(self.document, record, heir):
            self.drop(lost, rule)

    def insert(self, value: dict[str, Any], anchor: Record, rule: str, **more: Any) -> Record:
        """Put a new record behind an anchor of the thread; what followed the anchor follows the new record."""
        record = self.document.add(value, anchor, rule, **more)
        if self.tree is not None and record.id:
            follower = self._after.get(id(anchor))
            if record.parent:
                self.children[record.parent].append(record)
            if follower is not None and follower.parent == anchor.id:
                self.hang(follower, record.id, rule)
        self._thread_in(record, anchor, rule)
        return record

    def insert_before(self, value: dict[str, Any], record: Record, rule: str, **more: Any) -> Record:
        """Put a new record in front of one: between it and its parent."""
        place = self.order.get(id(record), 0)
        above = self.document.records[place - 1] if place else None
        new = self.document.add(value, above, rule, **more)
        if self.tree is not None and new.id:
            if new.parent:
                self.children[new.parent].append(new)
            self.hang(record, new.id, rule)
        self.document.format.leads(self.document, new, record, rule)
        return new

    def move(self, record: Record, anchor: Record, rule: str, **more: Any) -> Record:
        """Move a record behind an anchor of the thread; return its new self."""
        if self.tree is not None and record.id:
            for child in list(self.children.get(record.id, ())):
                self.hang(child, record.parent, rule)
            self._bypass(record, rule)
            follower = self._after.get(id(anchor))
            self.hang(record, anchor.id, rule)
            if follower is not None and follower.parent == anchor.id:
                self.hang(follower, record.id, rule)
        else:
            self._bypass(record, rule)
        moved = self.document.shift(record, anchor, rule, **more)
        if record.parent and record in self.children.get(record.parent, ()):
            self.children[record.parent].remove(record)
            self.children[record.parent].append(moved)
        self._thread_in(moved, anchor, rule)
        return moved

    def finish(self) -> None:
        """Bring the records into order."""
        self.document.settle()
