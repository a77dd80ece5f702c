"""The facts of one branch that compaction decides on: its messages, and what was persisted on it. Texts stay in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.javascript import UNDEFINED, WHITE_SPACE, json_length, truthy
from condense_cli.pipeline.prune.context import brief_of, context
from condense_cli.pipeline.prune.decide import Branch
from condense_cli.pipeline.prune.index import Index, Rebuild

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.model import Record
    from condense_cli.pipeline.prune.context import Brief, Load
    from condense_cli.pipeline.prune.facts import Facts
    from condense_cli.pipeline.prune.protect import Protected

STATS_TYPE = "context-prune-stats"
FRONTIER_TYPE = "context-prune-frontier"
_OWN = "context-prune-"
_PASTED = "<compressed-chain"


class Asked(NamedTuple):
    """One call of an assistant message: its block, its id, whether it has a name, and whether its output is protected."""

    part: int
    id: Any
    named: bool
    protected: bool


class Said(NamedTuple):
    """One message of the branch as it stands in the file: no edits, no cut by compaction. pasted: a user's compressed chain."""

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


def read(records: Sequence[Record], load: Load, protected: Protected) -> Reading:
    """Read the facts of a branch, root to leaf, in one pass over its entries."""
    rebuild = Rebuild()
    briefs: list[Brief] = []
    said: list[Said] = []
    own: list[Record] = []
    sizes: dict[int, int] = {}
    stats: Any = UNDEFINED
    frontier: Any = UNDEFINED
    is_protected = _remembered(protected)
    for record in records:
        entry = load(record)
        brief = brief_of(record, entry)
        briefs.append(brief)
        if brief.type == "message":
            if brief.facts:
                message = entry["message"]
                said.append(_said(record, brief.facts[0], message, is_protected))
                if message.get("content") is not None:  # else pi changes it in memory
                    sizes[record.line] = json_length(message)
            continue
        custom = entry.get("customType")
        if brief.type not in ("custom", "custom_message") or not isinstance(custom, str) or not custom.startswith(_OWN):
            continue
        own.append(record)
        data = entry.get("data")
        if brief.type == "custom" and custom == STATS_TYPE:
            stats = data if truthy(data) else stats
        elif brief.type == "custom" and custom == FRONTIER_TYPE:
            frontier = data if isinstance(data, dict) and truthy(data.get("lastAttemptedToolCallId")) else frontier
        rebuild.add(record, entry)
    rebuild.finish()
    branch = Branch(tuple(context(briefs, load)), rebuild.index, rebuild.failure)
    return Reading(branch, tuple(said), tuple(own), sizes, load, records[-1] if records else None, stats, frontier)


def _remembered(protected: Protected) -> Protected:
    """Ask about each tool once where no path is involved."""
    known: dict[str, bool] = {}

    def is_protected(tool: Any, path: Any) -> bool:
        if path is not None or type(tool) is not str:
            return protected(tool, path)
        found = known.get(tool)
        if found is None:
            found = known[tool] = protected(tool, None)
        return found

    return is_protected


def _said(record: Record, facts: Facts, message: dict[str, Any], protected: Protected) -> Said:
    if facts.calls:
        content = message["content"]
        return Said(record, facts, tuple(_asked(call.part, content[call.part], protected) for call in facts.calls))
    if facts.role == "toolResult":
        # A result says no arguments, so only the name of its tool can protect it.
        return Said(record, facts, pasted=False, calls=(Asked(0, facts.call_id, True, protected(facts.tool, None)),))
    return Said(record, facts, pasted=facts.role == "user" and _is_pasted(message.get("content")))


def _asked(part: int, block: dict[str, Any], protected: Protected) -> Asked:
    arguments = block.get("input")
    if arguments is None:
        arguments = block.get("arguments")
    name = block.get("name", UNDEFINED)
    path = arguments.get("path") if isinstance(arguments, dict) else None
    return Asked(part, block.get("id", UNDEFINED), truthy(name), protected(name, path))


def _is_pasted(content: Any) -> bool:
    text = content
    if isinstance(content, list):
        first = content[0] if content and isinstance(content[0], dict) else {}
        text = first.get("text") if first.get("type") == "text" else None
    return isinstance(text, str) and text.lstrip(WHITE_SPACE).startswith(_PASTED)
