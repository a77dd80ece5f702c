"""What pruning noticed, in the words and with the keys of pi-condense."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import replaced_halves, string

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN_IDS = 5


class Diagnostic(NamedTuple):
    """One notice. The same kind and key are told once."""

    kind: str
    key: str
    detail: str


def unresolved(block_id: Any, start: Any, final: Any) -> Diagnostic:
    """Report a chain whose ends are not found exactly once each, in order."""
    block = string(block_id)
    return Diagnostic("unresolved-range", block, f"blockId={block} start={string(start)} final={string(final)}")


def nested(block_id: Any, other: Any) -> Diagnostic:
    """Report a chain that starts inside another one."""
    block = string(block_id)
    return Diagnostic(
        "unresolved-range", f"overlap:{block}", f"blockId={block} skipped: range nests inside blockId={string(other)}"
    )


def mismatch(block_id: Any, recorded: int, actual: int) -> Diagnostic:
    """Report a range that holds other ids than its entry recorded."""
    block = string(block_id)
    return Diagnostic("range-id-mismatch", block, f"blockId={block} recorded={recorded} actual={actual}")


def swept(ids: Iterable[Any]) -> Diagnostic:
    """Report the results that lost their calls; sorted by UTF-16 units."""
    names = sorted((string(call_id) for call_id in ids), key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    more = f" ... +{len(names) - SHOWN_IDS} more" if len(names) > SHOWN_IDS else ""
    key = hashlib.sha1(replaced_halves(",".join(names))).hexdigest()[:16]
    return Diagnostic(
        "orphan-sweep", key, f"swept {len(names)} orphan toolResult(s): {', '.join(names[:SHOWN_IDS])}{more}"
    )


def told_once(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Leave out what was told before."""
    first: dict[tuple[str, str], Diagnostic] = {}
    for diagnostic in found:
        first.setdefault((diagnostic.kind, diagnostic.key), diagnostic)
    return tuple(first.values())
