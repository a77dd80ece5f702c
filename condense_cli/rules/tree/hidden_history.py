"""Turns that the client leaves out when it resumes, because a record that nobody said took the end of the thread away.

Whoever goes back on purpose says something there: a turn of the user below an older record hides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document import tables
from condense_cli.document.tables import active_view
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record, Role
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index


class Hidden(NamedTuple):
    """Turns off the thread that one of its records took out of reach: how many, the newest, and whether the user
    speaks in them.
    """

    number: int
    newest: Record
    user: bool


def scan(document: Document) -> Iterator[Finding]:
    """Yield the records of the thread that took its end away from newer turns."""
    if not document.is_tree:
        return
    path = document.derived(active_view).path
    fmt = document.format
    if len(path) == sum(1 for record in document.records if record.id is not None):
        return
    aside = _aside(document, path)
    if not aside:
        return
    below: Role | None = None  # who speaks next after this place
    for place in range(len(path) - 1, -1, -1):
        record = path[place]
        turns = aside.get(path[place - 1] if place else None, ())
        if fmt.is_turn(record) and not (turns and fmt.speaks_for_user(document, record)):
            below = record.message.role if record.message is not None else below
            continue
        hidden = _before(document, turns, record)
        if (
            hidden is None
            or below is Role.USER
            or (below is not None and not hidden.user)
            or fmt.moves_on_purpose(record)
        ):
            continue
        what = f"{hidden.number} {'message' if hidden.number == 1 else 'messages'} up to {hidden.newest.id}"
        yield Finding(
            "hidden-history", record.line, record, related=(hidden.newest.line,), detail=what, cause=hidden.newest.id
        )


def _aside(document: Document, path: Sequence[Record]) -> dict[Record | None, list[Record]]:
    """Return the turns off the thread by the record of the thread that they are below; those below none of it under
    None.
    """
    fmt = document.format
    owners = {record.id: record for record in document.records if record.id is not None}
    on: dict[Record, Record | None] = {record: record for record in path}
    read = set(document.derived(active_view).beside)
    found: dict[Record | None, list[Record]] = {}
    for record in document.records:
        if record.id is None or record in on:
            continue
        walk: list[Record] = []
        at: Record | None = record
        while at is not None and at not in on:
            on[at] = None  # a ring ends here
            walk.append(at)
            at = owners.get(fmt.parent_of(document, at) or "")
        top = on[at] if at is not None else None
        for one in walk:
            on[one] = top
    for record in document.records:
        if record.id is not None and record not in read and on.get(record) is not record and fmt.is_turn(record):
            found.setdefault(on[record], []).append(record)
    return found


def _before(document: Document, turns: Sequence[Record], taker: Record) -> Hidden | None:
    """Return the turns of the same owner that were written before a record."""
    if not turns:
        return None
    order, owner = document.derived(tables.order), document.format.owner
    mine = [turn for turn in turns if order[turn] < order[taker] and owner(turn) == owner(taker)]
    if not mine:
        return None
    return Hidden(
        len(mine), mine[-1], any(turn.message is not None and turn.message.role is Role.USER for turn in mine)
    )


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Give the record that took the end away the newest message as its parent."""
    tree = index.document.format.tree
    assert tree is not None
    draft = index.draft()
    for finding in findings:
        raw = jsonedit.replace(draft.raw(finding.record), (tree.parent,), finding.cause)
        draft.rewrite(finding.record, raw, finding.rule, Change.REPARENT, target=finding.related[0])
    return draft.edits


RULE = Rule(
    "hidden-history", Layer.TREE,
    "a record that nobody said leads the thread past newer messages, which are out of reach",
    "on request, the record is put after the newest message",
    sessions.pi(6, sessions.ASKED, sessions.CALLED, sessions.ANSWERED, sessions.SAID, sessions.other("custom", "m5", "m1", customType="exit", data={})),
    scan=scan,
    fix=fix,
    on_request=True,
)  # fmt: skip
