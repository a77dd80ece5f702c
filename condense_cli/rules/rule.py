"""What a rule is: a unit of a name, what it means, a scan that finds it, a fix that repairs it, and an example.

`scan` looks at a whole file, `scan_thread` at one thread of it as its client reads it. Neither changes anything. `fix`
takes findings of the rule and the index of the round, and returns edits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.rules.thread import Thread


class Layer(StrEnum):
    """Where a rule looks, in the order in which repair works."""

    LINE = "line"
    HEADER = "header"
    TREE = "tree"
    PAIRING = "pairing"
    CALL = "call"
    CONTENT = "content"
    CONDENSE = "condense"


ELLIPSIS = "…".encode()


class Example(NamedTuple):
    """A tiny session in which one rule alone is broken; `line` is where, from 1.

    fill: how many letters stand for the ellipsis in data; contract: the one that rejects it, where the format's own does not.
    """

    format: str
    line: int
    data: bytes
    fill: int = 0
    contract: str = ""

    @property
    def whole(self) -> bytes:
        """Return the session in full length."""
        return self.data.replace(ELLIPSIS, b"x" * self.fill) if self.fill else self.data

    @property
    def name(self) -> str:
        """Return a file name that suits the content."""
        return "session.json" if self.data.startswith(b"[") else "session.jsonl"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that can be wrong; `repair` is empty where it is reported only, `on_request` where only --select or
    a policy fixes it.

    by_default: the variants of a finding that are fixed without such a wish.

    absorbs: the records that the fix drops need no findings of other rules.
    """

    name: str
    layer: Layer
    means: str
    repair: str
    example: Example
    scan: Callable[[Document], Iterable[Finding]] | None = None
    scan_thread: Callable[[Thread], Iterable[Finding]] | None = None
    fix: Callable[[Sequence[Finding], Index], Sequence[RecordEdit]] | None = None
    on_request: bool = False
    by_default: frozenset[str] = frozenset()
    absorbs: bool = False
