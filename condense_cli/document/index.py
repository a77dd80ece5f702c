"""The index of one round of repair: what its fixes ask about the document, its thread and its pairing.

Each table is made once, when it is asked for, so that no fix walks the file.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from condense_cli.document import tables
from condense_cli.document.draft import Draft
from condense_cli.model.messages import Role
from condense_cli.model.policies import Policies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.views import View
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Call, Message, Record, Result
    from condense_cli.pairing.pair import Fault, Pairing


class Index:
    """What fixes may ask: tables of the document, and of one thread where there is one."""

    def __init__(
        self,
        document: Document,
        view: View | None = None,
        pairing: Pairing | None = None,
        policies: Policies = Policies(),  # noqa: B008 - a frozen value
        contracts: tuple[str, ...] = (),
        findings: Sequence[Finding] = (),
    ) -> None:
        self.document = document
        self.findings = findings
        self.policies = policies
        self.contracts = contracts
        self._view = view
        self._pairing = pairing
        self._draft: Draft | None = None

    @property
    def view(self) -> View:
        """Return the thread that is repaired."""
        assert self._view is not None
        return self._view

    @property
    def pairing(self) -> Pairing:
        """Return the pairing of the thread."""
        assert self._pairing is not None
        return self._pairing

    @property
    def leaf(self) -> Record | None:
        """Return the record that ends the thread."""
        return self._view.leaf if self._view is not None else None

    @cached_property
    def faults(self) -> dict[str, list[Fault]]:
        """Return the faults of the pairing that the round's findings are about, by rule, in the pairing's order."""
        places = {(finding.rule, finding.record, finding.part) for finding in self.findings}
        found: dict[str, list[Fault]] = {}
        for fault in self.pairing.faults:
            rule, result, call = fault.rule, fault.result, fault.call
            if (result is not None and (rule, result.record, result.part) in places) or (
                call is not None and (rule, call.record, call.part) in places
            ):
                found.setdefault(fault.rule, []).append(fault)
        return found

    @cached_property
    def faults_of_calls(self) -> dict[tuple[str, Record], list[Fault]]:
        """Return the same faults by rule and the record of their call."""
        found: dict[tuple[str, Record], list[Fault]] = {}
        for rule, faults in self.faults.items():
            for fault in faults:
                if fault.call is not None:
                    found.setdefault((rule, fault.call.record), []).append(fault)
        return found

    def draft(self) -> Draft:
        """Begin the edits of one fix."""
        self._draft = Draft(self)
        return self._draft

    @property
    def end(self) -> Record | None:
        """Return the record that ends the thread after the fix, in the version that the fix made."""
        leaf = self._draft.leaf if self._draft is not None else self.leaf
        return self._draft.now(leaf) if self._draft is not None and leaf is not None else leaf

    def among(self, findings: Sequence[Finding]) -> Index:
        """Return the index of the same round for some of its findings."""
        return Index(self.document, self._view, self._pairing, self.policies, self.contracts, findings)

    # ------------------------------------------------------------------ the document
    @property
    def order(self) -> dict[Record, int]:
        """Return where each record is in the document, from 0."""
        return self.document.derived(tables.order)

    @property
    def owners(self) -> dict[str, int]:
        """Return how many records own each id."""
        return self.document.derived(tables.owners)

    @property
    def children(self) -> dict[str, list[Record]]:
        """Return parent id -> the records that name it as their parent."""
        return self.document.derived(tables.children)

    @property
    def references(self) -> dict[str, list[Record]]:
        """Return id -> the records that name it elsewhere than as their parent."""
        return self.document.derived(tables.references)

    @property
    def call_ids(self) -> frozenset[str]:
        """Return every call id that the document holds."""
        return self.document.derived(tables.call_ids)

    # ------------------------------------------------------------------ the thread
    @cached_property
    def places(self) -> dict[Record, int]:
        """Return where each record is on the thread, from 0; of a format without a tree, in the document."""
        if self.document.is_tree:
            return {record: n for n, record in enumerate(self.view.path)}
        return self.order

    @cached_property
    def after(self) -> dict[Record, Record]:
        """Return the next record of the thread for each one."""
        return dict(pairwise(self.view.path)) if self._view is not None else {}

    @cached_property
    def before(self) -> dict[Record, Record]:
        """Return the record of the thread before each one."""
        return {below: above for above, below in self.after.items()}

    @cached_property
    def beside(self) -> frozenset[Record]:
        """Return the records that the client reads beside the path."""
        return frozenset(self.view.beside)

    @cached_property
    def boundary(self) -> Record | None:
        """Return the last record of the thread that the client reads on from."""
        return next((r for r in reversed(self.view.path) if self.document.format.is_boundary(r)), None)

    @cached_property
    def first(self) -> Message | None:
        """Return the first message of the thread that is no system text."""
        return next((m for m in self.view.messages if m.role is not Role.SYSTEM), None)

    # ------------------------------------------------------------------ the pairing
    @cached_property
    def results(self) -> dict[Call, Result]:
        """Return the result of each call that has one."""
        return {found.call: found.result for found in self.pairing.pairs}

    def calls_of(self, findings: Sequence[Finding]) -> list[Call]:
        """Return the calls of the thread that findings are about, in the thread's order."""
        places = {(finding.record, finding.part or 0) for finding in findings}
        return [call for message in self.view.messages for call in message.calls if (call.record, call.part) in places]

    @cached_property
    def cycle_of(self) -> dict[Call, int]:
        """Return the number of the cycle that each call is in."""
        return {call: number for number, cycle in enumerate(self.pairing.cycles) for call in cycle.calls}

    @cached_property
    def results_in_place(self) -> dict[int, list[Result]]:
        """Return the results that are where their cycle has them, by cycle."""
        found: dict[int, list[Result]] = {}
        for pair in self.pairing.pairs:
            if not pair.cut and not pair.across:
                found.setdefault(pair.cycle, []).append(pair.result)
        return found

    @cached_property
    def cycle_ends(self) -> dict[int, list[Record]]:
        """Return the records of each cycle's block by place: its message, its calls, and the results that are in
        place.
        """
        return {number: self._block(number) for number in range(len(self.pairing.cycles))}

    def _block(self, number: int) -> list[Record]:
        message = self.pairing.cycles[number].message
        block = [message.record, *(call.record for call in message.calls)]
        block += (result.record for result in self.results_in_place.get(number, ()))
        known = dict.fromkeys(record for record in block if record in self.places)
        return sorted(known, key=lambda record: self.places[record])
