"""Which findings are shown as one: equal ones of one file, and what several contracts say about one place."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from condense_cli.model.findings import Finding

Place = tuple["Finding", ...]


class Group(NamedTuple):
    """Places with the same rule, severity, detail and answers, in the order of the file.

    A place has a finding per contract.
    """

    places: tuple[Place, ...]

    @property
    def first(self) -> Finding:
        """Return the most severe finding of the first place."""
        return worst(self.places[0])

    @property
    def lines(self) -> tuple[int, ...]:
        """Return the lines (from 1) of all places, each once."""
        return tuple(dict.fromkeys(place[0].line for place in self.places))


def places_of(findings: Sequence[Finding]) -> list[Place]:
    """Put together what several contracts say about one place; two findings of one contract stay two places."""
    if len({finding.contract for finding in findings}) < 2:  # nearly always, and there may be thousands of findings
        return [(finding,) for finding in findings]
    groups: dict[tuple[object, ...], list[Finding]] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    for finding in findings:
        place = (
            finding.rule,
            finding.line,
            finding.index,
            finding.part,
            finding.call_id,
            finding.entry,
            finding.related,
            finding.detail,
        )
        seen[finding.contract, *place] += 1
        groups.setdefault((*place, seen[finding.contract, *place]), []).append(finding)
    return [tuple(place) for place in groups.values()]


def groups_of(places: Iterable[Place]) -> list[Group]:
    """Put equal places together; errors first, then warnings, then infos, each in the order of the file."""
    groups: dict[tuple[object, ...], list[Place]] = {}
    for place in places:
        answers = tuple((finding.contract, finding.severity, finding.provider_error) for finding in place)
        groups.setdefault((place[0].rule, place[0].detail, answers), []).append(place)
    found = [Group(tuple(group)) for group in groups.values()]
    return sorted(found, key=lambda group: -rank(group.first))


def worst(place: Place) -> Finding:
    """Return the most severe finding of a place."""
    return max(place, key=rank)


def rank(finding: Finding) -> int:
    """Order findings by severity: info 1, warning 2, error 3."""
    return (finding.severity or Severity.INFO).rank
