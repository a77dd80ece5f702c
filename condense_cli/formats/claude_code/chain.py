"""The links of a Claude Code session, and which record ends it. No walk trusts the file: every one of them ends."""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_left
from collections import Counter, defaultdict
from functools import reduce
from itertools import islice, pairwise
from operator import or_
from typing import TYPE_CHECKING, Any

from condense_cli.formats.claude_code.facts import BOUNDARY, LIVE, facts
from condense_cli.model.ids import is_chain
from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.records import Records


class Chain:
    """The records with an id and their links, as they stand now. Copies of a record are left out."""

    def __init__(self, document: Records) -> None:
        # It must not hold the document: that would keep every document of a long run alive.
        self.records = [r for r in document.records if r.id is not None]
        self.owners: dict[str, Record] = {}
        self.same_id: dict[str, list[Record]] = {}
        copies = self._index(document)
        if copies:
            self.records = [r for r in self.records if id(r) not in copies]
        self.flags = reduce(or_, {r.extra.flags for r in self.records}, 0)  # all that any record has
        boundaries = [r for r in self.records if r.extra.flags & BOUNDARY] if self.flags & BOUNDARY else ()
        self.logical = {id(r): _text(document.value(r).get("logicalParentUuid")) for r in boundaries}
        marks = (
            self.owners.get(r.extra)
            for r in reversed(document.records)
            if r.kind == "last-prompt" and type(r.extra) is str
        )
        self.mark = next((record for record in marks if record is not None), None)
        self._order: dict[int, int] | None = None
        self._children: dict[str, list[Record]] | None = None
        self._ends: dict[bool, list[Record]] = {}
        self._straight = bool(self.records) and not self.logical and not self.same_id and is_chain(self.records)
        sessions = Counter([r.extra.owner for r in self.records])
        self.sidechain = bool(sessions) and all(owner.sidechain for owner in sessions)
        self.has_sides = any(owner.sidechain for owner in sessions)
        names: Counter[str | None] = Counter()
        for owner, count in sessions.items():
            names[owner.session] += count
        self.sessions = names
        stem = os.path.basename(document.path).removesuffix(".jsonl")
        self.session = stem if stem in names else max(names, key=lambda name: names[name], default=None)
        self.joined = self._joined() if len(names) > 1 else frozenset({self.session})

    def _joined(self) -> frozenset[str | None]:
        """Return the sessions that one chain leads through, this file's own among them."""
        linked: dict[str | None, set[str | None]] = defaultdict(set)
        for record in self.records:
            above = self.parent(record)
            mine = record.extra.owner.session
            if above is not None and above.extra.owner.session != mine:
                linked[mine].add(above.extra.owner.session)
                linked[above.extra.owner.session].add(mine)
        found, todo = {self.session}, [self.session]
        while todo:
            more = linked[todo.pop()] - found
            found |= more
            todo.extend(more)
        return frozenset(found)

    def _index(self, document: Records) -> set[int]:
        """Note who owns which id; return the records that the client wrote a second time, byte for byte."""
        copies: set[int] = set()
        self.owners = {record.id or "": record for record in self.records}
        if len(self.owners) == len(self.records):
            return copies
        self.owners = {}
        seen: dict[str, set[bytes]] = {}  # of the ids that several records have, what these are
        for record in self.records:
            ident = record.id or ""
            first = self.owners.setdefault(ident, record)
            if first is record:
                continue
            known = seen.get(ident)
            if known is None:
                known = seen[ident] = {_digest(document, first)}
            mine = _digest(document, record)
            if mine in known:
                copies.add(id(record))
            else:
                known.add(mine)
                self.same_id.setdefault(ident, [first]).append(record)
        return copies

    # ------------------------------------------------------------------ links
    @property
    def order(self) -> dict[int, int]:
        """Return where each record is among all records of the chain."""
        if self._order is None:
            self._order = {id(record): n for n, record in enumerate(self.records)}
        return self._order

    @property
    def children(self) -> dict[str, list[Record]]:
        """Return parent id -> its children, in file order."""
        if self._children is None:
            self._children = defaultdict(list)
            for record in self.records:
                if record.parent is not None:
                    self._children[record.parent].append(record)
        return self._children

    def named(self, ident: str | None, by: Record) -> Record | None:
        """Return the record that `by` means by an id: of two owners the nearest one above it."""
        if ident is None:
            return None
        same_id = self.same_id.get(ident) if self.same_id else None
        if same_id is None:
            return self.owners.get(ident)
        place = self.order.get(id(by), len(self.records))
        # Where none is above it, the place is 0, and the one before that the last.
        return same_id[bisect_left(same_id, place, key=lambda record: self.order[id(record)]) - 1]

    def parent(self, record: Record) -> Record | None:
        """Return the record's parent."""
        return self.named(record.parent, record)

    # ------------------------------------------------------------------ leaves
    def ends(self, *, sidechain: bool) -> list[Record]:
        """Return the live records that no live record descends from, in file order; of a ring all of them."""
        found = self._ends.get(sidechain)
        if found is None:
            found = self._ends[sidechain] = self._find_ends(sidechain)
        return found

    def _find_ends(self, sidechain: bool) -> list[Record]:
        joined = self.joined
        found = (
            r
            for r in (reversed(self.records) if self._straight else self.records)
            if r.extra.flags & LIVE and r.extra.owner.sidechain is sidechain and r.extra.owner.session in joined
        )
        if self._straight:
            return list(islice(found, 1))
        live = list(found)
        if self._is_one_line(live):
            return live[-1:]
        alive = {id(r) for r in live}
        continued: set[int] = set()
        links: set[int] = set()
        # The one look-up of each walk is written out: a million records are asked for their parents.
        owners, parent = self.owners.get, self.parent if self.same_id else None
        for record in live:
            at = parent(record) if parent else owners(record.parent or "")
            while at is not None:
                if id(at) in alive:
                    continued.add(id(at))
                    break
                if id(at) in links:
                    break
                links.add(id(at))
                at = self.parent(at)
        return [r for r in live if id(r) not in continued] or live

    def _is_one_line(self, live: list[Record]) -> bool:
        """Say whether each record's parent is the one before it, and the first has none."""
        if self.same_id or not live or (live[0].parent or "") in self.owners:
            return False
        return all(below.parent == above.id for above, below in pairwise(live))

    def leaf(self) -> Record | None:
        """Return the record at which the client goes on: of the branches below the last prompt's mark the last in
        the file.

        Without a mark that names a record it is the last record of the chain in the file. Times play no part.
        """
        if self.mark is not None:
            below = self._below(self.mark)
            for end in reversed(self.ends(sidechain=self.sidechain)):
                if id(end) in below:
                    return end
        last = next(
            (r for r in reversed(self.records) if r.kind != "progress" and r.extra.owner.sidechain is self.sidechain),
            None,
        )
        for record in self.up(last):
            if facts(record).flags & LIVE:
                return record
        return None

    def _below(self, top: Record) -> set[int]:
        """Return a record and what descends from it, over compactions, too."""
        after: dict[str, list[Record]] = defaultdict(list)
        for record in self.records:
            before = self.logical.get(id(record))
            if before:
                after[before].append(record)
        found, todo = {id(top)}, [top]
        while todo:
            ident = todo.pop().id or ""
            for record in (*self.children.get(ident, ()), *after.get(ident, ())):
                if id(record) not in found:
                    found.add(id(record))
                    todo.append(record)
        return found

    def up(self, record: Record | None) -> Iterator[Record]:
        """Yield a record and all above it."""
        seen: set[int] = set()
        while record is not None and id(record) not in seen:
            seen.add(id(record))
            yield record
            record = self.parent(record)

    def before(self, boundary: Record) -> Record | None:
        """Return the record that was before a compaction."""
        return self.named(self.logical.get(id(boundary)), boundary)

    def path(self, leaf: Record | None) -> list[Record]:
        """Return the records from the root to a leaf, over all compactions."""
        if self._straight and leaf is self.records[-1]:
            return list(self.records)
        path: list[Record] = []
        seen: set[int] = set()
        while leaf is not None and id(leaf) not in seen:
            seen.add(id(leaf))
            path.append(leaf)
            above = self.parent(leaf) if self.same_id else self.owners.get(leaf.parent or "")
            leaf = above or self.before(leaf)
        path.reverse()
        return path


def chain_of(document: Records) -> Chain:
    """Return the links of a document, built anew when it was changed."""
    return document.derived(Chain)


def _digest(document: Records, record: Record) -> bytes:
    return hashlib.sha256(document.raw(record).strip()).digest()


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
