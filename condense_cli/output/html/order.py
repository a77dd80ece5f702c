"""The order of the page and why a message is not in every view: decided on facts, before any text is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.output.html.merge import merge
from condense_cli.output.html.page import Fate, Seen
from condense_cli.output.html.viewed_turn import BROKEN, CLIENT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from condense_cli.output.html.viewed_turn import ViewedTurn


class Facts(NamedTuple):
    """What is kept of a turn while the page is planned."""

    digest: bytes
    role: str
    line: int
    start: int
    index: int | None  # type: ignore[assignment]  # as in Finding
    skipped: bool


class Lane(NamedTuple):
    """One view: how its turns are made, and their facts."""

    seen: Seen
    make: Callable[[], Iterator[ViewedTurn]]
    facts: tuple[Facts, ...]


class Slot(NamedTuple):
    """One place of the page: the letters of its views, the lane it is made from, its number there, its facts."""

    views: str
    lane: int
    number: int
    facts: Facts


class Paths(NamedTuple):
    """Where records are: first bytes of those on the thread, of those of another agent, and why some were pruned."""

    thread: Collection[int]
    others: Collection[int]
    reasons: Mapping[int, str]


def lane(seen: Seen, make: Callable[[], Iterator[ViewedTurn]]) -> Lane:
    """Go through a view once and keep the facts of its turns."""
    return Lane(seen, make, tuple(Facts(t.digest(), t.role, t.line, t.start, t.index, t.skipped) for t in make()))


def merged(lanes: Sequence[Lane]) -> list[Slot]:
    """Return all turns of all views in one order that keeps the order of each view; equal ones are one."""
    slots: list[Slot] = []
    for number, one in enumerate(lanes):
        places = merge([slot.facts.digest for slot in slots], [facts.digest for facts in one.facts])
        slots = [_slot(slots, place.first, number, one, place.second) for place in places]
    return slots


def _slot(slots: list[Slot], first: int | None, number: int, one: Lane, second: int | None) -> Slot:
    if first is None:
        assert second is not None
        return Slot(one.seen.value, number, second, one.facts[second])
    slot = slots[first]
    return slot if second is None else slot._replace(views=slot.views + one.seen.value)


def fates(slots: Sequence[Slot], paths: Paths) -> list[tuple[Fate, str]]:
    """Say of each slot why it is not in every view, and more of it in words."""
    read = {slot.facts.start for slot in slots if Seen.CONTEXT in slot.views}
    decided = [_fate(slot, paths, read) for slot in slots]
    places = {
        fate: {slot.facts.digest for slot, (one, _) in zip(slots, decided, strict=True) if one is fate}
        for fate in _MOVES
    }
    moved = places[Fate.REMOVED] & places[Fate.ADDED]
    return [
        (Fate.MOVED, _MOVES[fate]) if fate in _MOVES and slot.facts.digest in moved else (fate, why)
        for slot, (fate, why) in zip(slots, decided, strict=True)
    ]


_MOVES = {Fate.REMOVED: "moved by the repair", Fate.ADDED: "where the repair moves it"}


def _fate(slot: Slot, paths: Paths, read: Collection[int]) -> tuple[Fate, str]:  # noqa: PLR0911 - one answer for each kind
    facts, views = slot.facts, slot.views
    if facts.role in (CLIENT, BROKEN):
        return Fate.SENT, ""
    if facts.skipped:
        return Fate.SKIPPED, "aborted or failed: not sent"
    if Seen.CONTEXT in views:
        if Seen.REPAIRED not in views:
            return Fate.REMOVED, "changed or removed by the repair"
        if Seen.RENDERED not in views:
            return Fate.PRUNED, "pruned: " + paths.reasons.get(facts.start, "not in the rendered view")
        return Fate.SENT, ""
    if Seen.STORED in views:
        return _unread(facts, paths, read)
    return (
        (Fate.ADDED, "as it is after the repair")
        if Seen.REPAIRED in views
        else (Fate.REPLACEMENT, "as it is after pruning")
    )


def _unread(facts: Facts, paths: Paths, read: Collection[int]) -> tuple[Fate, str]:
    if facts.start in paths.others:
        return Fate.OTHER_AGENT, "sub-agent or another session"
    if facts.start not in paths.thread:
        return Fate.OTHER_THREAD, "on another thread"
    if facts.start in read:
        return Fate.SENT, "the client reads it in another form"
    return Fate.COMPACTED, "compacted: the client does not read it any more"


_BANDS = {
    Fate.COMPACTED: "compacted away: the client does not read {them} any more",
    Fate.OTHER_THREAD: "on another thread: the client does not read {them} now",
    Fate.OTHER_AGENT: "of a sub-agent or another session",
    Fate.PRUNED: "pruned: left out of, or shortened in, what the provider is sent",
}


def bands(slots: Sequence[Slot], decided: Sequence[tuple[Fate, str]]) -> dict[int, str]:
    """Return a heading for each run of messages with one fate, by the number of its first slot; bookkeeping does not
    end a run.
    """
    runs: list[tuple[int, Fate, list[int]]] = []
    for number, (slot, (fate, _)) in enumerate(zip(slots, decided, strict=True)):
        if slot.facts.role == CLIENT or fate is Fate.REPLACEMENT:
            continue
        if not runs or runs[-1][1] is not fate:
            runs.append((number, fate, []))
        runs[-1][2].append(slot.facts.line)
    return {number: _band(fate, lines) for number, fate, lines in runs if fate in _BANDS}


def _band(fate: Fate, lines: list[int]) -> str:
    first, last = min(lines), max(lines)
    where = f"line {first}" if first == last else f"lines {first}–{last}"
    what = "1 message" if len(lines) == 1 else f"{len(lines)} messages"
    return f"{what} ({where}) {_BANDS[fate].format(them='it' if len(lines) == 1 else 'them')}"
