"""Replies of Claude Code that an error record cut off from the thread.

A request fails, an error record is written, the client tries again and gets its reply beside the error
record. When the next record then has the error as its parent, the reply is out of reach on the next resume.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.formats.claude_code.facts import ERROR, PROMPT, facts
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record, Role
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.formats.claude_code.chain import Chain


class Reply(NamedTuple):
    """What the fix of an unreachable reply needs: its records, and those of them that come after their new child."""

    records: tuple[Record, ...]
    after: tuple[Record, ...]


def scan_replies(chain: Chain) -> Iterator[Finding]:
    """Yield the records whose parent is an error next to a finished reply."""
    if not chain.flags & ERROR:
        return
    path = chain.path(chain.leaf())
    on_path = {id(record) for record in path}
    answered = _answered(path)
    for place, record in enumerate(path):
        errors = _errors_above(chain, record)
        if not errors or _is_reply(record) or facts(record).flags & ERROR or answered[place]:
            continue
        found = _replies(chain, errors, on_path)
        found = [reply for reply in found if facts(reply[-1]).time <= facts(record).time]
        if not found:
            continue
        reply = max(found, key=lambda branch: facts(branch[-1]).time)
        after = tuple(r for r in reply if chain.order[id(r)] > chain.order[id(record)])
        yield Finding(
            "unreachable-reply", record.line, record, related=(errors[0].line, reply[-1].line),
            detail="its parent is an error record, whose sibling is the reply", cause=Reply(tuple(reply), after),
        )  # fmt: skip


def fix_reply(draft: Draft, finding: Finding) -> None:
    """Give the record the reply as its parent; no parent comes after its child, so the reply may have to move."""
    record, reply = finding.record, finding.cause
    end = reply.records[-1]
    draft.rewrite(
        record,
        jsonedit.replace(draft.raw(record), ("parentUuid",), end.id),
        finding.rule,
        Change.REPARENT,
        target=end.line,
    )
    if reply.after:
        at = draft.known.order[record]
        anchor = draft.records[at - 1] if at else None
        for late in reply.after:
            anchor = draft.shift(late, anchor, finding.rule)


def _errors_above(chain: Chain, record: Record) -> list[Record]:
    """Return the error records that are the parent of this one, its parent and so on, the nearest first."""
    errors: list[Record] = []
    for above in chain.up(chain.parent(record)):
        if not facts(above).flags & ERROR:
            break
        errors.append(above)
    return errors


def _is_reply(record: Record) -> bool:
    message = record.message
    return message is not None and message.role is Role.ASSISTANT and not message.skipped


def _answered(path: Sequence[Record]) -> list[bool]:
    """Say of each place whether the thread has a reply of its own from there on before the user speaks again."""
    found: list[bool] = []
    now = False
    for record in reversed(path):
        if _is_reply(record):
            now = True
        elif facts(record).flags & PROMPT:
            now = False
        found.append(now)
    return found[::-1]


def _replies(chain: Chain, errors: list[Record], on_path: set[int]) -> list[list[Record]]:
    """Return the branches beside the errors that are one finished reply: no prompt in it, no open call."""
    above = chain.parent(errors[-1])
    found: list[list[Record]] = []
    for parent in (above, *errors):
        for child in chain.children.get(parent.id or "", ()) if parent is not None else ():
            if (
                id(child) not in on_path
                and not facts(child).flags & ERROR
                and facts(child).owner == facts(errors[0]).owner
            ):
                branch = _branch(chain, child)
                if branch is not None:
                    found.append(branch)
    return found


def _branch(chain: Chain, first: Record) -> list[Record] | None:
    """Return a branch as the path to its newest end, or None when it is no finished reply."""
    todo, seen, ends = [first], {id(first)}, []
    open_calls: set[str | None] = set()
    answered: set[str | None] = set()
    while todo:
        record = todo.pop()
        if facts(record).flags & PROMPT:
            return None
        message = record.message
        if message is not None:
            open_calls.update(call.id for call in message.calls if not call.server)
            answered.update(result.id for result in message.results)
        below = [child for child in chain.children.get(record.id or "", ()) if id(child) not in seen]
        if not below:
            ends.append(record)
        seen.update(id(child) for child in below)
        todo.extend(below)
    if open_calls - answered:
        return None
    end = max(ends, key=lambda r: facts(r).time)
    path: list[Record] = []
    for record in chain.up(end):
        path.append(record)
        if record is first:
            break
    path.reverse()
    said = [r for r in path if _is_reply(r)]
    last = said[-1].message if said else None
    return path if last is not None and last.said and not last.calls else None
