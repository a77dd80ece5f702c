"""One thread as its rules scan it: what its client reads, how its calls and results pair, and what is wrong inside
messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.findings import Finding
from condense_cli.model.once import CachedProperty
from condense_cli.pairing.pair import Fault, Pairing, pair, quick_pairing
from condense_cli.rules.media import Sent, sent_media

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.model_in_use import ModelInUse
    from condense_cli.document.views import View
    from condense_cli.model.messages import Flaw, Message

_ON_RESULT = frozenset(
    {
        "orphan-result",
        "displaced-result",
        "result-before-call",
        "duplicate-result",
        "stored-twice",
        "result-of-skipped-call",
        "invalid-call-id",
    }
)
_OPEN = frozenset({"unanswered-call", "trailing-call"})
_OF_SKIPPED = frozenset({"invalid-image", "missing-content"})  # a client falls over them before it leaves the turn out
_WITHOUT_CALL = frozenset({"orphan-result", "result-of-skipped-call"})


class Thread:
    """A thread of a document; first says that it is the first one that is looked at, exempt names tools whose calls
    need no result.
    """

    def __init__(
        self,
        document: Document,
        view: View,
        contracts: Sequence[str] = (),
        *,
        first: bool = True,
        exempt: frozenset[str] = frozenset(),
    ) -> None:
        self.document = document
        self.view = view
        self.contracts = contracts
        self.first = first
        self.exempt = exempt

    @CachedProperty
    def pairing(self) -> Pairing:
        """Return how the calls and results of the thread pair."""
        return quick_pairing(self.view.messages, together=self.document.format.together) or self._paired()

    def _paired(self) -> Pairing:
        fmt = self.document.format
        return pair(self.view.messages, shared_results=fmt.shared_results, together=fmt.together)

    @property
    def pairs(self) -> Pairing:
        """Return the pairing with its pairs: a thread in which every call is answered in its turn is scanned without."""
        return self.pairing if self.pairing.cycles else self._paired()

    @property
    def is_clean(self) -> bool:
        """Say whether neither the pairing nor any single message has anything wrong."""
        return not self._faults and not self._flaws

    @CachedProperty
    def media(self) -> tuple[Sent, ...]:
        """Return the images and documents that the client sends."""
        return sent_media(self.document, self.view)

    @CachedProperty
    def model_in_use(self) -> ModelInUse:
        """Return the model that the thread uses now, by its name where the file says it anywhere; asked for media
        alone.
        """
        model = self.document.format.model_of(self.document, self.view) if self.media else ""
        return self.view.model_in_use._replace(model=model) if model else self.view.model_in_use

    @CachedProperty
    def _faults(self) -> dict[str, list[Fault]]:
        found: dict[str, list[Fault]] = {}
        for fault in self.pairing.faults:
            found.setdefault(fault.rule, []).append(fault)
        return found

    def faults(self, rule: str, *, variant: str | None = None) -> Iterator[Finding]:
        """Yield the findings of a pairing rule; variant: another one than the pairing gives."""
        for fault in self._faults.get(rule, ()):
            half = fault.result if rule in _ON_RESULT and fault.result is not None else fault.call
            assert half is not None
            if rule in _OPEN and fault.call is not None and fault.call.name in self.exempt:
                continue
            record = half.record
            others = (fault.call, fault.other_call, fault.result, fault.other_result)
            lines = {h.record.line for h in others if h is not None and h.record is not record}
            yield Finding(
                rule,
                record.line,
                record,
                None,
                fault.variant if variant is None else variant,
                half.part,
                half.id,
                tuple(sorted(lines)) if lines else (),
                fault.detail,
            )

    @CachedProperty
    def _flaws(self) -> dict[str, list[tuple[Message, Flaw]]]:
        """Group what was seen inside single messages by rule; a result that is dropped needs no findings of its own."""
        lost = {
            fault.result for rule in _WITHOUT_CALL for fault in self._faults.get(rule, ()) if fault.result is not None
        }
        found: dict[str, list[tuple[Message, Flaw]]] = {}
        for message in self.view.messages:
            if message.flaws and not (lost and any(result in lost for result in message.results)):
                for flaw in message.flaws:
                    if not message.skipped or flaw.rule in _OF_SKIPPED:
                        found.setdefault(flaw.rule, []).append((message, flaw))
        return found

    def flaws(self, rule: str) -> Iterator[tuple[Message, Finding]]:
        """Yield the findings of a rule that was judged while records were read, each with its message."""
        for message, flaw in self._flaws.get(rule, ()):
            record = flaw.record or message.record
            yield (
                message,
                Finding(
                    rule,
                    record.line,
                    record,
                    variant=flaw.variant,
                    part=flaw.part,
                    call_id=flaw.call_id,
                    detail=flaw.detail,
                ),
            )


class FaultScan:
    """A scan that yields nothing for a thread without faults and flaws: it needs nothing but them."""

    def __init__(self, rule: str, *, fault: bool) -> None:
        self._rule = rule
        self._fault = fault

    def __call__(self, thread: Thread) -> Iterator[Finding]:
        """Yield the findings of the rule."""
        if self._fault:
            return thread.faults(self._rule)
        return (finding for _, finding in thread.flaws(self._rule))


def scan_flaws(rule: str) -> FaultScan:
    """Return a scan for a rule that needs nothing but what was seen while records were read."""
    return FaultScan(rule, fault=False)


def scan_faults(rule: str) -> FaultScan:
    """Return a scan for a rule that needs nothing but the pairing."""
    return FaultScan(rule, fault=True)
