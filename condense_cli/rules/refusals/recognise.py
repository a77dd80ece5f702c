"""From a pasted text to the rules it is about, in time linear in its length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from condense_cli.rules.refusals.match import Match, as_match
from condense_cli.rules.refusals.pasted import Text, readings, squeezed, unescaped
from condense_cli.rules.refusals.row import BAD_REQUEST, Refusal
from condense_cli.rules.refusals.template import Gap, Template, Walk, fits, follow, inner, templates
from condense_cli.rules.refusals.wire import named_in

_LIMIT = 200_000  # characters of a pasted text that are looked at
_REPEATS = 20  # times that one refusal is looked at in a log
_CUT = 24  # letters that must be left of a text that was cut off
_BEFORE = 400  # letters before the core in which the beginning of a text is looked for
_TRIES = 3  # places at which it is looked for
_SURE = 20  # letters that identify a text whose words in backticks are gone, whatever is around it

# Which contract a text points to by a name in it; the first that occurs is tried first.
_HINTS: tuple[tuple[str, str], ...] = (
    (r"deepseek", "deepseek"),
    (r"moonshot|kimi", "kimi"),
    (r"bedrock|converse", "bedrock"),
    (r"mistral", "mistral"),
    (r"codex", "codex"),
)
_PLACE = re.compile(
    r"\b(?:messages|input|contents)\W{0,2}(\d+)\b(?:\W{0,2}(?:content|parts|tool_calls)\W{0,2}(\d+)\b)?[\w.\s:\]]{0,60}$"
)


class _Hit(NamedTuple):
    refusal: Refusal
    start: int
    end: int
    score: int
    captures: tuple[tuple[str, str], ...]


def recognise(text: str) -> tuple[Match, ...]:
    """Find the refusals that a pasted text is about, best first; none gives ().

    Ids, indexes, case, quotes, backticks, JSON escapes, colours and line breaks do not matter, and words in
    backticks may be missing.
    """
    plain = unescaped(text[:_LIMIT])
    best: dict[str, Match] = {}
    for reading in readings(plain):
        for match in _matches(reading):
            known = best.get(match.code)
            if known is None or match.score > known.score:
                best[match.code] = match
            elif match.score == known.score:
                longer = (name for name in match.ids if any(_goes_on(name, short) for short in known.ids))
                best[match.code] = known._replace(ids=tuple(dict.fromkeys((*known.ids, *longer))))
    found = list(best.values()) or list(named_in(plain)) or _cut_off(squeezed(plain))
    hinted = tuple(contract for pattern, contract in _HINTS if re.search(pattern, plain, re.IGNORECASE))
    return tuple(_with_hints(match, hinted) for match in sorted(found, key=lambda match: -match.score))


def _goes_on(name: str, short: str) -> bool:
    """Say whether an id was cut by a line break; a sentence that follows it is no part of it."""
    return name.startswith(short) and not re.match(r"[.:][A-Z]", name[len(short) :])


def _matches(text: Text) -> Iterator[Match]:
    """Yield one match per code; a hit inside a longer one is the same words in another vendor's sentence."""
    hits = list(_hits(text))
    kept = [hit for hit in hits if not any(_covers(other, hit) for other in hits)]
    for code in dict.fromkeys(hit.refusal.code for hit in kept):
        yield _merged([hit for hit in kept if hit.refusal.code == code])


def _hits(text: Text) -> Iterator[_Hit]:
    for template in templates():
        if template.landmark not in text.squeezed:
            continue
        first = str(template.core[0])
        at = -1
        for _ in range(_REPEATS):
            at = text.squeezed.find(first, at + 1)
            if at < 0:
                break
            core = follow(text, at, template.core, whole=True)
            if core is not None:
                hit = _extended(text, template, at, core)
                if _is_meant(text, template, hit):
                    yield hit


def _extended(text: Text, template: Template, at: int, core: Walk) -> _Hit:
    """Take what is written before and after the core into a hit."""
    after = follow(text, core.end, template.after, whole=False)
    assert after is not None
    start, letters, captures = _beginning(text, template, at)
    if not any(kind in "nm" for kind, _ in captures) and not any(kind == "n" for kind, _ in core.captures):
        captures = (*captures, *_place(text, at))
    score = core.letters + after.letters + letters
    return _Hit(template.refusal, start, after.end, score, (*captures, *core.captures, *after.captures))


def _beginning(text: Text, template: Template, at: int) -> tuple[int, int, tuple[tuple[str, str], ...]]:
    """Return where the text before the core begins, its letters and what its gaps have; it is there whole or not at
    all.
    """
    pieces = list(template.before)
    while pieces and isinstance(pieces[0], Gap):
        pieces.pop(0)
    if not pieces:
        return at, 0, ()
    end = pieces[-1]
    last = end.kind if isinstance(end, Gap) else ""
    pieces = pieces[: len(pieces) - bool(last)]
    start = at
    for _ in range(_TRIES):
        start = text.squeezed.rfind(str(pieces[0]), max(0, at - _BEFORE), start)
        if start < 0:
            break
        walk = follow(text, start, pieces, whole=True)
        if walk is None:
            continue
        if last and walk.end <= at and fits(last, value := inner(text, walk.end, at)):
            return start, walk.letters, (*walk.captures, (last, value))
        if not last and walk.end == at:
            return start, walk.letters, walk.captures
    return at, 0, ()


def _place(text: Text, at: int) -> tuple[tuple[str, str], ...]:
    """Return the message and part that are named directly before a text, whatever its own beginning is."""
    end = text.place(at)
    found = _PLACE.search(text.text, max(0, end - 120), end)
    if found is None:
        return ()
    return (("n", found[1]), *((("m", found[2]),) if found[2] else ()))


def _is_meant(text: Text, template: Template, hit: _Hit) -> bool:
    """Say whether words that are common, or that lost some of their own, are this error."""
    needs = template.refusal.needs
    if template.eaten and template.letters < _SURE:
        needs = needs or BAD_REQUEST
    if not needs or (hit.start == 0 and hit.end == len(text.squeezed)):
        return True
    return bool(re.search(needs, text.text, re.IGNORECASE)) or any(kind == "n" for kind, _ in hit.captures)


def _covers(other: _Hit, hit: _Hit) -> bool:
    return other.score > hit.score and other.start <= hit.start < other.end


def _merged(hits: list[_Hit]) -> Match:
    top = max(hit.score for hit in hits)
    # Vendors share sentences to the letter: all who say the best one stay candidates.
    rows = list(dict.fromkeys(hit.refusal for hit in hits if hit.score == top))
    captures = [capture for hit in hits for capture in hit.captures]
    return as_match(rows, top, captures)


def _cut_off(letters: str) -> list[Match]:
    """Find the refusal whose beginning is the end of the text: it was cut off there."""
    found: list[tuple[int, Refusal]] = []
    for template in templates():
        for size in range(len(template.landmark) - 1, _CUT - 1, -1):
            if letters.endswith(template.landmark[:size]):
                found.append((size, template.refusal))
                break
    if not found:
        return []
    top = max(size for size, _ in found)
    return [as_match([refusal for size, refusal in found if size == top], top)]


def _with_hints(match: Match, hinted: tuple[str, ...]) -> Match:
    return match._replace(contracts=tuple(sorted(match.contracts, key=lambda contract: contract not in hinted)))
