"""The threads of a pi session: which entry is the leaf, the path to it, and what pi reads of that path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from condense_cli.document.format import unknown_leaf
from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import View
from condense_cli.formats.pi.reading import Shared, read_message
from condense_cli.model.ids import are_distinct, is_chain
from condense_cli.model.messages import Message, Record

if TYPE_CHECKING:
    from condense_cli.document.records import Records


def branch(document: Records, leaf: str | None = None) -> list[Record]:
    """Return the path from the root to the leaf (the last entry of the file), all entry types; always ends.

    A version 1 file has no ids: its path is the file. Of two owners of an id the last counts, as in pi.
    """
    entries = [r for r in document.readable() if r.kind != "session"]
    if not entries:
        return []
    if is_linear(document) or (leaf is None and is_chain(entries) and are_distinct([r.id for r in entries])):
        return entries
    owners = document.derived(owners_of)
    at: Record | None
    if leaf is None:
        at = entries[-1]
    else:
        at = owners.get(leaf)
        if at is None:
            raise unknown_leaf(document, leaf, "entry", "entries")
    return path_to(at, owners)


def owners_of(document: Records) -> dict[str, Record]:
    """Return the entry that has each id: of two the last, as in pi."""
    return {r.id: r for r in document.readable() if r.id and r.kind != "session"}


def path_to(
    leaf: Record | None, owners: dict[str, Record], parents: Mapping[Record, str | None] = MappingProxyType({})
) -> list[Record]:
    """Return the records from the root to a leaf; where the parents go round, it ends.

    parents are other ones than records name.
    """
    path: list[Record] = []
    at = leaf
    while at is not None and len(path) <= len(owners):
        path.append(at)
        parent = parents.get(at, at.parent)
        at = owners.get(parent) if parent else None
    if at is not None:
        path = list(dict.fromkeys(path))
    path.reverse()
    return path


def is_linear(document: Records) -> bool:
    """Say whether this is version 1, without a tree: the first header decides, and without one the entries' ids do."""
    for record in document.readable():
        if record.kind == "session":
            return type(record.extra) not in (int, float) or record.extra < 2
    return not any(r.id for r in document.readable())


def leaves(document: Records) -> list[Record]:
    """Return the entries that are no entry's parent, in file order; of a version 1 file the last entry."""
    entries = [r for r in document.readable() if r.kind != "session"]
    if entries and (is_linear(document) or is_chain(entries)):
        return entries[-1:]
    parents = {r.parent for r in entries}
    return [r for r in entries if r.id and r.id not in parents] or entries[-1:]


def threads(document: Records) -> int:
    """Return the number of leaves."""
    return len(leaves(document))


def views(document: Records, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the active thread first, and with `every` each other one."""
    path = branch(document, leaf)
    yield view(document, path)
    if every:
        last = path[-1] if path else None
        for other in leaves(document):
            if other is not last:
                yield view(document, path_to(other, document.derived(owners_of)))


def view(document: Records, path: list[Record]) -> View:
    """Read a path as pi does: from its last compaction on, with context edits applied. System messages are left out."""
    selected = select(path)
    edits = {r.extra[0]: r for r in selected if r.kind == "context_edit" and r.extra}
    messages: list[Message] = []
    for n, record in enumerate(selected):
        message = record.message
        if message is None or (record.kind == "compaction" and n):
            continue
        if edits and record.id in edits:
            edited = _edited(document, edits[record.id], record)
            if edited is None:
                continue
            message = edited
        messages.append(message)
    return View(path, messages, thread_model(path), path[-1] if path else None)


def select(path: list[Record]) -> list[Record]:
    """Return the entries that count after the last compaction: it, what it kept, and what came later."""
    last = max((n for n, r in enumerate(path) if r.kind == "compaction"), default=None)
    if last is None:
        return path
    kept = path[last].extra
    start = next((n for n in range(last) if path[n].id == kept or (type(kept) is int and n + 1 == kept)), last)
    return [path[last], *path[start:last], *path[last + 1 :]]


def _edited(document: Records, edit: Record, record: Record) -> Message | None:
    if edit.extra[1]:
        return None
    value = document.value(record)
    replacement = document.value(edit).get("replacement")
    message = value.get("message")
    if record.kind != "message" or not isinstance(message, dict) or not isinstance(replacement, dict):
        return record.message
    content = replacement.get("content")
    if isinstance(content, str) and message.get("role") in ("assistant", "toolResult"):
        content = [{"type": "text", "text": content}]
    new = read_message(record, {**message, "content": content}, Shared())
    # Its blocks are not the record's own any more: nothing inside it can be repaired there.
    return replace(new, flaws=()) if new else None


def thread_model(path: list[Record]) -> ModelInUse:
    """Return the model that the thread uses now: the last that answered or was switched to."""
    for record in reversed(path):
        if isinstance(record.extra, ModelInUse):
            if record.kind == "message":
                return record.extra
            found = record.extra
            api = next(
                (
                    r.extra.api
                    for r in reversed(path)
                    if r.kind == "message" and isinstance(r.extra, ModelInUse) and r.extra.provider == found.provider
                ),
                "",
            )
            return ModelInUse(api, found.provider, found.model)
    return ModelInUse()
