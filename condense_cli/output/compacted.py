"""What compaction does to a session, for people and as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from condense_cli.jsonbytes.javascript import string, stringify
from condense_cli.output.tables import table
from condense_cli.pi_condense.compact.capture import batch_value
from condense_cli.pi_condense.compact.chains import Standing
from condense_cli.pi_condense.compact.run import Why

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.pi_condense.compact.compaction import Captured, Compaction
    from condense_cli.pi_condense.compact.run import ChainOutcome
    from condense_cli.pi_condense.prune.context import Load

_REASONS: dict[Standing | Why, str] = {
    Standing.COMPRESSED: "compressed before",
    Standing.INTERRUPTED: "interrupted by a user message",
    Standing.RECENT: "too recent (--window)",
    Standing.GRACE: "an output of it was just recovered",
    Why.NO_GAIN: "would save nothing (--only-gain)",
    Why.NOTHING: "left alone",
    Why.UNSAFE: "left alone",
}
_WIDEST = 28
_NUMBERED = re.compile(r"t([0-9]+)")


class Outcome(NamedTuple):
    """What is told beside the compaction: which file, and whether something was written."""

    path: str
    format: str
    written: bool


def write_rows(compaction: Compaction, stream: TextIO, *, color: bool = False) -> None:
    """Write a line for each chain with calls: what it saves and its references, or why it is left alone; then the
    sum.
    """
    rows = [
        _cells(row, compaction)
        for row in compaction.run.rows
        if row.standing is not Standing.TOOLLESS and row.chain.ids
    ]
    table(("line", "chain", "calls", "tools", "saved", "refs"), rows, stream, color=color, right=(0, 2, 4))
    print(summary(compaction), file=stream)


def _cells(row: ChainOutcome, compaction: Compaction) -> tuple[str, ...]:
    tools = row.tools if len(row.tools) <= _WIDEST else row.tools[: _WIDEST - 1] + "…"
    if not row.block_id:
        return (str(row.line), "-", str(row.calls), tools, "", _reason(row))
    saved = compaction.gain.saved[row.block_id]
    notes = [shortened(row.refs) or "no refs"]
    notes += ["summarized before"] if row.covered else []
    notes += ["grows"] if saved < 0 else []
    return (str(row.line), row.block_id, str(row.calls), tools, f"{saved:+d}", "; ".join(notes))


def _reason(row: ChainOutcome) -> str:
    reason = _REASONS[row.why if row.why is not None else row.standing]
    return f"{reason}: {row.detail}" if row.detail else reason


def shortened(refs: Sequence[Any]) -> str:
    """Write references with runs of following numbers as `t1-t4`."""
    parts: list[list[str]] = []
    before = -1
    for ref in map(string, refs):
        match = _NUMBERED.fullmatch(ref)
        number = int(match[1]) if match else -1
        if match and parts and number == before + 1:
            parts[-1] = [parts[-1][0], ref]
        else:
            parts.append([ref])
        before = number if match else -2
    return ", ".join("-".join(part) for part in parts)


def summary(compaction: Compaction) -> str:
    """Say in one line what it comes to; characters are UTF-16 units of the rendered messages as JSON."""
    count = len(compaction.run.compressed)
    if not count:
        return "nothing to compress"
    gain = compaction.gain
    parts = [
        f"{_counted(count, 'chain')} compressed: {gain.before} -> {gain.after} characters, {gain.before - gain.after} saved"  # noqa: E501 - a sentence is one text
    ]
    parts.append(f"{_counted(len(compaction.run.lines), 'entry', 'entries')} to append")
    if compaction.blobs:
        parts[-1] += f", {_counted(len(compaction.blobs), 'output')} in files"
    if compaction.inline:
        parts[-1] += (
            f", {_counted(compaction.inline, 'long output')} kept in the session for want of a usable file name"
        )
    return "; ".join(parts)


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def document(compaction: Compaction, captured: Captured | None, outcome: Outcome, load: Load) -> Iterator[bytes]:
    """Yield one object. Lines count from 1, times are milliseconds, characters UTF-16 units.

    `capture` holds texts of the session: it is what a rescan would hand to a summarizer. Without captured it is left out.
    """  # noqa: E501 - a sentence is one text
    run, gain = compaction.run, compaction.gain
    head = {
        "version": 1,
        "path": outcome.path,
        "format": outcome.format,
        "changes": compaction.changes,
        "written": outcome.written,
        "appended": len(run.lines),
        "beforeChars": gain.before,
        "afterChars": gain.after,
        "chains": [_chain(row, compaction) for row in run.rows],
        "spilled": [blob.path for blob in compaction.blobs],
        "keptInline": compaction.inline,
        "diagnostics": [{"kind": d.kind, "key": d.key, "detail": d.detail} for d in run.diagnostics],
        "skipped": [{"startUserTimestamp": start, "reason": reason} for start, reason in run.skipped],
        "detect": {
            "chains": [_detected(row) for row in run.rows],
            "eligible": [row.chain.start for row in run.rows if row.standing is Standing.ELIGIBLE],
            "inGrace": list(run.grace),
        },
    }
    if captured is None:
        yield stringify(head) + b"\n"
        return
    yield stringify(head)[:-1] + b',"capture":{"batches":['
    for number, batch in enumerate(captured.batches):
        yield (b"," if number else b"") + stringify(batch_value(batch, load))
    repeated = [{"key": one.key, "original": one.original} for one in captured.duplicates]
    yield b'],"duplicates":' + stringify(repeated) + b"}}\n"


def _chain(row: ChainOutcome, compaction: Compaction) -> dict[str, Any]:
    return {
        "line": row.line,
        "startUserTimestamp": row.chain.start,
        "standing": row.standing.value,
        "blockId": row.block_id or None,
        "reason": row.why.value if row.why is not None else None,
        "calls": row.calls,
        "refs": list(row.refs),
        "savedChars": compaction.gain.saved[row.block_id] if row.block_id else None,
    }


def _detected(row: ChainOutcome) -> dict[str, Any]:
    chain = row.chain
    return {
        "startUserTimestamp": chain.start,
        "middleToolCallIds": list(chain.ids),
        "middleOccurrenceKeys": list(chain.keys),
        "protectedToolCallIds": list(chain.protected),
        "finalAssistantTimestamp": chain.final,
    }
