"""A later turn uses the id of an earlier call again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.rules import sessions
from condense_cli.rules.call_ids import rename
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.rules.thread import Thread


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield the later calls; where the thread's model is Anthropic's own, its variant says so."""
    return (
        thread.faults("reused-id", variant="anthropic") if thread.view.model_in_use.anthropic else thread.faults("reused-id")
    )


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Give the later call and its result an id of their own."""
    draft = index.draft()
    for fault in index.faults.get("reused-id", ()):
        if fault.call is not None:
            rename(draft, fault.call, index.results.get(fault.call), "reused-id")
    return draft.edits


RULE = Rule(
    "reused-id", Layer.PAIRING,
    "an earlier turn used this call id",
    "call and result get an id of their own where the reader rejects them (--ids)",
    sessions.anthropic(6, sessions.ask(), sessions.reply(sessions.use()), sessions.ask([sessions.used()]), sessions.reply(sessions.say("Again.")), sessions.reply(sessions.use()), sessions.ask([sessions.used()])),
    scan_thread=scan,
    fix=fix,
)  # fmt: skip
