"""The tree layer: duplicate records and ids, cycles, and parents that are not there.

A reference to an id that two records own means the nearest one above the reference. No walk trusts the file:
every one of them ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from condense_cli.document.document import Document
from condense_cli.document.format import Tree
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.jsonbytes.jsonspan import Path
from condense_cli.model.findings import Finding
from condense_cli.model.ids import are_distinct, fresh_id, is_chain
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change

LINKS = frozenset({"duplicate-id", "parent-cycle", "missing-parent"})
"""Faults of ids and parents."""

Wanted = Callable[[str], bool]


def mend_tree(document: Document, wanted: Wanted) -> None:
    """Find and mend duplicates, cycles and missing parents; one fault gives one finding."""
    tree = document.format.tree
    if tree is None or document.format.is_linear(document):
        return
    if is_chain(record for record in document.records if record.id is not None):
        if are_distinct([record.id for record in document.records if record.id is not None]):
            return
    elif _is_sound(document.records):
        return
    owners, twice = _owners(document)
    if twice:
        _duplicates(document, tree, twice, wanted)
        document.settle()
        owners, _ = _owners(document)
    _parents(document, tree, owners, wanted)


def _is_sound(records: list[Record]) -> bool:
    """Say quickly that every id has one owner and every parent stands above its child, so that nothing can be wrong."""
    seen: set[str] = set()
    for record in records:
        ident = record.id
        if ident is None:
            continue
        if ident in seen or (record.parent is not None and record.parent not in seen):
            return False
        seen.add(ident)
    return True


def _owners(document: Document) -> tuple[dict[str, Record], list[tuple[Record, Record]]]:
    """Return id -> first owner, and (first, later) for each id that is owned again."""
    owners: dict[str, Record] = {}
    twice: list[tuple[Record, Record]] = []
    for record in document.records:
        if record.id is None or record.gone:
            continue
        first = owners.setdefault(record.id, record)
        if first is not record:
            twice.append((first, record))
    return owners, twice


def _duplicates(document: Document, tree: Tree, twice: list[tuple[Record, Record]], wanted: Wanted) -> None:
    taken: set[str | None] = {record.id for record in document.records}
    different: list[Record] = []
    kept: dict[str, list[Record]] = {}
    for first, later in twice:
        alike = kept.setdefault(first.id or "", [first])
        raw = document.raw(later).strip()
        same = next((other for other in alike if document.raw(other).strip() == raw), None)
        if same is None:
            alike.append(later)
            different.append(later)
            document.findings.append(Finding("duplicate-id", later.line, later, related=(first.line,)))
            continue
        document.findings.append(Finding("duplicate-record", later.line, later, related=(same.line,)))
        if wanted("duplicate-record"):
            document.drop(later, "duplicate-record")
    if different and wanted("duplicate-id"):
        _rename(document, tree, different, taken)


def drop_copies(document: Document) -> None:
    """Drop the copies of a record that was changed or dropped: they would be other records with its id now."""
    copies = [f.record for f in document.findings if f.rule == "duplicate-record" and f.record.id and not f.record.gone]
    if not copies or document.format.tree is None:
        return
    owners: dict[str, list[Record]] = {}
    for record in document.records:
        if record.id and not record.gone:
            owners.setdefault(record.id, []).append(record)
    for copy in copies:
        others = [record for record in owners.get(copy.id or "", ()) if record is not copy and not record.gone]
        if not others or copy.data is not None or any(record.data is not None for record in others):
            document.drop(copy, "duplicate-record")
    document.settle()


def _rename(document: Document, tree: Tree, later: list[Record], taken: set[str | None]) -> None:
    """Give each later owner a fresh id; references below it, up to the next owner, follow."""
    fresh: dict[int, str] = {}
    for record in later:
        ident = fresh_id(record.id or "", document.raw(record), taken)
        taken.add(ident)
        fresh[id(record)] = ident
        document.renamed[id(record)] = record.id or ""
    names = {record.id for record in later}
    now: dict[str, str] = {}
    for record in document.records:
        if record.gone or not record.kind:
            continue
        raw = changed = document.raw(record)
        for path in ((tree.parent,), *tree.references):
            changed = follow(changed, path, now)
        old, own = record.id, fresh.get(id(record))
        if own is not None:
            changed = jsonedit.replace(changed, (tree.id,), own)
        if changed != raw:
            document.rewrite(record, changed, "duplicate-id", Change.REPLACE if own else Change.REPARENT)
        if old is not None and own is not None:
            now[old] = own
        elif old is not None and old in names:
            now.pop(old, None)


def follow(raw: bytes, path: Path, new_names: dict[str, str]) -> bytes:
    """Rename the ids at a reference path ("*" stands for each element of an array)."""
    if not any(name.encode("utf-8", "surrogatepass") in raw for name in new_names):
        return raw
    for place in _places(raw, path):
        start, end = place
        value = jsonread.loads(raw[start:end])
        if isinstance(value, str) and value in new_names:
            return follow(raw[:start] + jsonedit.dump(new_names[value]) + raw[end:], path, {k: v for k, v in new_names.items() if k != value})
    return raw


def _places(raw: bytes, path: Path) -> Iterable[tuple[int, int]]:
    if "*" not in path:
        found = jsonspan.span(raw, path)
        return [found] if found else []
    at = path.index("*")
    outer = jsonspan.span(raw, path[:at])
    if not outer or raw[outer[0] : outer[0] + 1] != b"[":
        return []
    places: list[tuple[int, int]] = []
    for n in range(len(jsonspan.elements(raw, outer[0]))):
        places.extend(_places(raw, (*path[:at], n, *path[at + 1 :])))
    return places


# ---------------------------------------------------------------------- parents
def _parents(document: Document, tree: Tree, owners: dict[str, Record], wanted: Wanted) -> None:
    up: dict[int, Record | None] = {}
    order: dict[int, int] = {}
    missing: list[Record] = []
    hints: dict[str, Record | None] = document.format.parents(document)
    for n, record in enumerate(document.records):
        if record.id is None:
            continue
        order[id(record)] = n
        parent = record.parent
        if parent is None:
            up[id(record)] = None
            continue
        owner = owners.get(parent)
        if owner is None and not (parent in hints and hints[parent] is None):
            missing.append(record)
        up[id(record)] = owner
    looped = _loops(document, up, order)
    for record in missing:
        document.findings.append(Finding("missing-parent", record.line, record))
    for record, others in looped:
        document.findings.append(
            Finding("parent-cycle", record.line, record, related=tuple(sorted(o.line for o in others if o is not record)))
        )
    for rule, records in (("parent-cycle", [r for r, _ in looped]), ("missing-parent", missing)):
        if not records or not wanted(rule):
            continue
        for record in records:
            hint = hints.get(record.parent or "")
            new = hint if rule == "missing-parent" and hint is not None else _above(document, record, up, order)
            up[id(record)] = new
            _hang(document, tree, record, new, rule)


def _loops(document: Document, up: dict[int, Record | None], order: dict[int, int]) -> list[tuple[Record, list[Record]]]:
    """Return each cycle as its earliest record (the one whose parent is cut) and all its members."""
    state: dict[int, int] = {}
    found: list[tuple[Record, list[Record]]] = []
    for record in document.records:
        if record.id is None or id(record) in state:
            continue
        walk: list[Record] = []
        at: Record | None = record
        while at is not None and id(at) not in state:
            state[id(at)] = 1
            walk.append(at)
            at = up.get(id(at))
        if at is not None and state[id(at)] == 1:
            ring = walk[walk.index(at) :]
            found.append((min(ring, key=lambda r: order[id(r)]), ring))
        for one in walk:
            state[id(one)] = 2
    return found


def _above(document: Document, record: Record, up: dict[int, Record | None], order: dict[int, int]) -> Record | None:
    """Return the nearest record above of the same session or agent that is not a descendant."""
    for n in range(order[id(record)] - 1, -1, -1):
        other = document.records[n]
        if other.id is None or not document.format.same_owner(record, other):
            continue
        at: Record | None = other
        seen: set[int] = set()
        while at is not None and at is not record and id(at) not in seen:
            seen.add(id(at))
            at = up.get(id(at))
        if at is not record:
            return other
    return None


def _hang(document: Document, tree: Tree, record: Record, parent: Record | None, rule: str) -> None:
    raw = jsonedit.replace(document.raw(record), (tree.parent,), parent.id if parent else None)
    document.rewrite(record, raw, rule, Change.REPARENT, target=parent.line if parent else None)
