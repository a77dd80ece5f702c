"""Outputs that pi-condense indexed, by short reference, occurrence key, alias or bare id."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes.javascript import UNDEFINED, string, truthy
from condense_cli.pi_condense.prune.index import Found, Index, Rebuild
from condense_cli.pi_condense.prune.keys import WouldThrowError
from condense_cli.pi_condense.prune.stubs import is_spilled, raw_record
from condense_cli.recall.output import Output
from condense_cli.recall.spill import UNAVAILABLE, Blobs, bare_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.prune.context import Load

_KINDS = frozenset({"custom", "custom_message"})


def read_index(branch: Iterable[Record], load: Load) -> Index:
    """Read what was persisted on a branch. Where the original fails, what comes before that place counts."""
    rebuild = Rebuild()
    for record in branch:
        if record.kind in _KINDS:
            rebuild.add(record, load(record))
    rebuild.finish()
    return rebuild.index


def indexed_outputs(index: Index, ref: str, load: Load, blobs: Blobs) -> tuple[Output, ...]:
    """Return the outputs that a reference names, in time order; none if the index does not know it."""
    try:
        found = index.occurrences(ref)
    except WouldThrowError:
        return ()
    return tuple(output_of(one, load, blobs) for one in found)


def output_of(found: Found, load: Load, blobs: Blobs) -> Output:
    """Load the output of one record, from its entry or from its file."""
    record = raw_record(found.indexed, load)
    text, raw, note = _text(record, blobs)
    return Output(
        "index",
        found.indexed.call_id,
        record.get("toolName", UNDEFINED),
        record.get("args", UNDEFINED),
        truthy(record.get("isError")),
        record.get("turnIndex", UNDEFINED),
        found.time,
        found.indexed.record.line,
        text,
        raw,
        note,
    )


def _is_its_own(data: bytes, record: dict[str, Any]) -> bool:
    """Say whether a file named by the call's id alone holds this record's output: ids are used again."""
    digest = record.get("contentHash")
    if isinstance(digest, str):
        return hashlib.sha1(data).hexdigest() == digest
    return record.get("spillBytes") == len(data)


def _text(record: dict[str, Any], blobs: Blobs) -> tuple[str, bytes | None, str]:
    if not is_spilled(record):
        text = record.get("resultText")
        return (text if isinstance(text, str) else ""), None, ""
    path = string(record["spillPath"])
    spilled = blobs.read(path)
    if spilled.data is None:
        older = blobs.read(bare_path(path, record.get("toolCallId")))
        if older.data is not None and _is_its_own(older.data, record):
            spilled = older
    if spilled.data is not None:
        return spilled.data.decode("utf-8", "replace"), spilled.data, ""
    preview = record.get("resultPreview")
    return (UNAVAILABLE if preview is None else string(preview)), None, spilled.note
