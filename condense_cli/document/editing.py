"""What the members of a format that repair something may do to a file: an interface, without a format and without rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from condense_cli.document.records import Records
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.format import View
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Record
    from condense_cli.model.plan import Edit
    from condense_cli.pairing.pair import Fault, Pairing


class Editable(Records, ABC):
    """The records of a file, with what was found and changed so far."""

    findings: list[Finding]
    edits: list[Edit]
    moves = 0  # how many records were put in or moved so far

    @property
    @abstractmethod
    def fixed(self) -> bool:
        """Say whether no line may move or change its length."""

    @abstractmethod
    def hold(self, rule: str, record: Record) -> None:
        """Say of a finding of the file's own layers that it stays."""

    @abstractmethod
    def note(self, change: Change, rule: str, record: Record, **more: Any) -> None:
        """Remember why a record is changed."""

    @abstractmethod
    def drop(self, record: Record, rule: str, **more: Any) -> bool:
        """Take a record out; False: its line must keep its place and nothing fits there."""

    @abstractmethod
    def rewrite(
        self, record: Record, data: bytes, rule: str, change: Change = Change.REPLACE, *, grows: bool = False, **more: Any
    ) -> bool:
        """Give a record new bytes; False: its line must keep its length and they do not fit."""

    @abstractmethod
    def place(self, record: Record, after: Record | None) -> None:
        """Put a new record after another one, or before all, at the next `settle`."""

    @abstractmethod
    def shift(self, record: Record, after: Record | None, rule: str, **more: Any) -> Record:
        """Move a record after another one; return its new self."""

    @abstractmethod
    def settle(self) -> None:
        """Bring the records into their new order and forget those that are gone."""


class Links(Protocol):
    """Structural changes to one thread: a record is put in, taken out or moved with every link to it."""

    @property
    def order(self) -> dict[int, int]:
        """Return id() of a record -> its position in the file."""

    def next(self, record: Record) -> Record | None:
        """Return the next record of the thread."""

    def hang(self, record: Record, parent: str | None, rule: str) -> None:
        """Give a record another parent."""

    def drop(self, record: Record, rule: str, **more: Any) -> None:
        """Take a record out; its children get its parent."""

    def insert(self, value: dict[str, Any], anchor: Record, rule: str, **more: Any) -> Record:
        """Put a new record after an anchor of the thread."""

    def insert_before(self, value: dict[str, Any], record: Record, rule: str, **more: Any) -> Record:
        """Put a new record between a record and its parent."""

    def move(self, record: Record, anchor: Record, rule: str, **more: Any) -> Record:
        """Move a record after an anchor of the thread; return its new self."""


class RepairContext(Protocol):
    """One round of a repair: a thread, its pairing, the findings that are to be repaired, and the means to do it."""

    @property
    def document(self) -> Editable:
        """Return the file."""

    @property
    def view(self) -> View:
        """Return the thread."""

    @property
    def pairing(self) -> Pairing:
        """Return the thread's calls and results as they pair."""

    @property
    def findings(self) -> Sequence[Finding]:
        """Return the findings of this round's rule."""

    @property
    def surgery(self) -> Links:
        """Return what changes the thread's structure."""

    def faults(self, *rules: str) -> list[Fault]:
        """Return the faults of the pairing that the findings are about."""
