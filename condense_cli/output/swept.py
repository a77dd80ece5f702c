"""A swept thread as bytes, and what the sweep changed: sizes are those of each message's JSON in UTF-16 units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonread
from condense_cli.jsonbytes.javascript import json_length, stringify
from condense_cli.output.messages import closing
from condense_cli.output.placed import Placed
from condense_cli.output.turns import as_json, block_json
from condense_cli.pi_condense.prune.diagnostics import Diagnostic
from condense_cli.pi_condense.prune.difference import Difference, Summary
from condense_cli.request import own_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense_cli.model.messages import Call, Half
    from condense_cli.pairing.decision import Decision, Step
    from condense_cli.request.thread import Thread


def messages(thread: Thread, decision: Decision | None) -> Iterator[dict[str, Any]]:
    """Yield the messages of a thread as neutral JSON values: as its client reads them, or swept."""
    if decision is None:
        return (as_json(turn) for turn in thread.turns())
    return (as_json(out.turn) for out in thread.swept(decision))


def placed(thread: Thread, decision: Decision | None) -> Iterator[Placed]:
    """Yield the same with the line of each."""
    turns = thread.turns() if decision is None else (out.turn for out in thread.swept(decision))
    return (Placed(turn.record.line, as_json(turn)) for turn in turns)


def texts(thread: Thread, decision: Decision | None) -> Iterator[bytes]:
    """Yield the messages as JSON: those of an array in the array's own shape, others in the neutral one."""
    if thread.document.format.own_shape:
        return (shown.data for shown in own_shape.messages(thread, decision))
    return (stringify(message) for message in messages(thread, decision))


def lines(thread: Thread, decision: Decision | None) -> Iterator[bytes]:
    """Yield one line of JSON per message."""
    return (text + b"\n" for text in texts(thread, decision))


def document(thread: Thread, decision: Decision | None, notes: Iterable[Diagnostic] = ()) -> Iterator[bytes]:
    """Yield one object `{messages, pruned, beforeChars, afterChars, diagnostics}` and a newline."""
    changes = decision is not None and decision.changes
    after = 0
    yield b'{"messages":['
    for number, text in enumerate(texts(thread, decision)):
        after += _size(text) if changes else 0
        yield (b"," if number else b"") + text
    before = sum(map(_size, texts(thread, None))) if changes else 0
    yield b"]," + closing(notes, (before, after), pruned=changes)


def _size(text: bytes) -> int:
    return json_length(jsonread.loads(text))


def diagnostics(thread: Thread, decision: Decision) -> tuple[Diagnostic, ...]:
    """Say of each half that is touched which rule it broke, where, and what became of it."""
    answered = {call for calls in decision.answers.values() for call in calls}
    brought = {result for results in decision.brought.values() for result in results}
    found: list[Diagnostic] = []
    for half, rule in decision.reasons.items():
        fate = (
            "moved"
            if half in brought
            else "dropped"
            if half in decision.gone
            else "answered"
            if half in answered
            else ""
        )
        if fate:
            found.append(Diagnostic(rule, half.id or "", f"{_place(thread, half)}: {fate}"))
    return tuple(found)


def _place(thread: Thread, half: Half) -> str:
    """Name the message of an array by its number from 0, anything else by its line from 1."""
    number = half.record.line
    record = thread.messages[number].record
    if thread.document.format.own_shape:
        record = thread.place(number, half.part)[0]
    index = thread.document.index(record)
    return f"line {record.line}" if index is None else f"message {index}"


# ---------------------------------------------------------------------- what changed
def differences(thread: Thread, decision: Decision) -> Summary:
    """Compare a thread before and after a sweep, by the numbers of its turns from 0."""
    if thread.document.format.own_shape:
        return own_differences(thread, decision)
    before = [_length(thread, number) for number in range(len(thread.messages))]
    found: list[Difference] = []
    moves = {result: number for number, results in decision.brought.items() for result in results}
    for number, size in enumerate(before):
        outline = thread.outlines[number]
        without = decision.without(number, outline)
        if without or number in decision.dropped:
            halves = [half for half in outline.message.halves if half in decision.gone]
            moved = [result for result in outline.message.results if result in moves]
            turn = thread.load(number)
            rest = turn._replace(blocks=tuple(b for part, b in enumerate(turn.blocks) if part not in without))
            after = 0 if number in decision.dropped else json_length(as_json(rest))
            if moved:
                after += sum(json_length(block_json(turn.blocks[result.part])) for result in moved)
                place = min(number, *(moves[result] + 1 for result in moved))
                found.append(_difference(thread, "move", place, size, after, "after its call", line=number))
            else:
                change = "drop" if number in decision.dropped else "strip"
                found.append(_difference(thread, change, number, size, after, _why(decision, halves)))
        found.extend(_inserted(thread, number, call) for call in decision.answers.get(number, ()))
    return _summary(found, before)


def _summary(found: list[Difference], before: Sequence[int]) -> Summary:
    found.sort(key=lambda d: (d.position, d.change == "insert"))
    total = sum(before) + sum(d.after - d.before for d in found)
    first = min((d.position + (d.change == "insert") for d in found), default=len(before))
    return Summary(tuple(found), len(before), sum(before), total, first, sum(before[:first]))


def own_differences(thread: Thread, decision: Decision) -> Summary:
    """Compare an array before and after a sweep: the sizes are those of its own messages."""
    before = [0] * len(thread.messages)
    for shown in own_shape.messages(thread, None):
        before[shown.number or 0] += _size(shown.data)
    after = [0] * len(before)
    added: dict[int, tuple[Step, ...]] = {}
    found: list[Difference] = []
    targets = {result.record.line: number for number, results in decision.brought.items() for result in results}
    homes: dict[Half, int] = {
        half: number
        for made in (decision.brought, decision.answers)
        for number, halves in made.items()
        for half in halves
    }
    for shown in own_shape.messages(thread, decision):
        result = shown.added[0].result if shown.added else None
        if shown.number is not None:
            after[shown.number] += _size(shown.data)
            added[shown.number] = added.get(shown.number, ()) + shown.added
        elif result is not None and not thread.document.format.shared_results:
            after[result.record.line] += _size(shown.data)
        else:
            half = result if result is not None else shown.added[0].answer
            assert half is not None
            found.append(_difference(thread, "insert", homes[half], 0, _size(shown.data), _said_of(shown.added)))
    for number, outline in enumerate(thread.outlines):
        without = decision.without(number, outline)
        if number in targets:
            found.append(
                _difference(
                    thread,
                    "move",
                    min(number, targets[number] + 1),
                    before[number],
                    after[number],
                    "after its call",
                    line=number,
                )
            )
        elif number in decision.dropped or without:
            gone = [half for half in outline.message.halves if half in decision.gone]
            change = "drop" if number in decision.dropped else "strip"
            found.append(_difference(thread, change, number, before[number], after[number], _why(decision, gone)))
        elif added.get(number):
            found.append(_difference(thread, "replace", number, before[number], after[number], _said_of(added[number])))
    return _summary(found, before)


def _said_of(added: Sequence[Step]) -> str:
    return "result brought to its call" if any(step.result is not None for step in added) else "answer to an open call"


def _length(thread: Thread, number: int) -> int:
    return json_length(as_json(thread.load(number)))


def _why(decision: Decision, halves: list[Half]) -> str:
    return (
        ", ".join(dict.fromkeys(decision.reasons.get(half, "moved") for half in halves))
        or "reasoning that nothing follows"
    )


def _inserted(thread: Thread, number: int, call: Call) -> Difference:
    from condense_cli.request.thread import answer_to

    length = json_length(block_json(answer_to(thread.load(call.record.line).blocks[call.part])))
    return _difference(thread, "insert", number, 0, length, "answer to an open call")


def _difference(
    thread: Thread, change: str, number: int, before: int, after: int, reason: str, *, line: int | None = None
) -> Difference:
    message = thread.messages[number if line is None else line]
    return Difference(change, message.record.line, number, message.role.value, before, after, reason)
