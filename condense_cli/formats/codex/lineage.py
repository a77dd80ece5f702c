"""The history that a rollout goes on from: it is in another file, up to a byte and an ordinal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from condense_cli.formats.codex.meta import Meta
from condense_cli.jsonbytes import jsonread
from condense_cli.model.findings import Finding
from condense_cli.storage.rollouts import Rollout, rollouts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document


def scan(document: Document) -> Iterator[Finding]:
    """Yield the header whose `history_base` names a thread that has no file in the store, or a place after the end
    of its file.
    """
    record = next((r for r in document.readable() if type(r.extra) is Meta), None)
    if record is None or not record.extra.continues:
        return
    base = document.value(record)["payload"]["history_base"]
    thread = base.get("thread_id")
    if not isinstance(thread, str) or not thread:
        return
    found = rollouts_of(document.path, thread)
    if found is None:
        return
    what = _what(found, thread, base)
    if what:
        yield Finding("broken-lineage", record.line, record, detail=what, possible=False)


def _what(found: list[Rollout], thread: str, base: dict[str, Any]) -> str:
    """Say what is wrong with every file of the thread, or ""."""
    if not found:
        return f"thread {thread} has no file here"
    told = [_beyond(rollout, base) for rollout in found]
    return told[0] if all(told) else ""


def _beyond(rollout: Rollout, base: dict[str, Any]) -> str:
    """Say which place is after the end of a file, or ""."""
    name, byte, ordinal = os.path.basename(rollout.path), base.get("end_byte_offset"), base.get("end_ordinal_exclusive")
    if rollout.size is None:
        return ""
    if isinstance(byte, int) and byte > rollout.size:
        return f"it goes on from byte {byte} of {name}, which has {rollout.size}"
    last = _ordinal(rollout.last)
    if isinstance(ordinal, int) and last is not None and ordinal > last + 1:
        return f"it goes on from ordinal {ordinal} of {name}, which ends with {last}"
    return ""


def _ordinal(line: bytes) -> int | None:
    parsed = jsonread.parse(line)
    found = parsed.value.get("ordinal") if parsed is not None and isinstance(parsed.value, dict) else None
    return found if type(found) is int else None
