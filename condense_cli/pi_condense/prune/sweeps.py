"""The sweep rules by name, for the messages of a pi session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from condense_cli.errors import UsageError
from condense_cli.jsonbytes.javascript import UNDEFINED
from condense_cli.model.blocks import ANSWER
from condense_cli.model.messages import Call, Message, Record, Result, Role
from condense_cli.pairing.contract import contract
from condense_cli.pairing.count import count
from condense_cli.pairing.decision import Decision, MessageOutline, steps
from condense_cli.pi_condense.prune.sweep import Swept, turn

if TYPE_CHECKING:
    from condense_cli.pi_condense.prune.facts import Facts
    from condense_cli.pi_condense.prune.sweep import SweepRule

Narrow = Callable[[Decision, Sequence[MessageOutline]], Decision]


def _by_count(exempt: frozenset[str], _narrow: Narrow | None) -> SweepRule:
    def rule(messages: Sequence[Facts]) -> Swept:
        outlines = as_outlines(messages)
        return as_swept(messages, outlines, count(outlines, exempt))

    return rule


def _by_contract(_exempt: frozenset[str], narrow: Narrow | None) -> SweepRule:
    def rule(messages: Sequence[Facts]) -> Swept:
        outlines = as_outlines(messages)
        decision = contract(outlines)
        return as_swept(messages, outlines, narrow(decision, outlines) if narrow is not None else decision)

    return rule


# name -> (exempt tools, what narrows the decision) -> rule
SWEEPS: dict[str, Callable[[frozenset[str], Narrow | None], SweepRule]] = {
    "turn": lambda _exempt, _narrow: turn,
    "count": _by_count,
    "contract": _by_contract,
}


def sweep_rule(name: str, exempt: frozenset[str] = frozenset(), narrow: Narrow | None = None) -> SweepRule:
    """Return a rule by its name; exempt are tool names, narrow leaves out what a named contract does not flag.

    Raises UsageError for an unknown one.
    """
    make = SWEEPS.get(name)
    if make is None:
        raise UsageError(f"no sweep rule is called {name}", f"known: {', '.join(SWEEPS)}")
    only_count_exempts(name, exempt)
    return make(exempt, narrow)


def only_count_exempts(name: str, exempt: frozenset[str]) -> None:
    """Raise UsageError where tools are exempt from a rule that does not look at tools."""
    if exempt and name != "count":
        raise UsageError(f"--exempt-tool has no meaning for the rule `{name}`", "add --sweep count")


_ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "toolResult": Role.RESULT,
    "bashExecution": Role.USER,
    "branchSummary": Role.SUMMARY,
    "compactionSummary": Role.SUMMARY,
}


def as_outlines(messages: Sequence[Facts]) -> list[MessageOutline]:
    """Put the facts of pi's messages into the form that the rules look at."""
    return [_light(number, facts) for number, facts in enumerate(messages)]


def _light(number: int, facts: Facts) -> MessageOutline:
    record = Record(number, 0, 0)
    role = _ROLES.get(facts.role, Role.CUSTOM) if isinstance(facts.role, str) else Role.CUSTOM
    if role is Role.RESULT:
        result = Result(record, 0, _text(facts.call_id), facts.made_up)
        return MessageOutline(Message(record, role, (), (result,), said=False), "r")
    calls = tuple(Call(record, call.part, _text(call.id), _text(call.name)) for call in facts.calls)
    copies = frozenset(call for call, fact in zip(calls, facts.calls, strict=True) if fact.copy)
    said = len(calls) < len(facts.kinds) or not calls
    return MessageOutline(Message(record, role, calls, said=said, skipped=facts.skipped), facts.kinds, copies)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def as_swept(messages: Sequence[Facts], outlines: Sequence[MessageOutline], decision: Decision) -> Swept:
    """Say by number what was decided over pi's messages, each of which holds one result at most."""
    order: list[int] = []
    added: dict[int, tuple[dict[str, Any], ...]] = {}
    for step in steps(len(outlines), decision):
        if step.number is not None:
            order.append(step.number)
        elif step.result is not None:
            order.append(step.result.record.line)
        elif step.answer is not None:
            facts = messages[step.answer.record.line]
            added[order[-1]] = (*added.get(order[-1], ()), answer(facts, step.answer))
    gone = sorted(set(range(len(outlines))) - set(order))
    ids = tuple(messages[number].call_id for number in gone if outlines[number].message.role is Role.RESULT)
    parts = {
        number: without
        for number in order
        if outlines[number].message.role is not Role.RESULT and (without := decision.without(number, outlines[number]))
    }
    return Swept(tuple(order), ids, parts, added)


def answer(facts: Facts, call: Call) -> dict[str, Any]:
    """Build the result of a call that has none, as pi keeps results; it carries the time of its call."""
    fields = {
        "role": "toolResult",
        "toolCallId": UNDEFINED if call.id is None else call.id,
        "toolName": UNDEFINED if call.name is None else call.name,
        "content": [{"type": "text", "text": ANSWER}],
        "isError": True,
        "timestamp": facts.time,
    }
    return {key: value for key, value in fields.items() if value is not UNDEFINED}
