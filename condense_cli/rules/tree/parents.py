"""Parents that are not in the file, and parents that lead back to their child.

No walk trusts the file: every one ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document import tables
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.findings import Finding
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.tree.duplicates import is_sound

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.messages import Record


class Links(NamedTuple):
    """The parent of each record, the records whose parent is missing, and the rings: the earliest record first, and
    all members.
    """

    up: dict[Record, Record | None]
    missing: tuple[Record, ...] = ()
    rings: tuple[tuple[Record, tuple[Record, ...]], ...] = ()


def links(document: Document) -> Links:
    """Work out who is whose parent."""
    if not document.is_tree or document.derived(is_sound):
        return Links({})
    owners: dict[str, Record] = {}
    for record in document.records:
        if record.id is not None:
            owners.setdefault(record.id, record)
    known = document.format.parents(document)
    up: dict[Record, Record | None] = {}
    missing: list[Record] = []
    for record in document.records:
        if record.id is None:
            continue
        owner = owners.get(record.parent) or known.get(record.parent) if record.parent is not None else None
        up[record] = owner
        if record.parent is not None and owner is None and record.parent not in known:
            missing.append(record)
    return Links(up, tuple(missing), tuple(_rings(document, up)))


def _rings(document: Document, up: dict[Record, Record | None]) -> Iterator[tuple[Record, tuple[Record, ...]]]:
    done: dict[Record, int] = {}
    order = document.derived(tables.order)
    for number, record in enumerate(up):
        walk: list[Record] = []
        at: Record | None = record
        while at is not None and at not in done:
            done[at] = number
            walk.append(at)
            at = up[at]
        if at is not None and walk and done[at] == number:
            ring = walk[walk.index(at) :]
            yield min(ring, key=lambda r: order[r]), tuple(ring)


def scan_cycles(document: Document) -> Iterator[Finding]:
    """Yield the earliest record of each ring of parents."""
    for record, ring in document.derived(links).rings:
        related = tuple(sorted(other.line for other in ring if other is not record))
        yield Finding("parent-cycle", record.line, record, related=related)


def scan_missing(document: Document) -> Iterator[Finding]:
    """Yield records whose parent is not in the file."""
    for record in document.derived(links).missing:
        yield Finding("missing-parent", record.line, record)


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Give each record the nearest one above it of the same owner that is not its descendant, or make it a root."""
    document = index.document
    tree = document.format.tree
    assert tree is not None
    known = document.format.parents(document)
    forest = _Forest(document)
    draft = index.draft()
    for finding in findings:
        record = finding.record
        hint = known.get(record.parent or "") if finding.rule == "missing-parent" else None
        parent = hint if hint is not None else forest.above(record)
        forest.attach(record, parent)
        raw = jsonedit.replace(draft.raw(record), (tree.parent,), parent.id if parent else None)
        draft.rewrite(record, raw, finding.rule, Change.REPARENT, target=parent.line if parent else None)
    return draft.edits


class _Forest:
    """The trees of a document, each named by its root: whether one record is above another is told without walking."""

    def __init__(self, document: Document) -> None:
        found = document.derived(links)
        self._order = document.derived(tables.order)
        self._fmt = document.format
        self._root: dict[Record, Record | None] = dict(found.up)
        for record, _ in found.rings:
            self._root[record] = None
        self._lists: dict[Hashable, list[Record]] = {}
        self._place: dict[Record, int] = {}
        for record in found.up:
            mine = self._lists.setdefault(document.format.owner(record), [])
            self._place[record] = len(mine)  # how many possible parents are above it
            if document.format.may_be_parent(record):
                mine.append(record)

    def root(self, record: Record) -> Record:
        """Return the root of a record's tree."""
        walk: list[Record] = []
        above = self._root[record]
        while above is not None:
            walk.append(record)
            record, above = above, self._root[above]
        for one in walk:
            self._root[one] = record
        return record

    def above(self, record: Record) -> Record | None:
        """Return the nearest record above that may be the parent."""
        mine = self._lists[self._fmt.owner(record)]
        self._root[record] = None
        for n in range(self._place[record] - 1, -1, -1):
            if self.root(mine[n]) is not record:
                return mine[n]
        return None

    def attach(self, record: Record, parent: Record | None) -> None:
        """Make a record the child of another one."""
        self._root[record] = parent


PARENT_CYCLE = Rule(
    "parent-cycle", Layer.TREE,
    "the parents of this record lead back to it",
    "its parent becomes the record before it",
    sessions.pi(2, sessions.user("m1", "m2"), sessions.assistant("m2", "m1", sessions.say("Yes."))),
    scan=scan_cycles,
    fix=fix,
)  # fmt: skip

MISSING_PARENT = Rule(
    "missing-parent", Layer.TREE,
    "its parent does not exist, which cuts off all that came before",
    "its parent becomes the nearest earlier record of the same session or agent",
    sessions.pi(4, sessions.ASKED, sessions.assistant("m2", "m1", sessions.say("Yes.")), sessions.user("m4", "m3", "go on")),
    scan=scan_missing,
    fix=fix,
)  # fmt: skip
