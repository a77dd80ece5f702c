"""What compaction into a new file does to a session, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from condense_cli.jsonbytes.javascript import stringify
from condense_cli.output.compacted import shortened
from condense_cli.output.tables import table
from condense_cli.pi_condense.compact.chains import Standing
from condense_cli.pi_condense.compact.run import Why

if TYPE_CHECKING:
    from condense_cli.pi_condense.compact.rewrite import ChainRewrite, Rewriting

_REASONS: dict[Standing | Why, str] = {
    Standing.COMPRESSED: "compressed before",
    Standing.INTERRUPTED: "interrupted by a user message",
    Standing.RECENT: "too recent (--window)",
    Why.NO_GAIN: "would save nothing (--only-gain)",
    Why.UNSAFE: "left alone",
}
_WIDEST = 28


class Outcome(NamedTuple):
    """What is told beside the compaction: which file, what was written, and where the outputs went (None: nowhere)."""

    path: str
    format: str
    written: bool
    sidecar: str | None


def write_rows(rewriting: Rewriting, stream: TextIO, *, color: bool = False) -> None:
    """Write a line for each chain with calls: what it saves and its references, or why it is left alone; then the
    sum.
    """
    rows = [_cells(row) for row in rewriting.rows if row.calls or row.standing is Standing.COMPRESSED]
    first = "line" if all(row.index is None for row in rewriting.rows) else "message"
    table((first, "chain", "calls", "tools", "saved", "refs"), rows, stream, color=color, right=(0, 2, 4))
    print(summary(rewriting), file=stream)


def _cells(row: ChainRewrite) -> tuple[str, ...]:
    tools = row.tools if len(row.tools) <= _WIDEST else row.tools[: _WIDEST - 1] + "…"
    calls = str(row.calls) if row.calls else ""
    place = str(row.line if row.index is None else row.index)
    if not row.block:
        reason = _REASONS[row.why if row.why is not None else row.standing]
        return (place, "-", calls, tools, "", f"{reason}: {row.detail}" if row.detail else reason)
    refs = shortened([kept.ref for kept in row.kept])
    return (place, row.block, calls, tools, f"{row.saved:+d}", f"{refs}; grows" if row.saved < 0 else refs)


def summary(rewriting: Rewriting) -> str:
    """Say in one line what it comes to; characters are UTF-16 units of what the model reads."""
    count = len(rewriting.compressed)
    if not count:
        return "nothing to compress"
    chains = "1 chain" if count == 1 else f"{count} chains"
    gone = sum(len(row.gone) for row in rewriting.compressed) + len(rewriting.others)
    return f"{chains} compressed: {rewriting.before} -> {rewriting.after} characters, {rewriting.before - rewriting.after} saved; {gone} records leave the session"  # noqa: E501 - a sentence is one text


def document(rewriting: Rewriting, outcome: Outcome) -> bytes:
    """Write one object without any text of the session.

    Lines count from 1, messages of an array (`index`) from 0, characters are UTF-16 units.
    """
    value = {
        "version": 1,
        "path": outcome.path,
        "format": outcome.format,
        "changes": bool(rewriting.compressed),
        "written": outcome.written,
        "sidecar": outcome.sidecar,
        "removed": sum(len(row.gone) for row in rewriting.compressed) + len(rewriting.others),
        "beforeChars": rewriting.before,
        "afterChars": rewriting.after,
        "chains": [_chain(row) for row in rewriting.rows],
    }
    return stringify(value) + b"\n"


def _chain(row: ChainRewrite) -> dict[str, Any]:
    return {
        "line": row.line,
        "index": row.index,
        "standing": row.standing.value,
        "blockId": row.block or None,
        "reason": row.why.value if row.why is not None else None,
        "detail": row.detail,
        "calls": row.calls,
        "refs": [kept.ref for kept in row.kept],
        "savedChars": row.saved if row.block else None,
    }
