"""Which record ends the thread that Qwen Code resumes, and what it reads of the path to it.

The last record in the file that can end a thread is the leaf; a parent that is not there ends the walk. From the
newest compression on, its history takes the place of what came before.
"""

from __future__ import annotations

from collections.abc import Iterator

from condense_cli.document.format import unknown_leaf
from condense_cli.document.records import Records
from condense_cli.document.views import View
from condense_cli.formats.qwen.reading import Facts
from condense_cli.model.messages import Record


def can_end(record: Record) -> bool:
    """Say whether the client takes this record for the end of a thread when it is the last one."""
    return record.id is not None and isinstance(record.extra, Facts) and record.extra.ends


def leaf_of(document: Records) -> Record | None:
    """Return the record that ends the thread."""
    return next((r for r in reversed(document.records) if can_end(r)), None)


def path_to(document: Records, leaf: Record | None) -> list[Record]:
    """Return the records from the root to a leaf; of a uuid the first record counts. It always ends."""
    owners: dict[str, Record] = {}
    for record in document.readable():
        if record.id is not None:
            owners.setdefault(record.id, record)
    path: dict[Record, None] = {}
    at = leaf
    while at is not None and at not in path:
        path[at] = None
        at = owners.get(at.parent) if at.parent else None
    return list(reversed(path))


def leaves(document: Records) -> list[Record]:
    """Return the records that no other one has as its parent, in file order."""
    parents = {r.parent for r in document.readable()}
    return [r for r in document.readable() if r.id is not None and r.id not in parents and can_end(r)]


def views(document: Records, leaf: str | None, every: bool) -> Iterator[View]:
    """Yield the active thread first, and with `every` each other one.

    Raises UsageError for a leaf that is not there.
    """
    end = leaf_of(document)
    if leaf is not None:
        end = next((r for r in document.readable() if r.id == leaf), None)
        if end is None:
            raise unknown_leaf(document, leaf, "record", "records")
    yield view(document, end)
    if every:
        for other in leaves(document):
            if other is not end:
                yield view(document, other)


def view(document: Records, leaf: Record | None) -> View:
    """Read the path to a leaf as the client does."""
    path = path_to(document, leaf)
    start = max((n for n, r in enumerate(path) if isinstance(r.extra, Facts) and r.extra.compresses), default=0)
    messages = [r.message for r in path[start:] if r.message is not None]
    return View(path, messages, leaf=path[-1] if path else None)
