"""The leaf and the threads of an OpenClaw session, found by reading the file from top to bottom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document.format import unknown_leaf
from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import View
from condense_cli.formats.openclaw.reading import CANONICAL, FOLLOWS, Aside
from condense_cli.formats.pi import threads as pi_threads
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Message, Record
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records


class Fold(NamedTuple):
    """What reading the file from top to bottom comes to."""

    leaf: Record | None
    lost: tuple[Record, ...]  # `leaf` entries whose target is not above them: they are ignored
    astray: tuple[tuple[Record, str], ...]  # entries whose parent is not above them, and the id of that parent
    parents: dict[Record, str | None]  # the parents of entries that have another one for the client than they name


def fold(document: Records) -> Fold:  # noqa: C901 - the kinds that are told apart are read best side by side
    """Find the leaf, and the parents that entries have for the client."""
    known: dict[str, Record] = {}
    meant = parents(document)
    lost: list[Record] = []
    astray: list[tuple[Record, str]] = []
    other: dict[Record, str | None] = {}
    leaf: Record | None = None
    inside: set[str] | None = None  # since the last reset: it, and what descends from it
    for record in document.readable():
        kind = record.kind
        if kind == "session":
            continue
        parent = record.parent
        if parent and parent not in known and parent not in meant:
            astray.append((record, parent))
        seen = _parent_seen(record, known, meant, leaf, inside)
        if seen != parent:
            other[record] = seen
        if record.id:
            known[record.id] = record
        if kind == "leaf":
            target = record.extra.target
            if target is None or target in known:
                leaf = known[target] if target else None
            else:
                lost.append(record)
        elif kind in CANONICAL and not isinstance(kind, Aside) and record.id:
            leaf = record
            if kind == "reset":
                inside = {record.id}
            elif inside is not None and seen in inside:
                inside.add(record.id)
    return Fold(leaf, tuple(lost), tuple(astray), other)


def _parent_seen(
    record: Record,
    known: dict[str, Record],
    meant: dict[str, Record | None],
    leaf: Record | None,
    inside: set[str] | None,
) -> str | None:
    """Return the parent as the client sees it: the leaf where none is known, or where it is before the last reset."""
    parent = record.parent
    if parent is None:
        return None
    if parent in known:
        outside = (
            inside is not None
            and record.kind in CANONICAL
            and not isinstance(record.kind, Aside)
            and parent not in inside
        )
        return leaf.id if outside and leaf is not None else parent
    if parent in meant and parent != FOLLOWS:
        owner = meant[parent]
        return owner.id if owner is not None and owner.id in known else None
    return leaf.id if leaf is not None else None


def parent_of(document: Records, record: Record) -> str | None:
    """Return the id of the entry that is the parent for the client."""
    return document.derived(fold).parents.get(record, record.parent)


def parents(document: Records) -> dict[str, Record | None]:
    """Name parents that are no entries: the header is the root, a tool call means the entry that made it."""
    named: dict[str, Record | None] = {FOLLOWS: None}
    missing = {record.parent for record in document.records if record.parent} - {
        record.id for record in document.records
    }
    if not missing:
        return named
    for record in document.readable():
        if record.kind == "session":
            ident = document.value(record).get("id")
            if isinstance(ident, str):
                named[ident] = None
        elif record.message is not None and record.id is not None:
            for call in record.message.calls:
                if call.id in missing:
                    named.setdefault(call.id, record)
    return named


def branch(document: Records, leaf: str | None = None) -> list[Record]:
    """Return the path from the root to the leaf; always ends. Raises UsageError for a leaf that is not there."""
    return _branch(document, document.derived(fold).leaf, leaf)


def _branch(document: Records, end: Record | None, leaf: str | None = None) -> list[Record]:
    owners = document.derived(_owners)
    at = end
    if leaf is not None:
        at = owners.get(leaf)
        if at is None:
            raise unknown_leaf(document, leaf, "entry", "entries")
    return pi_threads.path_to(at, owners, document.derived(fold).parents)


def _owners(document: Records) -> dict[str, Record]:
    return {r.id: r for r in document.readable() if r.id and r.kind != "session"}


def is_linear(document: Records) -> bool:
    """Say whether no entry has an id."""
    return not any(record.id for record in document.readable())


def leaves(document: Records) -> list[Record]:
    """Return the entries of a thread that are no other one's parent, in file order."""
    parents = document.derived(fold).parents
    entries = [r for r in document.readable() if r.kind in CANONICAL and r.id and not isinstance(r.kind, Aside)]
    above = {parents.get(r, r.parent) for r in entries}
    return [r for r in entries if r.id not in above] or entries[-1:]


def threads(document: Records) -> int:
    """Return the number of leaves."""
    return len(leaves(document))


def views(document: Records, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the active thread first, and with `every` each other one."""
    path = branch(document, leaf)
    yield _view(path)
    if every:
        last = path[-1] if path else None
        for other in leaves(document):
            if other is not last:
                yield _view(branch(document, other.id))


def _view(path: list[Record]) -> View:
    selected = select(path)
    messages = [
        r.message for n, r in enumerate(selected) if r.message is not None and not (r.kind == "compaction" and n)
    ]
    model_in_use = pi_threads.thread_model(path)
    if model_in_use.signs_thinking:
        messages = [_thinking_sent(message) if message.flaws else message for message in messages]
    return View(path, messages, model_in_use, path[-1] if path else None)


def _thinking_sent(message: Message) -> Message:
    """Thinking of any Anthropic model is sent to the one that the thread uses now, unlike in pi."""
    written = message.record.extra
    if not (isinstance(written, ModelInUse) and written.speaks_anthropic):
        return message
    return replace(
        message, flaws=tuple(f._replace(variant="sent") if f.rule == "unsigned-thinking" else f for f in message.flaws)
    )


def select(path: list[Record]) -> list[Record]:
    """Return the entries that count after the last compaction or reset: what it kept, and what came later."""
    last = max((n for n, r in enumerate(path) if r.kind in ("compaction", "reset")), default=None)
    if last is None:
        return path
    kept = path[last].extra
    start = next((n for n in range(last) if path[n].id == kept), last)
    return [path[last], *path[start:last], *path[last + 1 :]]


def scan(document: Records) -> Iterator[Finding]:
    """Yield entries whose parent or target comes after them: the client, which reads once, does not see it."""
    folded = document.derived(fold)
    ids = {record.id for record in document.records} if folded.astray else set()
    for record, parent in folded.astray:
        if parent in ids:  # else it is missing, which is said already
            yield Finding(
                "missing-parent",
                record.line,
                record,
                detail="its parent comes after it",
                cause=folded.parents.get(record, record.parent) or "",
            )
    for record in folded.lost:
        yield Finding(
            "dangling-ref",
            record.line,
            record,
            detail="the entry that is to become the leaf is not above",
            possible=False,
        )


def fix(draft: Draft, finding: Finding) -> None:
    """Write the parent into the entry that the client gives it."""
    raw = jsonedit.replace(draft.raw(finding.record), ("parentId",), finding.cause or None)
    draft.rewrite(finding.record, raw, finding.rule, Change.REPARENT)
