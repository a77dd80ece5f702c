"""Blocks in an order that a provider refuses: something before the results, text after a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.rules import sessions
from condense_cli.rules.blocks import reorder
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_flaws

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Record
    from condense_cli.rules.thread import Thread


def scan_text(thread: Thread) -> Iterator[Finding]:
    """Yield assistant messages with text after a call; where they are sent as Anthropic messages, the variant says
    so.
    """
    for _, finding in thread.flaws("text-after-call"):
        yield finding._replace(variant="native") if thread.view.model_in_use.speaks_anthropic else finding


def results_first(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Put results before everything else in their message."""

    def order(record: Record, count: int) -> list[int]:
        results = [result.part for result in (record.message.results if record.message else ())]
        return results + [part for part in range(count) if part not in set(results)]

    return reorder(findings, index, order)


def calls_last(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Put calls after the text of their message; the order is kept otherwise."""

    def order(record: Record, count: int) -> list[int]:
        calls = {call.part for call in (record.message.calls if record.message else ()) if not call.server}
        return sorted(range(count), key=lambda part: part in calls)

    return reorder(findings, index, order)


RESULTS = Rule(
    "results-not-first", Layer.CONTENT,
    "something is before the results in the user's turn",
    "the results go to the front",
    sessions.anthropic(4, sessions.ask(), sessions.reply(sessions.use()), sessions.ask([sessions.say("go on"), sessions.used()])),
    scan_thread=scan_flaws("results-not-first"),
    fix=results_first,
)  # fmt: skip

TEXT = Rule(
    "text-after-call", Layer.CONTENT,
    "the assistant says something after its call",
    "the calls go to the end of the message",
    sessions.pi(3, sessions.ASKED, sessions.assistant("m2", "m1", sessions.call(), sessions.say("Looking."), stop="toolUse", provider="anthropic"), sessions.ANSWERED),
    scan_thread=scan_text,
    fix=calls_last,
)  # fmt: skip
