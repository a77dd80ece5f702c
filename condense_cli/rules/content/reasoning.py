"""Reasoning that leads nowhere, that is another model's, or that is missing.

The last two are found by their formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.blocks import by_record, drop_records
from condense_cli.rules.rule import Example, Layer, Rule
from condense_cli.rules.thread import scan_flaws

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.rules.thread import Thread


def scan_foreign(thread: Thread) -> Iterator[Finding]:
    """Yield one finding for each model that is not used any more, at the first item that it wrote: all follow from
    one switch.
    """
    groups: dict[str, list[Finding]] = {}
    for _, finding in thread.flaws("foreign-reasoning"):
        groups.setdefault(finding.detail, []).append(finding)
    for detail, mine in groups.items():
        lines = tuple(dict.fromkeys(finding.line for finding in mine[1:]))
        more = f", and {len(mine) - 1} more" if len(mine) > 1 else ""
        yield mine[0]._replace(related=lines, detail=detail + more, cause=tuple(mine))


def drop_foreign(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Take out all items that the findings stand for."""
    return drop_records([each for finding in findings for each in finding.cause], index)


def add(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Write an empty `reasoning_content`, which is what its provider asks to see again."""
    draft = index.draft()
    for record in by_record(findings):
        draft.rewrite(
            record, jsonedit.replace(draft.raw(record), ("reasoning_content",), ""), "missing-reasoning", Change.REPLACE
        )
    return draft.edits


DANGLING = Rule(
    "dangling-reasoning", Layer.CONTENT,
    "a reasoning item is empty, or what it led to is gone",
    "the item goes",
    Example("codex", 3, sessions.lines(sessions.meta(), sessions.item(1, "user", "Go."), sessions.reasoning(2), sessions.item(3, "user", "More."), sessions.item(4, "assistant", "Done."))),
    scan_thread=scan_flaws("dangling-reasoning"),
    fix=drop_records,
)  # fmt: skip

FOREIGN = Rule(
    "foreign-reasoning", Layer.CONTENT,
    "another model's reasoning is in the history",
    "on request, the item goes",
    Example("codex", 4, sessions.lines(sessions.meta(), sessions.turn(1, "gpt-5.2"), sessions.item(2, "user", "Go."), sessions.reasoning(3), sessions.item(4, "assistant", "Done."), sessions.turn(5, "gpt-5.3-codex"))),
    scan_thread=scan_foreign,
    fix=drop_foreign,
    on_request=True,
)  # fmt: skip

MISSING = Rule(
    "missing-reasoning", Layer.CONTENT,
    "other turns carry their reasoning, this one does not",
    "an empty one is written where the reader insists on it",
    Example(
        "openai-chat",
        5,
        sessions.array(sessions.ask(), sessions.chat_call("call_1", reasoning_content="Look first."), sessions.chat_result("call_1"), sessions.chat_call("call_2"), sessions.chat_result("call_2")),
    ),
    scan_thread=scan_flaws("missing-reasoning"),
    fix=add,
)  # fmt: skip
