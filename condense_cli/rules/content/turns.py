"""The order of turns: who begins, who ends, and whether they alternate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.blocks import USER_NOTE
from condense_cli.model.findings import Finding
from condense_cli.model.messages import FollowedCall, Message, Record, Role
from condense_cli.rules import sessions
from condense_cli.rules.blocks import by_record
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.rules.thread import Thread


def _turns(thread: Thread) -> Iterator[tuple[Message, bool]]:
    """Yield the messages that are sent, each with whether it is the assistant's."""
    system, assistant = Role.SYSTEM, Role.ASSISTANT
    for message in thread.view.messages:
        if not message.skipped and message.role is not system:
            yield message, message.role is assistant


def scan_start(thread: Thread) -> Iterator[Finding]:
    """Yield the first message that is no result where the assistant says it."""
    first = next(
        ((message, assistant) for message, assistant in _turns(thread) if message.role is not Role.RESULT), None
    )
    if first is not None and first[1]:
        variant = "taken" if thread.view.model_in_use.speaks_openai else ""
        yield Finding("starts-without-user", first[0].record.line, first[0].record, variant=variant)


def _sides(thread: Thread) -> Iterator[tuple[Message | None, bool, Message, bool]]:
    """Yield each message with the one before it, and whether the assistant has the word after either."""
    before: Message | None = None
    side = False
    for message, assistant in _turns(thread):
        # Where results are in the message of their calls, they are sent after it: the turn is the tool's, then.
        # Unless the answer went on after them.
        now = assistant and (all(result.server for result in message.results) or _goes_on(message))
        yield before, side, message, now
        before, side = message, now


def _goes_on(message: Message) -> bool:
    """Say whether something is said after the last call of a message, which holds its results, too."""
    return bool(message.calls) and isinstance(message.calls[-1], FollowedCall)


def scan_neighbours(thread: Thread) -> Iterator[Finding]:
    """Yield messages of the side that spoke last."""
    for before, side, message, _ in _sides(thread):
        speaks = message.role is not Role.RESULT and (message.said or not message.results)
        if before is not None and speaks and side is (message.role is Role.ASSISTANT):
            yield Finding("roles-not-alternating", message.record.line, message.record, related=(before.record.line,))


def scan_end(thread: Thread) -> Iterator[Finding]:
    """Yield the last message where it is a finished answer."""
    for message in reversed(thread.view.messages):
        if not message.skipped and message.role is not Role.SYSTEM:
            if (
                message.role is Role.ASSISTANT
                and not message.calls
                and all(result.server for result in message.results)
            ):
                yield Finding("ends-with-assistant", message.record.line, message.record)
            return


def add_user(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Put a marked user note before the thread."""
    draft = index.draft()
    for finding in findings:
        if draft.can_link(finding.record) and not draft.format.add_first_user(draft, finding):
            value = draft.format.user_note(draft, finding.record, USER_NOTE)
            draft.insert_before(value, finding.record, "starts-without-user")
    return draft.edits


def merge(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Join neighbours of one role, where the format can."""
    draft = index.draft()
    wanted = by_record(findings)
    before: Record | None = None
    for message in index.view.messages:
        record = message.record
        if (
            before is None
            or record not in wanted
            or not draft.format.merge(draft, before, record, "roles-not-alternating")
        ):
            before = record
    return draft.edits


END = Rule(
    "ends-with-assistant", Layer.CONTENT,
    "the assistant has the last word",
    "",
    sessions.anthropic(3, sessions.ask(), sessions.reply(sessions.say("One file."))),
    scan_thread=scan_end,
)  # fmt: skip

START = Rule(
    "starts-without-user", Layer.CONTENT,
    "the conversation does not begin with the user",
    "a marked note speaks for the user",
    sessions.anthropic(2, sessions.reply(sessions.say("How can I help?")), sessions.ask()),
    scan_thread=scan_start,
    fix=add_user,
)  # fmt: skip

NEIGHBOURS = Rule(
    "roles-not-alternating", Layer.CONTENT,
    "one side speaks twice in a row",
    "on request, the two become one",
    sessions.anthropic(3, sessions.ask(), sessions.ask([sessions.say("and folders")])),
    scan_thread=scan_neighbours,
    fix=merge,
    on_request=True,
)  # fmt: skip
