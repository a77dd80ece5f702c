"""Records of a Claude Code session that name another one, when that one is dropped."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Tree
from condense_cli.formats.claude_code.halves import value_at
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from condense_cli.document.editing import Editable
    from condense_cli.document.records import Records


class _Names:
    """Which records name which ids, beside their parents."""

    def __init__(self, document: Records) -> None:
        self.by_id: dict[str, list[Record]] = defaultdict(list)
        for record in document.readable():
            if record.kind in ("assistant", "progress", "attachment"):
                continue
            raw = document.raw(record)
            if any(key in raw for key in _KEYS):
                for name in _named(jsonread.loads(raw)):
                    self.by_id[name].append(record)




_SINGLE: tuple[jsonspan.Path, ...] = (
    ("logicalParentUuid",),
    ("sourceToolAssistantUUID",),
    ("leafUuid",),
    ("messageId",),
    ("checkpointUuid",),
    ("rewindToUuid",),
    ("interruptedMessageId",),
    ("compactMetadata", "preservedSegment", "headUuid"),
    ("compactMetadata", "preservedSegment", "anchorUuid"),
    ("compactMetadata", "preservedSegment", "tailUuid"),
    ("compactMetadata", "preservedMessages", "anchorUuid"),
)


_LISTS: tuple[jsonspan.Path, ...] = (
    ("supersedesUuids",),
    ("retractedMessageUuids",),
    ("compactMetadata", "preservedMessages", "uuids"),
    ("compactMetadata", "preservedMessages", "allUuids"),
)


_KEYS = tuple(f'"{path[0]}"'.encode() for path in (*_SINGLE, *_LISTS))


def _named(value: Any) -> Iterator[str]:
    for path in _SINGLE:
        found = value_at(value, path)
        if isinstance(found, str):
            yield found
    for path in _LISTS:
        found = value_at(value, path)
        if isinstance(found, list):
            yield from (item for item in found if isinstance(item, str))


def unlink(document: Editable, gone: Record, heir: Record | None) -> list[Record]:
    """Let what names a record that goes name its parent, or the record behind it; return snapshots of it, which go, too."""
    if gone.id is None or any(r is not gone and not r.gone and r.id == gone.id for r in document.records):
        return []
    rule = document.edits[-1].rule if document.edits else "orphan-result"
    lost: list[Record] = []
    for record in _naming(document, gone.id):
        if record.gone:
            continue
        value = document.value(record)
        if record.kind == "file-history-snapshot":
            if value.get("messageId") == gone.id:
                lost.append(record)
            continue
        raw = changed = document.raw(record)
        for path in _SINGLE:
            if value_at(value, path) == gone.id:
                changed = _HEIRS.get(path[-1], _to_parent)(changed, path, gone, heir)
        for path in _LISTS:
            listed = value_at(jsonread.loads(changed), path)
            for place in reversed([n for n, item in enumerate(listed if isinstance(listed, list) else ()) if item == gone.id]):
                changed = jsonedit.remove(changed, (*path, place))
        if changed != raw:
            document.rewrite(record, changed, rule, Change.REPARENT)
    return lost


def _naming(document: Editable, ident: str) -> list[Record]:
    """Return the records that name an id; moved records are new ones, so the index is made again after a move."""
    return document.derived(_Names, document.moves).by_id.get(ident, [])


def _to_parent(raw: bytes, path: jsonspan.Path, gone: Record, heir: Record | None) -> bytes:
    return jsonedit.replace(raw, path, gone.parent)


def _to_heir(raw: bytes, path: jsonspan.Path, gone: Record, heir: Record | None) -> bytes:
    return jsonedit.replace(raw, path, heir.id if heir is not None else gone.parent)


def _to_none(raw: bytes, path: jsonspan.Path, gone: Record, heir: Record | None) -> bytes:
    return jsonedit.remove(raw, path)


_HEIRS: dict[str | int, Callable[[bytes, jsonspan.Path, Record, Record | None], bytes]] = {
    "headUuid": _to_heir,
    "sourceToolAssistantUUID": _to_none,
    "interruptedMessageId": _to_none,
}


TREE: Tree | None = Tree(
    "uuid",
    "parentUuid",
    (
        ("logicalParentUuid",),
        ("sourceToolAssistantUUID",),
        ("compactMetadata", "preservedSegment", "headUuid"),
        ("compactMetadata", "preservedSegment", "anchorUuid"),
        ("compactMetadata", "preservedSegment", "tailUuid"),
        ("compactMetadata", "preservedMessages", "anchorUuid"),
        ("compactMetadata", "preservedMessages", "uuids", "*"),
        ("compactMetadata", "preservedMessages", "allUuids", "*"),
        ("leafUuid",),
        ("messageId",),
        ("snapshot", "messageId"),
        ("checkpointUuid",),
        ("rewindToUuid",),
        ("supersedesUuids", "*"),
        ("retractedMessageUuids", "*"),
        ("interruptedMessageId",),
    ),
)
