"""What belongs to the responses of a path and is not on it: results of parallel calls, and their siblings."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.formats.claude_code.chain import Chain
from condense_cli.formats.claude_code.facts import PROMPT, facts
from condense_cli.model.messages import Message, Record, Result, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Beside(NamedTuple):
    """What is off the path and belongs to it, by response."""

    siblings: dict[str, list[Message]]
    results: dict[str, list[Message]]
    again: dict[str, list[Message]]


def beside_of(chain: Chain, path: Sequence[Record]) -> Beside | None:  # noqa: C901 - the kinds that are told apart are read best side by side
    """Find what is off the path: other records of its responses, and results for their calls."""
    if len(path) == len(chain.records):
        return None
    on_path = {r.id for r in path}
    shown: dict[str, None] = {}
    for record in path:
        message = record.message
        if message is not None and message.role is Role.ASSISTANT and not message.skipped:
            name = facts(record).response
            if name is not None:
                shown[name] = None
    siblings: dict[str, list[Message]] = defaultdict(list)
    results: list[Message] = []
    seen: set[str | None] = set()
    for record in chain.records:
        message = record.message
        if message is None or record.id in on_path or message.skipped:
            continue
        if message.role is Role.ASSISTANT:
            name = facts(record).response
            if name in shown and record.id not in seen:
                seen.add(record.id)
                siblings[name].append(message)
        elif message.results and record.id not in seen:
            seen.add(record.id)
            results.append(message)
    found = Beside(siblings, defaultdict(list), defaultdict(list))
    if results:
        _own(chain, path, found, results)
    return found


def _own(chain: Chain, path: Iterable[Record], found: Beside, results: list[Message]) -> None:  # noqa: C901, PLR0912 - the kinds that are told apart are read best side by side
    """Give results beside the path to the response that asked; of a call that is answered on the path only a copy
    counts.

    A second answer that a branch of its own goes on from is another course of events, not a copy.
    """
    siblings = found.siblings
    latest: dict[str, str] = {}  # call id -> the last response on the path that used it
    asked: Counter[tuple[str, str]] = Counter()
    answered: Counter[tuple[str, str]] = Counter()
    done: set[str] = set()
    for record in path:
        message = record.message
        if message is None or message.skipped:
            continue
        if message.role is Role.ASSISTANT:
            name = facts(record).response
            if name is None:
                continue
            parts = [message] if name in done else [message, *siblings.get(name, [])]
            done.add(name)
            for call in (call for part in parts for call in part.calls if call.id):
                latest[call.id or ""] = name
                asked[name, call.id or ""] += 1
        for result in message.results:
            if result.id in latest:
                answered[latest[result.id], result.id] += 1
    for message in results:
        near = _asker(chain, message.record)
        mine: list[Result] = []
        owner: str | None = None
        group = found.results
        for result in message.results:
            ident = result.id or ""
            name = near if near is not None and (near, ident) in asked else latest.get(ident)
            if name is None or owner not in (None, name):
                continue
            enough = answered[name, ident] >= asked[name, ident]
            if enough and (name != near or _goes_on(chain, message.record, name)):
                continue
            if enough:
                group = found.again
            owner = name
            answered[name, ident] += 1
            mine.append(result)
        if owner is not None:
            group[owner].append(
                Message(message.record, Role.RESULT, (), tuple(mine), False, False, message.flaws, False, message.media)
            )


def _asker(chain: Chain, record: Record) -> str | None:
    """Return the response that a result beside the path descends from, with nothing said in between."""
    for above in chain.up(chain.parent(record)):
        if above.message is not None and above.message.role is Role.ASSISTANT:
            return facts(above).response
        if facts(above).flags & PROMPT:
            return None
    return None


def _goes_on(chain: Chain, record: Record, response: str) -> bool:
    """Say whether a prompt or another response descends from a record."""
    todo, seen = [record], {id(record)}
    while todo:
        for child in chain.children.get(todo.pop().id or "", ()):
            if id(child) in seen:
                continue
            seen.add(id(child))
            known = facts(child)
            if known.flags & PROMPT or known.response not in (None, response):
                return True
            todo.append(child)
    return False
