"""Which results of a chain become records: those with a call before them, a time, and no record so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from condense_cli.jsonbytes.javascript import UNDEFINED, is_number, truthy
from condense_cli.pi_condense.prune.captured import captured_text
from condense_cli.pi_condense.prune.facts import arguments_of
from condense_cli.pi_condense.prune.keys import moment, same
from condense_cli.pi_condense.prune.ranges import NOT_ONCE, put_once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.compact.branch import Asked, Said
    from condense_cli.pi_condense.compact.chains import ToolChain
    from condense_cli.pi_condense.prune.context import Load
    from condense_cli.pi_condense.prune.index import Index


@dataclass(slots=True)
class Fresh:
    """A result that has no record yet, and the message and the block that called for it. key is its occurrence key."""

    result: Record
    key: str
    call: Record
    asked: Asked


class Ends:
    """Positions of what opens chains, and of answers, by their time: each end of a chain must be found exactly once."""

    def __init__(self, said: Sequence[Said]) -> None:
        self._said = said
        self._at: dict[str, dict[Any, int]] = {"user": {}, "assistant": {}}
        for position, message in enumerate(said):
            role = "user" if message.facts.anchor else message.facts.role
            places = self._at.get(role) if isinstance(role, str) else None
            if places is not None and not _is_nan(message.facts.time):
                put_once(places, moment(message.facts.time), position)

    def inside(self, chain: ToolChain) -> Sequence[Said]:
        """Return the messages between the ends of a chain; none where an end is ambiguous or out of order."""
        start = self._at["user"].get(moment(chain.start), NOT_ONCE)
        end = self._at["assistant"].get(moment(chain.final), NOT_ONCE)
        return self._said[start + 1 : end] if NOT_ONCE < start < end else ()


def _is_nan(time: Any) -> bool:
    return type(time) is float and time != time  # noqa: PLR0124


def fresh_results(inside: Sequence[Said], chain: ToolChain, index: Index) -> list[Fresh]:
    """Return the results that become records, in order.

    A call stays open when it was answered; a later block takes its id.
    """
    protected = {same(call_id) for call_id in chain.protected}
    open_calls: dict[Any, tuple[Record, Asked]] = {}
    found: list[Fresh] = []
    for message in inside:
        facts = message.facts
        if facts.role == "assistant":
            for call in message.calls:
                open_calls[same(call.id)] = (message.record, call)
        elif facts.role == "toolResult":
            token = same(facts.call_id)
            asked = open_calls.get(token)
            if asked is None or token in protected or not truthy(facts.call_id) or not is_number(facts.time):
                continue
            if same(facts.key) not in index.records:
                found.append(Fresh(message.record, facts.key, *asked))
    return found


def output_text(record: Record, load: Load) -> str:
    """Return the text of a result message, its pictures as markers."""
    return captured_text(load(record)["message"].get("content"))


def records_of(found: Sequence[Fresh], load: Load) -> list[dict[str, Any]]:
    """Build the records of results with their whole texts, each in the order of keys that pi-condense writes."""
    made: list[dict[str, Any]] = []
    for fresh in found:
        asked = fresh.asked
        arguments = (
            arguments_of(load(fresh.call)["message"]["content"][asked.part])
            if asked.arguments is None
            else orjson.loads(asked.arguments)
        )
        message = load(fresh.result)["message"]
        record = {
            "toolCallId": message["toolCallId"],
            "toolName": asked.name,
            "args": arguments,
            "resultText": captured_text(message.get("content")),
            "isError": message.get("isError") is True,
            "turnIndex": -1,
            "timestamp": message["timestamp"],
            "resultTimestamp": message["timestamp"],
        }
        if record["toolName"] is UNDEFINED:
            del record["toolName"]
        made.append(record)
    return made
