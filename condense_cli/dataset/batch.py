"""Batches of rows from Python: findings and repaired rows as values that can be sent between processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from condense_cli.dataset.conversation import conversation_of
from condense_cli.dataset.judge import judge, repaired, turns_of
from condense_cli.rules.schemas import Declared


class BatchFinding(NamedTuple):
    """A rule that a row breaks. row counts from 0 in the batch, index counts turns from 0."""

    row: int
    rule: str
    severity: str
    index: int | None  # type: ignore[assignment]
    detail: str


def check_batch(batch: Any, column: str | None = None) -> list[BatchFinding]:
    """Return what breaks the contract `training` in a list of rows or an Arrow record batch.

    A row that is not understood has one finding, `unreadable-line`. column: default the usual names.
    """
    declared = Declared()
    found: list[BatchFinding] = []
    for number, row in enumerate(_rows(batch)):
        conversation = conversation_of(row, column)
        if conversation is None:
            found.append(BatchFinding(number, "unreadable-line", "error", None, "no conversation was understood"))
            continue
        found += (BatchFinding(number, *flaw) for flaw in judge(conversation, declared))
    return found


def repair_batch(batch: Any, column: str | None = None) -> list[Any]:
    """Return the rows with their conversations repaired.

    The rows that were given are not changed; sound ones are the same objects.
    """
    declared = Declared()
    return [_repaired(row, column, declared) for row in _rows(batch)]


def _repaired(row: Any, column: str | None, declared: Declared) -> Any:
    conversation = conversation_of(row, column)
    if conversation is None or not judge(conversation, declared):
        return row
    new = repaired(conversation)
    if new is None:
        return row
    turns: Any = new.decode() if conversation.text else turns_of(new)
    return {**row, conversation.column: turns} if conversation.column else turns


def _rows(batch: Any) -> Sequence[Any]:
    """Return the rows of a list, or of anything that has Arrow's `to_pylist`."""
    if isinstance(batch, list):
        return batch
    rows: list[Any] = batch.to_pylist()
    return rows
