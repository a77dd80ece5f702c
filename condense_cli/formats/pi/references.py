"""The condense layer of pi and OpenClaw sessions: references of pi-condense and of the client's own entries that
lead nowhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from condense_cli.document.records import Records
from condense_cli.document.views import View
from condense_cli.jsonbytes.javascript import string
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record

_PRUNE = "context-prune-"


def condense_findings(document: Records, view: View) -> Iterator[Finding]:
    """Yield spill files that are gone, and references to what neither the index nor the thread has.

    Only entries that can hold references are loaded. Positions are those of the view's path.
    """
    special = [(n, record) for n, record in enumerate(view.path) if record.kind != "message"]
    if not special:
        return
    at: dict[str | None, int] = {record.id: n for n, record in enumerate(view.path) if record.id}
    for n, record in special:
        if record.kind in ("compaction", "reset"):
            yield from _compaction(record, n, at)
        elif record.kind == "label" and record.extra and record.extra not in at and not _known(document, record.extra):
            yield Finding("dangling-ref", record.line, record, detail="a label names an entry that is not there")
        elif (
            record.kind == "context_edit"
            and record.extra
            and record.extra[0] not in at
            and not _known(document, record.extra[0])
        ):
            yield Finding("dangling-ref", record.line, record, detail="a context edit names an entry that is not there")
    entries = [
        r
        for _, r in special
        if r.kind in ("custom", "custom_message") and isinstance(r.extra, str) and r.extra.startswith(_PRUNE)
    ]
    if entries:
        yield from _Index(document, view, entries).findings()


def _compaction(record: Record, n: int, at: dict[str | None, int]) -> Iterator[Finding]:
    kept = record.extra
    if isinstance(kept, str) and kept != record.id and not at.get(kept, n + 1) < n:
        yield Finding(
            "dangling-ref",
            record.line,
            record,
            variant="kept",
            detail="the entry to keep from is not on the path before it, so nothing is kept",
        )


def _known(document: Records, ident: Any) -> bool:
    return ident in document.derived(_ids)


def _ids(document: Records) -> frozenset[str | None]:
    return frozenset(record.id for record in document.records)


class _Index:
    """What pi-condense's entries on one path name, and what they may name."""

    def __init__(self, document: Records, view: View, entries: list[Record]) -> None:
        self.document = document
        self.values = [(record, document.value(record)) for record in entries]
        self.ids: set[str] = set()
        self.refs: set[str] = set()
        for message in view.messages:
            self.ids |= message.ids
        for record in view.path:
            if record.message is not None:
                self.ids |= record.message.ids

    def findings(self) -> Iterator[Finding]:
        """Yield the findings in path order."""
        for _, value in self.values:
            self._learn(value)
        for record, value in self.values:
            data = value.get("data")
            data = data if isinstance(data, dict) else {}
            for item in _dicts(data.get("toolCalls")):
                path = item.get("spillPath")
                if isinstance(path, str) and path and not self._there(path):
                    yield Finding(
                        "missing-blob",
                        record.line,
                        record,
                        call_id=_text(item.get("toolCallId")),
                        detail="the output's file is gone; its preview is left",
                    )
            for what in self._lost(value, data):
                yield Finding(
                    "dangling-ref",
                    record.line,
                    record,
                    call_id=what,
                    detail="neither the index nor the thread has what it names",
                )

    def _learn(self, value: dict[str, Any]) -> None:
        data = value.get("data")
        data = data if isinstance(data, dict) else {}
        for item in (*_dicts(data.get("toolCalls")), *_dicts(data.get("refs"))):
            self.ids.add(string(item.get("toolCallId")))
        details = value.get("details")
        for item in (
            *_dicts(data.get("refs")),
            *_dicts(details.get("toolCallRefs") if isinstance(details, dict) else None),
        ):
            self.refs.add(string(item.get("shortId")))

    def _lost(self, value: dict[str, Any], data: dict[str, Any]) -> list[str]:
        kind = value.get("customType")
        named: list[Any] = []
        if kind == "context-prune-summary":
            details = value.get("details")
            named = [
                i.get("toolCallId") for i in _dicts(details.get("toolCallRefs") if isinstance(details, dict) else None)
            ]
        elif kind == "context-prune-dedup-alias":
            named = [data.get("originalToolCallId")]
        elif kind == "context-prune-chain":
            refs = data.get("toolRefs")
            lost = [r for r in (refs if isinstance(refs, list) else []) if isinstance(r, str) and r not in self.refs]
            dropped = data.get("droppedToolCallIds")
            return lost + [
                i for i in (dropped if isinstance(dropped, list) else []) if isinstance(i, str) and i not in self.ids
            ]
        return [i for i in named if isinstance(i, str) and i not in self.ids]

    def _there(self, path: str) -> bool:
        """Say whether a spill file is there, where it was written or in the session's own blob folder."""
        if os.path.isfile(path):
            return True
        session = next((r for r in self.document.readable() if r.kind == "session"), None)
        ident = self.document.value(session).get("id") if session is not None else None
        folder = os.path.dirname(os.path.abspath(self.document.path))
        return isinstance(ident, str) and os.path.isfile(
            os.path.join(folder, f"{os.path.basename(ident)}-blobs", os.path.basename(path))
        )


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
