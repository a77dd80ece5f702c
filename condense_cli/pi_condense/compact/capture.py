"""What a rescan of the branch would pick up for summaries, and which of it repeats an output that has a record.

Each assistant's calls are paired with the results of its own span, up to the next assistant: ids are used again.
Only places are kept; texts are loaded when a batch is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import (
    UNDEFINED,
    is_number,
    less,
    milliseconds,
    replaced_halves,
    string,
    trim,
    truthy,
)
from condense_cli.pi_condense.compact.blobs import content_hash
from condense_cli.pi_condense.prune.captured import captured_text
from condense_cli.pi_condense.prune.facts import arguments_of
from condense_cli.pi_condense.prune.index import INDEX_TYPE, text_blocks
from condense_cli.pi_condense.prune.keys import narrow, occurrence_key, same

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.compact.branch import Reading, Said
    from condense_cli.pi_condense.prune.context import Load
    from condense_cli.pi_condense.prune.index import Index

PER_AGENT_MESSAGE = "agent-message"


class Taken(NamedTuple):
    """One call that is captured: its block, and the result that answers it. key is the occurrence key."""

    call: Record
    part: int
    id: Any
    result: Record
    key: Any


class Batch(NamedTuple):
    """The captured calls of one assistant message, or of several of one user turn. turn and group count from 0."""

    turn: int
    turns: tuple[Record, ...]
    calls: tuple[Taken, ...]
    group: int


class Duplicate(NamedTuple):
    """A captured call whose output has a record already, under another key."""

    key: Any
    original: Any


def rescan(said: Sequence[Said], index: Index) -> list[Batch]:
    """Return a batch for each assistant with calls that have a result, no record and no protection."""
    found: list[Batch] = []
    turn = -1
    group = 0
    for position, message in enumerate(said):
        role = message.facts.role
        group += role == "user" or message.facts.anchor
        if role != "assistant":
            continue
        turn += 1
        if message.facts.calls:
            results = _results(said, position + 1)
            calls = tuple(_taken(message, results, index))
            if calls:
                found.append(Batch(turn, (message.record,), calls, group))
    return found


def _results(said: Sequence[Said], position: int) -> dict[Any, Said]:
    """Return the first result of each id before the next assistant."""
    found: dict[Any, Said] = {}
    for n in range(position, len(said)):
        message = said[n]
        if message.facts.role == "assistant":
            break
        if message.facts.role == "toolResult":
            found.setdefault(same(message.facts.call_id), message)
    return found


def _taken(message: Said, results: dict[Any, Said], index: Index) -> Iterator[Taken]:
    # An id that two blocks of one message share is captured for both if one of them is not protected.
    open_ids = {same(call.id) for call in message.calls if truthy(call.id) and not call.protected}
    for call in message.calls:
        result = results.get(same(call.id)) if same(call.id) in open_ids else None
        if result is None:
            continue
        if not index.is_summarized(result.facts.key):
            yield Taken(message.record, call.part, call.id, result.record, result.facts.key)


def past_frontier(batches: Sequence[Batch], frontier: Any) -> list[Batch]:
    """Leave out what an earlier flush attempted: smaller turns, and in the same turn the calls up to the frontier's."""
    if not isinstance(frontier, dict):
        return list(batches)
    turn = frontier.get("lastAttemptedTurnIndex")
    turn = 0 if turn is None else turn
    last = same(frontier.get("lastAttemptedToolCallId"))
    kept: list[Batch] = []
    for batch in batches:
        if less(batch.turn, turn):
            continue
        calls = batch.calls
        if is_number(turn) and batch.turn == turn:
            at = next((n for n, call in enumerate(calls) if same(call.id) == last), -1)
            calls = calls[at + 1 :]
        if calls:
            kept.append(batch._replace(calls=calls))
    return kept


def per_user_turn(batches: Sequence[Batch]) -> list[Batch]:
    """Merge batches of one user turn; the turn number is that of the last."""
    merged: list[Batch] = []
    for batch in batches:
        if merged and merged[-1].group == batch.group:
            first = merged[-1]
            merged[-1] = Batch(batch.turn, first.turns + batch.turns, first.calls + batch.calls, batch.group)
        else:
            merged.append(batch)
    return merged


def captured(reading: Reading, index: Index, mode: str) -> list[Batch]:
    """Return all batches of a branch as the original would hand them to its summarizer."""
    batches = past_frontier(rescan(reading.said, index), reading.frontier)
    return per_user_turn(batches) if mode == PER_AGENT_MESSAGE else batches


def batch_value(batch: Batch, load: Load) -> dict[str, Any]:
    """Load a batch with its texts, in the order of keys of the original."""
    entries = [load(record) for record in batch.turns]
    texts = [trim(text_blocks(entry["message"].get("content"))) for entry in entries]
    return {
        "turnIndex": batch.turn,
        "timestamp": _time(entries[-1]),
        "assistantText": "\n\n".join(text for text in texts if text),
        "toolCalls": [_call_value(call, load) for call in batch.calls],
        "userTurnGroup": batch.group,
    }


def _time(entry: dict[str, Any]) -> Any:
    time = entry.get("timestamp")
    return milliseconds(time) if truthy(time) else entry["message"].get("timestamp", UNDEFINED)


def _call_value(taken: Taken, load: Load) -> dict[str, Any]:
    block = load(taken.call)["message"]["content"][taken.part]
    result = load(taken.result)["message"]
    error = result.get("isError")
    value = {
        "toolCallId": taken.id,
        "toolName": block.get("name", UNDEFINED),
        "args": arguments_of(block),
        "resultText": captured_text(result.get("content")),
        "isError": False if error is None else error,
        "resultTimestamp": narrow(result.get("timestamp", UNDEFINED)),
    }
    return {key: item for key, item in value.items() if item is not UNDEFINED}


def duplicates(batches: Sequence[Batch], reading: Reading) -> list[Duplicate]:
    """Return the captured calls whose tool and text repeat those of a record; the first record with a hash counts."""
    if not batches:
        return []
    known = _known_hashes(reading)
    if not known:
        return []
    found: list[Duplicate] = []
    for batch in batches:
        for taken in batch.calls:
            block = reading.load(taken.call)["message"]["content"][taken.part]
            text = captured_text(reading.load(taken.result)["message"].get("content"))
            original = known.get(_hash(block.get("name", UNDEFINED), text), UNDEFINED)
            if original is not UNDEFINED and same(original) != same(taken.key):
                found.append(Duplicate(taken.key, original))
    return found


def _known_hashes(reading: Reading) -> dict[Any, Any]:
    """Return hash -> key for all records but backfilled ones; the first one wins."""
    known: dict[Any, Any] = {}
    for record in reading.own:
        entry = reading.load(record)
        data = entry.get("data")
        if (
            entry.get("type") != "custom"
            or entry.get("customType") != INDEX_TYPE
            or not isinstance(data, dict)
            or data.get("backfilled") is True
        ):
            continue
        calls = data.get("toolCalls")
        for call in calls if isinstance(calls, list) else ():
            fields = call if isinstance(call, dict) else {}
            digest = fields.get("contentHash")
            if digest is None:
                digest = _hash(fields.get("toolName", UNDEFINED), fields.get("resultText"))
            known.setdefault(
                same(digest),
                occurrence_key(fields.get("toolCallId", UNDEFINED), fields.get("resultTimestamp", UNDEFINED)),
            )
    return known


def _hash(tool: Any, text: Any) -> str:
    return content_hash(string(tool), replaced_halves(text if isinstance(text, str) else ""))
