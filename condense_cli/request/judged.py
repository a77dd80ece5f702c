"""What a contract makes of a sweep: the rules that it does not flag are left alone, and what it flags afterwards is
named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.findings import Severity
from condense_cli.pairing.decision import emptied
from condense_cli.pairing.pair import pair
from condense_cli.pi_condense.prune.diagnostics import Diagnostic
from condense_cli.rules.contracts import cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense_cli.model.messages import Half, Message
    from condense_cli.pairing.decision import Decision, MessageOutline

_FLAGGED = (Severity.ERROR, Severity.WARNING)


def is_flagged(rule: str, contract: str, variant: str = "") -> bool:
    """Say whether a contract has an error or warning for a rule."""
    return cell(rule, variant, contract).severity in _FLAGGED


def only_flagged(decision: Decision, outlines: Sequence[MessageOutline], contract: str) -> Decision:
    """Return what is left of a decision when only what a contract flags is changed, as a repair for that contract
    would.
    """

    def stays(half: Half) -> bool:
        rule = decision.reasons.get(half)
        return rule is not None and not is_flagged(rule, contract)

    gone = frozenset(half for half in decision.gone if not stays(half))
    brought = {
        n: kept for n, results in decision.brought.items() if (kept := tuple(r for r in results if not stays(r)))
    }
    answers = {n: left for n, calls in decision.answers.items() if (left := tuple(c for c in calls if not stays(c)))}
    narrowed = decision._replace(gone=gone, brought=brought, answers=answers)
    return narrowed._replace(dropped=decision.dropped & emptied(outlines, narrowed))


def flagged(
    messages: Iterable[Message], contract: str, *, shared_results: bool = False, together: bool = False
) -> Iterator[Diagnostic]:
    """Yield the halves that a contract still flags in a list of messages; the detail names the message, from 0."""
    listed = list(messages)
    numbers = {id(message.record): number for number, message in enumerate(listed)}
    for fault in pair(listed, shared_results=shared_results, together=together).faults:
        severity = cell(fault.rule, fault.variant, contract).severity
        half = fault.result if fault.result is not None else fault.call
        if severity in _FLAGGED and half is not None:
            number = numbers[id(half.record)]
            yield Diagnostic(fault.rule, half.id or "", f"message {number} is still {_word(severity)} for {contract}")


def _word(severity: Severity | None) -> str:
    return "an error" if severity is Severity.ERROR else "a warning"
