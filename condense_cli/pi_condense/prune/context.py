"""pi's session context: which messages the entries of a branch become, before anything is pruned.

Compaction cuts the branch, context_edit takes messages out or changes their content. Behaviour of pi 1.6.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from condense_cli.jsonbytes.javascript import UNDEFINED, milliseconds, truthy
from condense_cli.model.messages import Record
from condense_cli.pi_condense.prune.facts import Facts, ResultFacts, facts_of

Load = Callable[[Record], dict[str, Any]]

Seen = TypeVar("Seen", bound="ContextMessage")

_CUTS = ("compaction", "reset")
_EDITED_AS_BLOCKS = ("assistant", "toolResult")
_EDITED_AS_IS = ("user", "custom")
_WITHOUT_CONTENT = {"system": "", "user": [], "assistant": [], "toolResult": []}


@dataclass(slots=True)
class ContextMessage:
    """One message of the context: its entry and its facts."""

    record: Record
    facts: Facts

    @property
    def number(self) -> int:
        """Return which message of the entry it is, from 0."""
        return 0

    @property
    def edit(self) -> Record | None:
        """Return the entry that edits it."""
        return None


@dataclass(slots=True)
class OddContextMessage(ContextMessage):
    """A message that is not the only one of its entry, or is edited."""

    number: int = 0
    edit: Record | None = None


@dataclass(slots=True)
class Brief:
    """What the choice of context entries needs of one entry."""

    record: Record
    type: str
    id: Any
    messages: tuple[Facts, ...]
    kept_from: Any = UNDEFINED  # of a compaction
    target: Any = UNDEFINED  # of a context_edit
    omits: bool = False


def messages_of(entry: dict[str, Any], *, compaction: bool = True) -> list[dict[str, Any]]:
    """Return the messages that one entry contributes; a compaction does so only when it is the one that counts."""
    kind = entry.get("type")
    if kind == "message":
        message = entry.get("message")
        if not isinstance(message, dict):
            return []
        empty = _WITHOUT_CONTENT.get(message["role"]) if isinstance(message.get("role"), str) else None
        if empty is not None and message.get("content") is None:
            message = {**message, "content": empty}
        return [message]
    if kind == "custom_message":
        content = entry.get("content")
        message = {
            "role": "custom",
            "customType": entry.get("customType", UNDEFINED),
            "content": [] if content is None else content,
            "display": entry.get("display", UNDEFINED),
            "details": entry.get("details", UNDEFINED),
            "timestamp": _time(entry),
        }
    elif kind == "branch_summary" and truthy(entry.get("summary")):
        message = {
            "role": "branchSummary",
            "summary": entry["summary"],
            "fromId": entry.get("fromId", UNDEFINED),
            "timestamp": _time(entry),
        }
    elif kind == "compaction" and compaction:
        message = {
            "role": "compactionSummary",
            "summary": entry.get("summary", UNDEFINED),
            "tokensBefore": entry.get("tokensBefore", UNDEFINED),
            "timestamp": _time(entry),
        }
        system = entry.get("systemMessage")
        if isinstance(system, dict):
            return [system, _defined(message)]
    else:
        return []
    return [_defined(message)]


def _defined(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if value is not UNDEFINED}


def _time(entry: dict[str, Any]) -> float:
    time = entry.get("timestamp", UNDEFINED)
    return float("nan") if time is UNDEFINED else milliseconds(time)


def edited(message: dict[str, Any], replacement: Any) -> dict[str, Any]:
    """Return the message with the content of a context_edit; a role that cannot be edited stays as it is."""
    role = message.get("role")
    if role not in (*_EDITED_AS_BLOCKS, *_EDITED_AS_IS) or not isinstance(replacement, dict):
        return message
    content = replacement.get("content", UNDEFINED)
    if isinstance(content, str) and role in _EDITED_AS_BLOCKS:
        content = [{"type": "text", "text": content}]
    return _defined({**message, "content": content})


def brief_of(record: Record, entry: dict[str, Any]) -> Brief:
    """Read from one entry what the context needs to know."""
    kind = entry.get("type")
    return Brief(
        record,
        kind if isinstance(kind, str) else "",
        entry.get("id"),
        tuple(facts_of(message) for message in messages_of(entry)),
        entry.get("firstKeptEntryId", UNDEFINED),
        entry.get("targetId", UNDEFINED),
        entry.get("replacement") is None,
    )


def is_plain(record: Record, entry: dict[str, Any]) -> bool:
    """Say whether an entry is one message under the id of its record, as nearly all are."""
    return (
        entry.get("type") == "message"
        and record.id is not None
        and record.id == entry.get("id")
        and type(entry.get("message")) is dict
    )


def plain_facts(record: Record, entry: dict[str, Any]) -> Facts:
    """Return the facts of a plain message entry; the id of a result is kept once, where the call's is."""
    facts = facts_of(messages_of(entry)[0])
    results = record.message.results if record.message is not None else ()
    if isinstance(facts, ResultFacts) and len(results) == 1 and type(facts.call_id) is str:
        facts.call_id = results[0].id if results[0].id == facts.call_id else facts.call_id
    return facts


class BriefWatch:
    """Takes the facts of plain message entries while the file is read, which is parsed once, by their lines from 0.

    alone: nobody asks for others.
    """

    def __init__(self, *, alone: bool = False) -> None:
        self.seen: list[ContextMessage | None] = []
        self._alone = alone

    def __call__(self, record: Record, entry: dict[str, Any]) -> bool:
        """Look at one entry; say whether what was taken of it is all that is wanted."""
        if not is_plain(record, entry):
            return False
        self.seen.extend([None] * (record.line - 1 - len(self.seen)))
        self.seen.append(ContextMessage(record, plain_facts(record, entry)))
        return self._alone


def seen_at(seen: Sequence[Seen | None], record: Record) -> Seen | None:
    """Return what a watch has taken of a record, or None."""
    return seen[record.line - 1] if record.line <= len(seen) else None


def selected(briefs: Sequence[Brief | ContextMessage]) -> list[Brief | ContextMessage]:
    """Return the entries that the last compaction of the branch leaves, in the order of the context."""
    # OpenClaw's `reset` cuts the branch like a compaction, without a summary.
    at = max((n for n, one in enumerate(briefs) if type(one) is Brief and one.type in _CUTS), default=-1)
    if at < 0:
        return list(briefs)
    last = briefs[at]
    kept_from = last.kept_from if isinstance(last, Brief) else UNDEFINED
    before = briefs[:at]
    start = at
    if isinstance(kept_from, str):
        start = next((n for n, one in enumerate(before) if _id_of(one) == kept_from), at)
    return [last, *(one for one in before[start:] if not _is_system(one)), *briefs[at + 1 :]]


def _id_of(one: Brief | ContextMessage) -> Any:
    return one.id if isinstance(one, Brief) else one.record.id


def _is_system(one: Brief | ContextMessage) -> bool:
    if isinstance(one, Brief):
        return one.type == "message" and any(facts.role == "system" for facts in one.messages)
    return bool(one.facts.role == "system")


def context(briefs: Sequence[Brief | ContextMessage], load: Load) -> list[ContextMessage]:
    """Return the messages of the context with their facts; entries are loaded again only where an edit changes them."""
    chosen = selected(briefs)
    edits = {
        one.target: one
        for one in chosen
        if type(one) is Brief and one.type == "context_edit" and isinstance(one.target, str)
    }
    places: list[ContextMessage] = []
    for position, one in enumerate(chosen):
        if isinstance(one, Brief) and one.type == "compaction" and position:
            continue
        ident = _id_of(one) if edits else None
        edit = edits.get(ident) if isinstance(ident, str) else None
        if edit is None or not edit.omits:
            places.extend(_places(one, edit, load))
    return places


def _places(one: Brief | ContextMessage, edit: Brief | None, load: Load) -> Iterator[ContextMessage]:
    if edit is None:
        if isinstance(one, Brief):
            for n, facts in enumerate(one.messages):
                yield OddContextMessage(one.record, facts, n) if n else ContextMessage(one.record, facts)
        else:
            yield one
        return
    for n, facts in enumerate(one.messages if isinstance(one, Brief) else (one.facts,)):
        place = OddContextMessage(one.record, facts, n, edit.record)
        place.facts = facts_of(message_at(place, load))
        yield place


def message_at(place: ContextMessage, load: Load) -> dict[str, Any]:
    """Load a message of the context, as pi holds it in memory."""
    message = messages_of(load(place.record))[place.number]
    return edited(message, load(place.edit).get("replacement")) if place.edit else message


def without_system(places: tuple[ContextMessage, ...]) -> tuple[ContextMessage, ...]:
    """Leave out the system messages, which a context handler is not shown; none: return the same."""
    if not any(place.facts.role == "system" for place in places):
        return places
    return tuple([place for place in places if place.facts.role != "system"])
