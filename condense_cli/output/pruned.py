"""What pruning changes, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from condense_cli.jsonbytes.javascript import stringify
from condense_cli.output.tables import table

if TYPE_CHECKING:
    from condense_cli.pi_condense.prune.difference import Summary


def write_differences(summary: Summary, stream: TextIO, *, color: bool = False) -> None:
    """Write each change with its line and the characters it saves, then the sum and the prefix that survives."""
    rows = [
        (str(d.line), d.change, str(d.position), d.role, f"{d.before - d.after:+d}", d.reason)
        for d in summary.differences
    ]
    table(("line", "change", "message", "role", "saved", "reason"), rows, stream, color=color, right=(0, 2, 4))
    if not rows:
        print("nothing is pruned", file=stream)
        return
    counts = ", ".join(f"{number} {name}" for name, number in changes(summary).items())
    print(
        f"{counts}: {summary.before} -> {summary.after} characters, {summary.before - summary.after} saved", file=stream
    )
    share = 100 * summary.prefix // summary.before if summary.before else 100
    print(
        f"first change at message {summary.first} of {summary.messages}: the prefix before it stays cached"
        f" ({summary.prefix} characters, {share} %)",
        file=stream,
    )


_PAST = {
    "drop": "dropped",
    "replace": "replaced",
    "purge": "purged",
    "strip": "stripped",
    "move": "moved",
    "insert": "inserted",
}


def changes(summary: Summary) -> dict[str, int]:
    """Count the changes by kind."""
    counts = {past: sum(d.change == kind for d in summary.differences) for kind, past in _PAST.items()}
    return {past: number for past, number in counts.items() if number}


def as_json(summary: Summary) -> bytes:
    """Write the changes as one object; lines count from 1, message from 0. No text of the session is in it."""
    return (
        stringify(
            {
                "changes": [
                    {
                        "change": d.change,
                        "line": d.line,
                        "message": d.position,
                        "role": d.role,
                        "beforeChars": d.before,
                        "afterChars": d.after,
                    }
                    for d in summary.differences
                ],
                "messages": summary.messages,
                "beforeChars": summary.before,
                "afterChars": summary.after,
                "firstChanged": summary.first if summary.differences else None,
                "prefixChars": summary.prefix,
            }
        )
        + b"\n"
    )
