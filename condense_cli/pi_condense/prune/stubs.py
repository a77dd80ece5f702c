"""Which results are replaced by a stub, and the stub's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, string, truthy
from condense_cli.pi_condense.prune.keys import same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.pi_condense.prune.context import Load
    from condense_cli.pi_condense.prune.facts import Facts
    from condense_cli.pi_condense.prune.index import Index, Indexed
    from condense_cli.pi_condense.prune.protect import Protected

QUERY_TOOL = "context_tree_query"


class Stub(NamedTuple):
    """The replacement of one result: the reference it names, and the record if the output was spilled to a file."""

    ref: Any
    spilled: Indexed | None


def in_grace(messages: Sequence[Facts], turns: float) -> set[Any]:
    """Return the keys of recovered outputs that the model has just asked for: at most `turns` user messages ago."""
    if not turns > 0:
        return set()
    users = sum(facts.role == "user" for facts in messages)
    keys: set[Any] = set()
    before = 0
    for facts in messages:
        if facts.role == "user":
            before += 1
        elif (
            facts.role == "toolResult"
            and facts.tool == QUERY_TOOL
            and isinstance(facts.call_id, str)
            and users - before <= turns
        ):
            keys.add(same(facts.key))
    return keys


def stubs(messages: Sequence[Facts], index: Index, protected: Protected, turns: float) -> dict[int, Stub]:
    """Return the stub of each result that is summarized; protected outputs and those in grace stay."""
    found: dict[int, Stub] = {}
    if not index.records and not index.originals:
        return found
    grace = in_grace(messages, turns)
    for position, facts in enumerate(messages):
        if facts.role != "toolResult":
            continue
        key = facts.key
        lookup = (
            key if index.is_summarized(key) else facts.call_id if index.has_legacy_record(facts.call_id) else UNDEFINED
        )
        if lookup is UNDEFINED:
            continue
        record = index.record(lookup)
        if (record is not None and protected(record.tool, record.path)) or same(key) in grace:
            continue
        ref = index.short_ref(lookup)
        found[position] = Stub(
            facts.call_id if ref is None else ref, record if record is not None and record.spilled else None
        )
    return found


def stub_text(stub: Stub, load: Load) -> str:
    """Write what takes the place of the output."""
    if stub.spilled is None:
        return (
            f"[Summarized in pruner summary, ref `{string(stub.ref)}`. Use context_tree_query to retrieve full output.]"
        )
    record = raw_record(stub.spilled, load)
    size, preview = record.get("spillBytes"), record.get("resultPreview")
    return "\n".join(
        (
            f"[Oversized output spilled to file — {'?' if size is None else string(size)} bytes.]",
            f"Tool: {string(record.get('toolName', UNDEFINED))}",
            "Preview (head):",
            "" if preview is None else string(preview),
            f"Full output — read this file (offset/limit supported): {string(record['spillPath'])}",
            f"Or use context_tree_query with ref `{string(stub.ref)}`.",
        )
    )


def raw_record(indexed: Indexed, load: Load) -> dict[str, Any]:
    """Load a record of an index entry as it was written; what is no object has no members."""
    record = load(indexed.record)["data"]["toolCalls"][indexed.position]
    return record if isinstance(record, dict) else {}


def stubbed(message: dict[str, Any], stub: Stub, load: Load) -> dict[str, Any]:
    """Return the result message with the stub as its content; all else that it carried is gone, its error flag too."""
    fields = {
        "role": "toolResult",
        "toolCallId": message.get("toolCallId", UNDEFINED),
        "toolName": message.get("toolName", UNDEFINED),
        "content": [{"type": "text", "text": stub_text(stub, load)}],
        "isError": False,
        "timestamp": message.get("timestamp", UNDEFINED),
    }
    return {key: value for key, value in fields.items() if value is not UNDEFINED}


def is_spilled(record: dict[str, Any]) -> bool:
    """Say whether the output of a record lies in a file."""
    return truthy(record.get("spillPath"))
