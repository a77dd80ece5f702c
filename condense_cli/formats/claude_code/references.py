"""Records of a Claude Code session that name another one, when that one is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Tree
from condense_cli.formats.claude_code.halves import value_at
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records


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


def names(document: Records, record: Record) -> Iterable[str]:
    """Return the ids that a record names elsewhere than as its parent."""
    if record.kind in ("assistant", "progress", "attachment"):
        return ()
    raw = document.raw(record)
    return _named(jsonread.loads(raw)) if any(key in raw for key in _KEYS) else ()


def unlink(draft: Draft, gone: Record, successor: Record | None, rule: str) -> list[Record]:
    """Let what names a dropped record name its parent, or the next record; return snapshots of it, which are
    dropped, too.
    """
    lost: list[Record] = []
    ident = gone.id
    for record in draft.naming(ident or ""):
        if draft.is_gone(record):
            continue
        value = draft.value(record)
        if record.kind == "file-history-snapshot":
            if value.get("messageId") == ident:
                lost.append(record)
            continue
        raw = changed = draft.raw(record)
        for path in _SINGLE:
            if value_at(value, path) == ident:
                changed = _HEIRS.get(path[-1], _to_parent)(changed, path, gone, successor)
        for path in _LISTS:
            listed = value_at(jsonread.loads(changed), path)
            for place in reversed(
                [n for n, item in enumerate(listed if isinstance(listed, list) else ()) if item == ident]
            ):
                changed = jsonedit.remove(changed, (*path, place))
        if changed != raw:
            draft.rename_reference(record, changed, rule)
    return lost


def _to_parent(raw: bytes, path: jsonspan.Path, gone: Record, successor: Record | None) -> bytes:
    return jsonedit.replace(raw, path, gone.parent)


def _to_successor(raw: bytes, path: jsonspan.Path, gone: Record, successor: Record | None) -> bytes:
    return jsonedit.replace(raw, path, successor.id if successor is not None else gone.parent)


def _to_none(raw: bytes, path: jsonspan.Path, gone: Record, successor: Record | None) -> bytes:
    return jsonedit.remove(raw, path)


_HEIRS: dict[str | int, Callable[[bytes, jsonspan.Path, Record, Record | None], bytes]] = {
    "headUuid": _to_successor,
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
