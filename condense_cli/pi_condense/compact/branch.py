"""The facts of one branch that compaction decides on: its messages, and what was persisted on it.

Texts stay in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, WHITE_SPACE, string, truthy
from condense_cli.pi_condense.prune.context import brief_of, context
from condense_cli.pi_condense.prune.decide import Branch
from condense_cli.pi_condense.prune.facts import OWN_TYPES, arguments_of
from condense_cli.pi_condense.prune.index import Index, Rebuild
from condense_cli.pi_condense.prune.size import message_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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

    arguments are kept where they are short, else UNDEFINED: most are, and the message need not be parsed again.
    """

    part: int
    id: Any
    name: Any
    protected: bool
    arguments: Any = UNDEFINED


@dataclass(slots=True)
class Said:
    """One message of the branch as it is in the file: no edits, no cut by compaction.

    pasted: a user's compressed chain.
    """

    record: Record
    facts: Facts
    calls: tuple[Asked, ...] = ()
    pasted: bool = False


class Reading(NamedTuple):
    """A branch, root to leaf. own are the entries that pi-condense wrote; sizes are UTF-16 units of JSON by line."""

    branch: Branch
    said: tuple[Said, ...]
    own: tuple[Record, ...]
    sizes: dict[int, int]
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


@dataclass(slots=True)
class Seen:
    """The facts of one message entry; size, in UTF-16 units of JSON, is None where pi changes the message in memory."""

    brief: Brief
    said: Said | None = None
    size: int | None = None


class MessageWatch:
    """Takes the facts of message entries while the file is read, by id() of their records: it is parsed once."""

    def __init__(self, protected: Protected) -> None:
        self.seen: dict[int, Seen] = {}
        self.protected = protected

    def __call__(self, record: Record, entry: dict[str, Any]) -> None:
        """Look at one entry."""
        if entry.get("type") == "message":
            self.seen[id(record)] = _look(record, entry, self.protected)


def _look(record: Record, entry: dict[str, Any], protected: Protected) -> Seen:
    brief = brief_of(record, entry)
    if not brief.facts:
        return Seen(brief)
    message = entry["message"]
    said = _said(record, brief.facts[0], message, protected)
    return Seen(brief, said, message_size(message) if message.get("content") is not None else None)


def read(
    records: Sequence[Record], load: Load, protected: Protected, seen: Mapping[int, Seen] | None = None
) -> Reading:
    """Read the facts of a branch, root to leaf, in one pass; entries that a MessageWatch has seen are not loaded."""
    rebuild = Rebuild()
    briefs: list[Brief] = []
    said: list[Said] = []
    own: list[Record] = []
    sizes: dict[int, int] = {}
    latest: dict[str, Any] = {}  # of statistics and frontiers, the last that counts
    known = seen or {}
    for record in records:
        looked_at = known.get(id(record))
        if looked_at is None:
            entry = load(record)
            if entry.get("type") == "message":
                looked_at = _look(record, entry, protected)
        if looked_at is not None:
            briefs.append(looked_at.brief)
            if looked_at.said is not None:
                said.append(looked_at.said)
            if looked_at.size is not None:
                sizes[record.line] = looked_at.size
            continue
        brief = brief_of(record, entry)
        briefs.append(brief)
        if brief.type == "custom_message":
            said.append(Said(record, brief.facts[0]))
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
    return Reading(branch, tuple(said), tuple(own), sizes, load, records[-1] if records else None, stats, frontier)


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
        return Said(record, facts, tuple(_asked(call.part, content[call.part], protected) for call in facts.calls))
    if facts.role == "toolResult":
        # A result says no arguments, so only the name of its tool can protect it.
        return Said(
            record, facts, pasted=False, calls=(Asked(0, facts.call_id, facts.tool, protected(facts.tool, None)),)
        )
    return Said(record, facts, pasted=facts.role == "user" and _is_pasted(message.get("content")))


def _asked(part: int, block: dict[str, Any], protected: Protected) -> Asked:
    arguments = block.get("input")
    if arguments is None:
        arguments = block.get("arguments")
    name = block.get("name", UNDEFINED)
    path = arguments.get("path") if isinstance(arguments, dict) else None
    said = arguments_of(block)
    return Asked(part, block.get("id", UNDEFINED), name, protected(name, path), said if _is_short(said) else UNDEFINED)


def _is_short(arguments: Any) -> bool:
    if type(arguments) is not dict or len(arguments) > _MOST_ARGUMENTS:
        return False
    room = _MOST_CHARACTERS
    for value in arguments.values():
        if type(value) is str:
            room -= len(value)
        elif type(value) is dict or type(value) is list:
            return False
    return room >= 0


def _is_pasted(content: Any) -> bool:
    text = content
    if isinstance(content, list):
        first = content[0] if content and isinstance(content[0], dict) else {}
        text = first.get("text") if first.get("type") == "text" else None
    return isinstance(text, str) and text.lstrip(WHITE_SPACE).startswith(_PASTED)
