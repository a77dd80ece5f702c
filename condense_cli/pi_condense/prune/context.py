"""pi's session context: which messages the entries of a branch become, before anything is pruned.

Compaction cuts the branch, context_edit takes messages out or changes their content. Behaviour of pi 1.6.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from condense_cli.jsonbytes.javascript import UNDEFINED, milliseconds, truthy
from condense_cli.model.messages import Record
from condense_cli.pi_condense.prune.facts import Facts, facts_of

Load = Callable[[Record], dict[str, Any]]

_EDITED_AS_BLOCKS = ("assistant", "toolResult")
_EDITED_AS_IS = ("user", "custom")
_WITHOUT_CONTENT = {"system": "", "user": [], "assistant": [], "toolResult": []}


@dataclass(slots=True)
class Slot:
    """Where one message comes from: its entry, which message of it, and the entry that edits it."""

    record: Record
    number: int = 0
    edit: Record | None = None


@dataclass(slots=True)
class Place:
    """One message of the context."""

    slot: Slot
    facts: Facts


@dataclass(slots=True)
class Brief:
    """What the choice of context entries needs of one entry."""

    record: Record
    type: str
    id: Any
    facts: tuple[Facts, ...]
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
    if kind == "message":
        return Brief(record, kind, entry.get("id"), tuple(map(facts_of, messages_of(entry))))
    return Brief(
        record,
        kind if isinstance(kind, str) else "",
        entry.get("id"),
        tuple(facts_of(message) for message in messages_of(entry)),
        entry.get("firstKeptEntryId", UNDEFINED),
        entry.get("targetId", UNDEFINED),
        entry.get("replacement") is None,
    )


class BriefWatch:
    """Takes the briefs of message entries while the file is read, by id() of their records: it is parsed once."""

    def __init__(self) -> None:
        self.seen: dict[int, Brief] = {}

    def __call__(self, record: Record, entry: dict[str, Any]) -> None:
        """Look at one entry."""
        if entry.get("type") == "message":
            self.seen[id(record)] = brief_of(record, entry)


def selected(briefs: Sequence[Brief]) -> list[Brief]:
    """Return the entries that the last compaction of the branch leaves, in the order of the context."""
    # OpenClaw's `reset` cuts the branch like a compaction, without a summary.
    at = max((n for n, brief in enumerate(briefs) if brief.type in ("compaction", "reset")), default=-1)
    if at < 0:
        return list(briefs)
    last = briefs[at]
    before = briefs[:at]
    start = (
        next((n for n, brief in enumerate(before) if brief.id == last.kept_from), at)
        if isinstance(last.kept_from, str)
        else at
    )
    kept = [b for b in before[start:] if not (b.type == "message" and any(f.role == "system" for f in b.facts))]
    return [last, *kept, *briefs[at + 1 :]]


def context(briefs: Sequence[Brief], load: Load) -> list[Place]:
    """Return the messages of the context with their facts; entries are loaded again only where an edit changes them."""
    chosen = selected(briefs)
    edits: dict[str, Brief] = {b.target: b for b in chosen if b.type == "context_edit" and isinstance(b.target, str)}
    places: list[Place] = []
    for position, brief in enumerate(chosen):
        if brief.type == "compaction" and position:
            continue
        edit = edits.get(brief.id) if edits and isinstance(brief.id, str) else None
        if edit is None:
            places.extend(Place(Slot(brief.record, n), facts) for n, facts in enumerate(brief.facts))
        elif not edit.omits and brief.facts:
            slots = [Slot(brief.record, n, edit.record) for n in range(len(brief.facts))]
            places.extend(Place(slot, facts_of(message_at(slot, load))) for slot in slots)
    return places


def message_at(slot: Slot, load: Load) -> dict[str, Any]:
    """Load the message of a slot, as pi holds it in memory."""
    message = messages_of(load(slot.record))[slot.number]
    return edited(message, load(slot.edit).get("replacement")) if slot.edit else message


def without_system(places: Iterable[Place]) -> list[Place]:
    """Leave out the system messages, which a context handler is not shown."""
    return [place for place in places if place.facts.role != "system"]
