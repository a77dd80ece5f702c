"""Explain: what a rule means and who rejects it, and which findings of a session a pasted error is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.findings import Severity
from condense_cli.rules.catalogue import RULES, Rule
from condense_cli.rules.contracts import CONTRACTS, NOT_A_RULE, PROVIDERS, Cell, cell, variants
from condense_cli.rules.refusals import REFUSALS, Match, Refusal, as_match, texts
from condense_cli.rules.refusals.wire import by_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.model.findings import Finding, Report

_TRUNCATED = 12  # characters that an id must have kept to be taken for a longer one
_NOT_SENT = re.compile(r"[^a-zA-Z0-9_-]")


class Verdict(NamedTuple):
    """What one contract says about one rule: a cell for each variant that it judges in a way of its own."""

    contract: str
    cells: tuple[tuple[str, Cell], ...]

    @property
    def worst(self) -> Cell:
        """Return the cell with the highest severity."""
        return max((one for _, one in self.cells), key=_rank)


class Sheet(NamedTuple):
    """All that is known about one rule."""

    rule: Rule
    verdicts: tuple[Verdict, ...]
    errors: tuple[Refusal, ...]


class PlacedFinding(NamedTuple):
    """A finding that a pasted error may be about; `named` says that its id or index is in the text."""

    finding: Finding
    named: bool


class Mention(NamedTuple):
    """Where an id of a pasted text is in the session, in lines from 1."""

    id: str
    calls: tuple[int, ...]
    results: tuple[int, ...]


def sheet(name: str) -> Sheet:
    """Collect what is known about a rule; raise KeyError for a name that is none."""
    return Sheet(RULES[name], tuple(verdict(name, contract) for contract in CONTRACTS), texts(name))


def verdict(rule: str, contract: str) -> Verdict:
    """Return what a contract says about a rule, variants that it treats alike taken together."""
    cells: dict[Cell, str] = {}
    for variant in variants(rule) or ("",):
        cells.setdefault(cell(rule, variant, contract), variant)
    return Verdict(contract, tuple((variant, one) for one, variant in cells.items()) or (("", NOT_A_RULE),))


def rule_name(text: str) -> str | None:
    """Return the rule that a text names, however it spells it."""
    name = "-".join(text.lower().replace("_", "-").split())
    return name if name in RULES else None


def near_rule(text: str) -> str | None:
    """Return the rule that a single word was probably meant to name."""
    import difflib

    name = text.lower().replace("_", "-")
    if len(name.split()) != 1:
        return None
    return next(iter(difflib.get_close_matches(name, RULES, 1)), None)


def by_code(text: str) -> tuple[Match, ...]:
    """Return the refusal or wire rule that a text names by its code, as one match."""
    rows = [row for row in REFUSALS if row.code == text.strip().upper()]
    return by_name(text) or ((as_match(rows),) if rows else ())


def contracts_to_check(matches: Iterable[Match], own: str) -> tuple[str, ...]:
    """Return the likeliest contract of each match; the session's own for an error that belongs to no contract."""
    found = (
        next((name for name in match.contracts if name == own), match.contracts[0] if match.contracts else own)
        for match in matches
    )
    return tuple(dict.fromkeys(found))


def places(matches: Sequence[Match], report: Report) -> tuple[PlacedFinding, ...]:
    """Return the findings that the matches are about: those that the text names first, then by how likely the rule
    is.
    """
    order = {rule: n for n, rule in enumerate(dict.fromkeys(rule for match in matches for rule in match.rules))}
    best: dict[tuple[object, ...], Finding] = {}
    for finding in report.findings:
        if finding.rule in order:
            key = (finding.rule, finding.line, finding.index, finding.part, finding.call_id)
            best[key] = max(best.get(key, finding), finding, key=lambda one: one.severity.rank if one.severity else 0)
    found = [PlacedFinding(finding, _is_named(finding, matches)) for finding in best.values()]
    return tuple(sorted(found, key=lambda place: (not place.named, order[place.finding.rule], place.finding.line)))


def others(matches: Iterable[Match], report: Report) -> int:
    """Count the errors and warnings of the report that the matches are not about."""
    about = {rule for match in matches for rule in match.rules}
    return sum(
        1
        for finding in report.findings
        if finding.rule not in about and finding.severity is not None and finding.severity.rank >= Severity.WARNING.rank
    )


def mentions(matches: Iterable[Match], document: Document) -> tuple[Mention, ...]:
    """Return the lines on which the ids of the matches are called and answered."""
    ids = tuple(dict.fromkeys(name for match in matches for name in match.ids))
    calls: dict[str, list[int]] = {name: [] for name in ids}
    results: dict[str, list[int]] = {name: [] for name in ids}
    for record in document.records if ids else ():
        message = record.message
        for halves, lines in ((message.calls, calls), (message.results, results)) if message else ():
            for half in halves:
                for name in ids:
                    if same_id(name, half.id):
                        lines[name].append(half.record.line)
    return tuple(Mention(name, tuple(dict.fromkeys(calls[name])), tuple(dict.fromkeys(results[name]))) for name in ids)


def same_id(pasted: str, own: str | None) -> bool:
    """Say whether an id of an error text is an id of the session: whole, cut off, or as clients rewrite ids when
    they send them.
    """
    if own is None:
        return False
    sent = own.split("|", 1)[0]
    if pasted in (own, sent, _NOT_SENT.sub("_", own), _NOT_SENT.sub("_", sent)):
        return True
    return len(pasted) >= _TRUNCATED and own.startswith(pasted)


def provider_of(match: Match) -> str | None:
    """Return the contract to name in a command, a provider's if there is one: it judges any session."""
    return next((name for name in match.contracts if name in PROVIDERS), next(iter(match.contracts), None))


def table() -> Iterator[tuple[str, tuple[Verdict, ...]]]:
    """Yield every rule with what each contract says about it, in the order of both tables."""
    for name in RULES:
        yield name, tuple(verdict(name, contract) for contract in CONTRACTS)


def _is_named(finding: Finding, matches: Iterable[Match]) -> bool:
    about = [match for match in matches if finding.rule in match.rules]
    if any(same_id(name, finding.call_id) or same_id(name, finding.entry) for match in about for name in match.ids):
        return True
    if any(match.ids for match in about):
        return False
    return finding.index is not None and any(finding.index in match.messages for match in about)


def _rank(one: Cell) -> int:
    return one.severity.rank if one.severity else 0
