"""A swept thread as bytes, and what the sweep changed: sizes are those of each message's JSON in UTF-16 units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes.javascript import json_length, stringify, utf16_length_of_bytes
from condense_cli.output.messages import Size, closing
from condense_cli.output.turns import as_json, block_json
from condense_cli.pi_condense.prune.diagnostics import Diagnostic
from condense_cli.pi_condense.prune.difference import Difference, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.model.messages import Call, Half
    from condense_cli.pairing.decision import Decision
    from condense_cli.request.thread import Thread


def messages(thread: Thread, decision: Decision | None) -> Iterator[dict[str, Any]]:
    """Yield the messages of a thread as JSON values: as its client reads them, or swept."""
    if decision is None:
        return (as_json(turn) for turn in thread.turns())
    return (as_json(out.turn) for out in thread.swept(decision))


def document(thread: Thread, decision: Decision) -> Iterator[bytes]:
    """Yield one object `{messages, pruned, beforeChars, afterChars, diagnostics}` and a newline."""
    after = 0
    yield b'{"messages":['
    for number, message in enumerate(messages(thread, decision)):
        data = stringify(message)
        after += utf16_length_of_bytes(data)
        yield (b"," if number else b"") + data
    size: Size = (0, 0)
    if decision.changes:
        before = [json_length(message) for message in messages(thread, None)]
        size = (sum(before), after)
    yield b"]," + closing(diagnostics(thread, decision), size, pruned=decision.changes)


def diagnostics(thread: Thread, decision: Decision) -> tuple[Diagnostic, ...]:
    """Say of each half that is touched which rule it broke, where, and what became of it."""
    answered = {call for calls in decision.answers.values() for call in calls}
    brought = {result for results in decision.brought.values() for result in results}
    found: list[Diagnostic] = []
    for half, rule in decision.reasons.items():
        fate = "moved" if half in brought else "dropped" if half in decision.gone else "answered" if half in answered else ""
        if fate:
            line = thread.messages[half.record.line].record.line
            found.append(Diagnostic(rule, half.id or "", f"line {line}: {fate}"))
    return tuple(found)


# ---------------------------------------------------------------------- what changed
def differences(thread: Thread, decision: Decision) -> Summary:
    """Compare a thread before and after a sweep, by the numbers of its turns from 0."""
    before = [_length(thread, number) for number in range(len(thread.messages))]
    found: list[Difference] = []
    moves = {result: number for number, results in decision.brought.items() for result in results}
    for number, size in enumerate(before):
        light = thread.lights[number]
        without = decision.without(number, light)
        if without or number in decision.dropped:
            halves = [half for half in light.message.halves if half in decision.gone]
            moved = [result for result in light.message.results if result in moves]
            turn = thread.load(number)
            rest = turn._replace(blocks=tuple(b for part, b in enumerate(turn.blocks) if part not in without))
            after = 0 if number in decision.dropped else json_length(as_json(rest))
            if moved:
                after += sum(json_length(block_json(turn.blocks[result.part])) for result in moved)
                place = min(number, *(moves[result] + 1 for result in moved))
                found.append(_difference(thread, "move", place, size, after, "behind its call", line=number))
            else:
                change = "drop" if number in decision.dropped else "strip"
                found.append(_difference(thread, change, number, size, after, _why(decision, halves)))
        found.extend(_inserted(thread, number, call) for call in decision.answers.get(number, ()))
    found.sort(key=lambda d: (d.position, d.change == "insert"))
    total = sum(before) + sum(d.after - d.before for d in found)
    first = min((d.position + (d.change == "insert") for d in found), default=len(before))
    return Summary(tuple(found), len(before), sum(before), total, first, sum(before[:first]))


def _length(thread: Thread, number: int) -> int:
    return json_length(as_json(thread.load(number)))


def _why(decision: Decision, halves: list[Half]) -> str:
    return ", ".join(dict.fromkeys(decision.reasons.get(half, "moved") for half in halves)) or "reasoning that nothing follows"


def _inserted(thread: Thread, number: int, call: Call) -> Difference:
    from condense_cli.request.thread import answer_to

    length = json_length(block_json(answer_to(thread.load(call.record.line).blocks[call.part])))
    return _difference(thread, "insert", number, 0, length, "answer to an open call")


def _difference(thread: Thread, change: str, number: int, before: int, after: int, reason: str, *, line: int | None = None) -> Difference:
    message = thread.messages[number if line is None else line]
    return Difference(change, message.record.line, number, message.role.value, before, after, reason)
