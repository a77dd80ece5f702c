"""Everything that can be asked for in a session: the index first, then a sidecar, then the transcript."""

from __future__ import annotations

import difflib
import fnmatch
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from condense_cli.recall.find import Finder
from condense_cli.recall.output import Output

_MOST_NEAR = 3
_NUMBERED = re.compile(r"[tL][0-9]+")


class Listed(NamedTuple):
    """One output under the reference that names it alone; where: index, sidecar or transcript."""

    ref: str
    output: Output
    where: str


def listed(finder: Finder) -> list[Listed]:
    """Return all outputs of a thread: those of the index as tN, the others by their call id (`ID#2`: the second)."""
    found = [*_short(finder.index.key_of_ref, finder, "index"), *_short(finder.compressed.refs(), finder, "sidecar")]
    if finder.index_only:
        return found
    known = {(one.output.call_id, one.output.time) for one in found}
    seen: Counter[str] = Counter()
    for output in finder.transcript():
        call_id = str(output.call_id)
        seen[call_id] += 1
        ref = call_id if seen[call_id] == 1 else f"{call_id}#{seen[call_id]}"
        if output.call_id and (output.call_id, output.time) not in known:
            found.append(Listed(ref, output, "transcript"))
    return found


def _short(refs: Iterable[str], finder: Finder, where: str) -> Iterator[Listed]:
    for ref in refs:
        for output in finder.answer(str(ref)).outputs[:1]:
            yield Listed(str(ref), output, where)


def matching_refs(pattern: str, refs: Sequence[str]) -> list[str]:
    """Return the references that a glob matches, or that start with a word, in order; t1 is never the start of t10."""
    if any(mark in pattern for mark in "*?["):
        return [ref for ref in refs if fnmatch.fnmatchcase(ref, pattern)]
    if _NUMBERED.fullmatch(pattern):
        return []
    return [ref for ref in refs if ref.startswith(pattern)]


def near(ref: str, refs: Sequence[str]) -> list[str]:
    """Return the references that are spelled nearly as one that was not found, the nearest first."""
    return difflib.get_close_matches(ref, refs, _MOST_NEAR)
