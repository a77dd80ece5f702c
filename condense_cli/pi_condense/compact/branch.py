"""The facts of one branch that compaction decides on: its messages, and what was persisted on it.

Texts stay in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from condense_cli.jsonbytes.javascript import UNDEFINED, WHITE_SPACE, string, truthy
from condense_cli.pi_condense.prune.context import ContextMessage, brief_of, context, is_plain, plain_facts, seen_at
from condense_cli.pi_condense.prune.decide import Branch
from condense_cli.pi_condense.prune.facts import OWN_TYPES, arguments_of, named
from condense_cli.pi_condense.prune.index import Index, Rebuild
from condense_cli.pi_condense.prune.size import message_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.prune.context import Brief, Load
    from condense_cli.pi_condense.prune.facts import Facts
    from condense_cli.pi_condense.prune.protect import Protected

STATS_TYPE = "context-prune-stats"
FRONTIER_TYPE = "context-prune-frontier"
_PASTED = "<compressed-chain"
_MOST_ARGUMENTS = 8
_MOST_CHARACTERS = 512


@dataclass(slots=True)
class Asked:
    """One call of an assistant message: its block, its id and name, and whether its output is protected.

    arguments are kept as JSON where they are short: most are, and the message need not be parsed again.
    """

    part: int
    id: Any
    name: Any
    protected: bool
    arguments: str | None = None


@dataclass(slots=True)
class Said(ContextMessage):
    """One message of the branch as it is in the file: no edits, no cut by compaction.

    pasted: a user's compressed chain. size, in UTF-16 units of JSON, is None where pi changes the message in memory.
    """

    calls: tuple[Asked, ...] = ()
    pasted: bool = False
    size: int | None = None


_ANSWERED = (Asked(0, UNDEFINED, UNDEFINED, protected=False),)  # of a result: all else is in its facts
_PROTECTED = (Asked(0, UNDEFINED, UNDEFINED, protected=True),)


class Reading(NamedTuple):
    """A branch, root to leaf. own are the entries that pi-condense wrote."""

    branch: Branch
    said: tuple[Said, ...]
    own: tuple[Record, ...]
    load: Load
    leaf: Record | None = None
    stats: Any = UNDEFINED
    frontier: Any = UNDEFINED

    def rebuilt(self) -> Index:
        """Rebuild what was persisted, as a value of one's own. Raises WouldThrowError where the original does."""
        index = Index()
        for record in self.own:
            index.add(record, self.load(record))
        index.finish()
        return index


class MessageWatch:
    """Takes the facts of plain message entries while the file is read, which is parsed once, by their lines from 0."""

    def __init__(self, protected: Protected) -> None:
        self.seen: list[Said | None] = []
        self.protected = protected

    def __call__(self, record: Record, entry: dict[str, Any]) -> bool:
        """Look at one entry; what was taken of it is all that is wanted."""
        if not is_plain(record, entry):
            return False
        self.seen.extend([None] * (record.line - 1 - len(self.seen)))
        self.seen.append(_look(record, plain_facts(record, entry), entry["message"], self.protected))
        return True


def _look(record: Record, facts: Facts, message: dict[str, Any], protected: Protected) -> Said:
    said = _said(record, facts, message, protected)
    said.size = message_size(message) if message.get("content") is not None else None
    return said


def read(records: Sequence[Record], load: Load, protected: Protected, seen: Sequence[Said | None] = ()) -> Reading:
    """Read the facts of a branch, root to leaf, in one pass; entries that a MessageWatch has seen are not loaded."""
    rebuild = Rebuild()
    briefs: list[Brief | ContextMessage] = []
    said: list[Said] = []
    own: list[Record] = []
    latest: dict[str, Any] = {}  # of statistics and frontiers, the last that counts
    for record in records:
        known = seen_at(seen, record)
        entry = load(record) if known is None else {}
        if is_plain(record, entry):
            known = _look(record, plain_facts(record, entry), entry["message"], protected)
        if known is not None:
            briefs.append(known)
            said.append(known)
            continue
        brief = brief_of(record, entry)
        briefs.append(brief)
        if brief.messages and brief.type == "message":
            said.append(_look(record, brief.messages[0], entry["message"], protected))
        elif brief.type == "custom_message":
            said.append(Said(record, brief.messages[0]))
        custom = entry.get("customType")
        if not _is_own(brief.type, custom):
            continue
        own.append(record)
        if brief.type == "custom" and _counts(custom, entry.get("data")):
            latest[string(custom)] = entry["data"]
        rebuild.add(record, entry)
    rebuild.finish()
    branch = Branch(tuple(context(briefs, load)), rebuild.index, rebuild.failure)
    stats, frontier = latest.get(STATS_TYPE, UNDEFINED), latest.get(FRONTIER_TYPE, UNDEFINED)
    return Reading(branch, tuple(said), tuple(own), load, records[-1] if records else None, stats, frontier)


def _counts(custom: Any, data: Any) -> bool:
    """Say whether the data of an entry replace those before: empty statistics and unusable frontiers do not."""
    if custom == FRONTIER_TYPE:
        return isinstance(data, dict) and truthy(data.get("lastAttemptedToolCallId"))
    return custom == STATS_TYPE and truthy(data)


def _is_own(kind: str, custom: Any) -> bool:
    """Say whether an entry is one of pi-condense's own."""
    return kind in ("custom", "custom_message") and isinstance(custom, str) and custom.startswith(OWN_TYPES)


def _said(record: Record, facts: Facts, message: dict[str, Any], protected: Protected) -> Said:
    if facts.calls:
        content = message["content"]
        calls = tuple([_asked(call.part, content[call.part], protected) for call in facts.calls])
        return Said(record, facts, calls=calls)
    if facts.role == "toolResult":
        # A result says no arguments, so only the name of its tool can protect it.
        return Said(record, facts, calls=_PROTECTED if protected(facts.tool, None) else _ANSWERED)
    return Said(record, facts, pasted=facts.role == "user" and _is_pasted(message.get("content")))


def _asked(part: int, block: dict[str, Any], protected: Protected) -> Asked:
    arguments = block.get("input")
    if arguments is None:
        arguments = block.get("arguments")
    name = named(block.get("name", UNDEFINED))
    path = arguments.get("path") if isinstance(arguments, dict) else None
    return Asked(part, block.get("id", UNDEFINED), name, protected(name, path), _short(arguments_of(block)))


def _short(arguments: Any) -> str | None:
    """Return arguments as JSON that says exactly the same, None where they are long or there is none."""
    try:
        return orjson.dumps(arguments).decode() if _is_short(arguments) else None
    except TypeError:  # a number or a text that only Python writes
        return None


def _is_short(arguments: Any) -> bool:
    if type(arguments) is not dict or len(arguments) > _MOST_ARGUMENTS:
        return False
    room = _MOST_CHARACTERS
    for value in arguments.values():
        if type(value) is str:
            room -= len(value)
        elif type(value) is dict or type(value) is list or (type(value) is float and not isfinite(value)):
            return False
    return room >= 0


def _is_pasted(content: Any) -> bool:
    text = content
    if isinstance(content, list):
        first = content[0] if content and isinstance(content[0], dict) else {}
        text = first.get("text") if first.get("type") == "text" else None
    return isinstance(text, str) and text.lstrip(WHITE_SPACE).startswith(_PASTED)
