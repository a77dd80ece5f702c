"""Which record of the new file is which record of the old one, and which edits made it so."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document.records import BLANK, UNREADABLE
from condense_cli.model.plan import Change, Copy, Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator

    from condense_cli.document.document import Document
    from condense_cli.model.messages import Record

    Key = Callable[[Record, int], Hashable]  # of a record with the number of matched ones before it


_LAST = 3  # the last way to find a record's partner: by its place alone


class Changed(NamedTuple):
    """One record that a plan changes: as it was and as it will be; None where it is in one of the files only.

    after is the old line (from 1) of the last record before its new place that stays where it is, 0 for none.
    """

    old: Record | None
    new: Record | None
    edits: tuple[Edit, ...] = ()
    after: int = 0
    moved: bool = False


class Aligned(NamedTuple):
    """The changed records in the order of the new file, and the edits that belong to none of them."""

    changed: tuple[Changed, ...]
    others: tuple[Edit, ...]


def align(plan: Plan, old: Document, new: Document) -> Aligned:
    """Compare the records of the file a plan was made for with those of the file it makes."""
    places = {(record.line, old.index(record)): n for n, record in enumerate(old.records)}
    of_record: dict[int, list[Edit]] = defaultdict(list)
    inserts: dict[str | None, deque[Edit]] = defaultdict(deque)
    loose: list[Edit] = []
    for edit in plan.edits:
        number = places.get((edit.line, edit.index), places.get((edit.line, None)))
        if edit.change is Change.INSERT:
            inserts[edit.call_id].append(edit)
        elif number is None:
            loose.append(edit)
        else:
            of_record[number].append(edit)
    partner, same = _partners(plan, old, new, of_record)
    moved = {n for n, edits in of_record.items() if any(edit.change is Change.MOVE for edit in edits)}
    number_of = {id(record): n for n, record in enumerate(old.records)}
    out = [_insertion(one, inserts) for one in _in_order(old, new, partner, same, moved)]
    for n, one in enumerate(out):
        if one.old is not None:
            edits = (*of_record.pop(number_of[id(one.old)], ()), *(_answers(one, inserts) if inserts else ()))
            out[n] = Changed(one.old, one.new, edits, one.after, one.moved)
    rest = [edit for edits in (*of_record.values(), *inserts.values(), loose) for edit in edits]
    return Aligned(tuple(out), tuple(sorted(rest, key=lambda edit: edit.line)))


def _partners(
    plan: Plan, old: Document, new: Document, edits: dict[int, list[Edit]]
) -> tuple[dict[int, int], set[int]]:
    """Return the number of the old record for those of the new ones that have one, and which of them have its bytes."""
    partner: dict[int, int] = {}
    same: set[int] = set()
    starts = [record.start for record in old.records]
    taken: set[int] = set()
    for n, (start, end) in enumerate(_origins(plan, new)):
        if start is None:
            continue
        at = bisect_right(starts, start) - 1
        if at < 0 or at in taken or end > old.records[at].end:
            continue
        partner[n] = at
        taken.add(at)
        if (start, end) == (old.records[at].start, old.records[at].end):
            same.add(n)
    dropped = {n for n, found in edits.items() if any(edit.change is Change.DROP for edit in found)}
    _pair_the_rest(old, new, partner, taken, dropped)
    return partner, same


def _pair_the_rest(old: Document, new: Document, partner: dict[int, int], taken: set[int], dropped: set[int]) -> None:
    """Find partners of the new records that have none: by id, by calls and results, by kind and place, by place."""
    news = [n for n in range(len(new.records)) if n not in partner]
    olds = [n for n in range(len(old.records)) if n not in taken]
    gaps_of_new, gaps_of_old = _gaps(partner, len(new.records)), _gaps(taken, len(old.records))
    keys: tuple[Key, ...] = (
        lambda record, _: record.id,
        lambda record, _: _by_halves(record),
        lambda record, gap: (record.kind, _role(record), gap),
        lambda _, gap: gap,  # a line that nobody can read, and the record in it
    )
    for level, key_of in enumerate(keys):
        waiting: dict[Hashable, deque[int]] = defaultdict(deque)
        for n in olds:
            record = old.records[n]
            if (
                not (level and n in dropped)
                and (level < _LAST or record.kind == UNREADABLE)
                and (key := key_of(record, gaps_of_old[n])) is not None
            ):
                waiting[key].append(n)
        for n in news:
            if (key := key_of(new.records[n], gaps_of_new[n])) is not None and (known := waiting.get(key)):
                partner[n] = known.popleft()
                taken.add(partner[n])
        news, olds = [n for n in news if n not in partner], [n for n in olds if n not in taken]


def _origins(plan: Plan, new: Document) -> Iterator[tuple[int | None, int]]:
    """Yield for each new record the span of the old file that it was copied from as a whole, or None."""
    ends: list[int] = []
    at = 0
    for segment in plan.segments:
        at += segment.end - segment.start if isinstance(segment, Copy) else len(segment.data)
        ends.append(at)
    for record in new.records:
        n = bisect_right(ends, record.start)
        origin = plan.segments[n] if n < len(ends) else None
        if not isinstance(origin, Copy) or record.end > ends[n]:
            yield None, 0
            continue
        shift = origin.end - ends[n]
        yield record.start + shift, record.end + shift


def _gaps(matched: Collection[int], size: int) -> list[int]:
    """Return for each place the number of places before it that are matched already."""
    out, seen = [], 0
    for n in range(size):
        seen += n in matched
        out.append(seen)
    return out


def _by_halves(record: Record) -> Hashable:
    message = record.message
    ids = tuple(half.id for half in message.halves if half.id) if message is not None else ()
    return (_role(record), ids) if ids else None


def _role(record: Record) -> str:
    return record.message.role.value if record.message is not None else ""


def _in_order(
    old: Document, new: Document, partner: dict[int, int], same: set[int], moved: set[int]
) -> Iterator[Changed]:
    """Yield what is not the same in the order of the new file; what is gone comes where it was."""
    kept = set(partner.values())
    gone = deque(n for n, record in enumerate(old.records) if n not in kept and record.kind != BLANK)
    after, last = 0, -1
    for n, record in enumerate(new.records):
        number = partner.get(n)
        is_moved = number in moved
        while gone and (gone[0] < number if number is not None and not is_moved else gone[0] == last + 1):
            last = gone.popleft()
            yield Changed(old.records[last], None, after=after)
        if n not in same or is_moved:
            was = old.records[number] if number is not None else None
            if was is not None or record.kind != BLANK:
                yield Changed(was, record, after=after, moved=is_moved)
        if number is not None and not is_moved:
            after, last = old.records[number].line, number
    for number in gone:
        yield Changed(old.records[number], None, after=after)


def _insertion(one: Changed, inserts: dict[str | None, deque[Edit]]) -> Changed:
    """Give a new record the edit that put it in: the one about its call, else the first one that names no call."""
    if one.old is not None or one.new is None:
        return one
    for key in (*_ids(one.new), None):
        if inserts.get(key):
            return one._replace(edits=(inserts[key].popleft(),))
    return one


def _answers(one: Changed, inserts: dict[str | None, deque[Edit]]) -> list[Edit]:
    """Take the insertions that put a result into a record that is there already."""
    if one.new is None or one.new.message is None or not one.new.message.results:
        return []
    return [inserts[key].popleft() for key in _ids(one.new) if inserts.get(key)]


def _ids(record: Record) -> list[str]:
    """Return the ids of the calls and results of a record, in their order."""
    return [half.id for half in record.message.halves if half.id] if record.message is not None else []
