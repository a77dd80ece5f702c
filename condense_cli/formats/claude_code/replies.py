"""Replies of Claude Code that an error record cut off from the thread.

A request fails, an error record is written, the client tries again and gets its reply beside the error
record. When the next record then hangs on the error, the reply is out of reach on the next resume.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.formats.claude_code.facts import ERROR, PROMPT, facts
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record, Role
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from condense_cli.document.editing import Editable
    from condense_cli.formats.claude_code.chain import Chain


def mend_replies(document: Editable, chain: Chain, wanted: Callable[[str], bool]) -> None:
    """Find records that hang on an error next to a finished reply, and hang them on the reply where that is wanted."""
    if not any(record.extra.flags & ERROR for record in chain.records):
        return
    path = chain.path(chain.leaf())
    on_path = {id(record) for record in path}
    for place, record in enumerate(path):
        errors = _errors_above(chain, record)
        if not errors or _is_reply(record) or facts(record).flags & ERROR or _is_answered(path[place:]):
            continue
        found = _replies(chain, errors, on_path)
        found = [reply for reply in found if facts(reply[-1]).time <= facts(record).time]
        if not found:
            continue
        reply = max(found, key=lambda branch: facts(branch[-1]).time)
        document.findings.append(
            Finding("unreachable-reply", record.line, record, related=(errors[0].line, reply[-1].line), detail="it hangs on an error record, and the reply stands beside that")
        )
        if wanted("unreachable-reply"):
            _hang(document, chain, record, reply)
    document.settle()


def _errors_above(chain: Chain, record: Record) -> list[Record]:
    """Return the error records that this one hangs on, the nearest first."""
    errors: list[Record] = []
    for above in chain.up(chain.parent(record)):
        if not facts(above).flags & ERROR:
            break
        errors.append(above)
    return errors


def _is_reply(record: Record) -> bool:
    message = record.message
    return message is not None and message.role is Role.ASSISTANT and not message.skipped


def _is_answered(rest: Sequence[Record]) -> bool:
    """Say whether the thread has a reply of its own before the user speaks again."""
    for record in rest:
        if _is_reply(record):
            return True
        if facts(record).flags & PROMPT:
            return False
    return False


def _replies(chain: Chain, errors: list[Record], on_path: set[int]) -> list[list[Record]]:
    """Return the branches beside the errors that are one finished reply: no prompt in it, no open call."""
    above = chain.parent(errors[-1])
    found: list[list[Record]] = []
    for parent in (above, *errors):
        for child in chain.children.get(parent.id or "", ()) if parent is not None else ():
            if id(child) not in on_path and not facts(child).flags & ERROR and facts(child).owner == facts(errors[0]).owner:
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


def _hang(document: Editable, chain: Chain, record: Record, reply: list[Record]) -> None:
    end = reply[-1]
    raw = jsonedit.replace(document.raw(record), ("parentUuid",), end.id)
    document.rewrite(record, raw, "unreachable-reply", Change.REPARENT, target=end.line)
    place = chain.order[id(record)]
    behind = [r for r in reply if chain.order[id(r)] > place]
    if behind:
        # No parent stands behind its child: the reply comes in front of what hangs on it now.
        at = document.records.index(record)
        anchor = document.records[at - 1] if at else None
        for late in behind:
            anchor = document.shift(late, anchor, "unreachable-reply")
