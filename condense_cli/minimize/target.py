"""The finding that must stay, and how it is looked for in other bytes."""

from __future__ import annotations

import re
from typing import NamedTuple

from condense_cli.check.engine import check
from condense_cli.document.document import Document
from condense_cli.document.memory import BytesInMemory
from condense_cli.errors import CondenseError
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Finding, Severity
from condense_cli.rules.contracts import PROVIDERS
from condense_cli.rules.refusals import provider_error

_ALNUM = re.compile("[A-Za-z0-9]")


class Mark(NamedTuple):
    """What makes two findings the same in different files: no place and no id, but what the providers answer."""

    rule: str
    variant: str
    severity: Severity | None
    texts: tuple[str | None, ...]


class Target(NamedTuple):
    """A finding to keep: the file's name and format, the contract that judges, and the mark of the finding."""

    path: str
    format: str
    contract: str
    mark: Mark

    def found(self, data: bytes) -> Finding | None:
        """Return the finding in these bytes, None where they do not show it, or are another format's."""
        try:
            document = read_document(self.path, BytesInMemory(data))
        except CondenseError:
            return None
        if document.format.name != self.format:
            return None
        return next(
            (finding for finding in findings(document, self.contract) if mark_of(finding, self.contract) == self.mark),
            None,
        )


def findings(document: Document, contract: str) -> tuple[Finding, ...]:
    """Return what is wrong with a document, as one contract judges it."""
    return check(document, [contract]).findings


def worst(found: tuple[Finding, ...], rule: str | None) -> Finding | None:
    """Return the worst finding (of a rule, where one is named), the first of several; None where there is none."""
    named = [finding for finding in found if rule is None or finding.rule == rule]
    return max(named, key=lambda finding: finding.severity.rank if finding.severity else 0, default=None)


def mark_of(finding: Finding, contract: str) -> Mark:
    """Return the mark of a finding; of its id only the shape is in the answers of providers."""
    shape = None if finding.call_id is None else _ALNUM.sub("x", finding.call_id)
    texts = [provider_error(finding.rule, finding.variant, one, call_id=shape) for one in (contract, *PROVIDERS)]
    return Mark(finding.rule, finding.variant, finding.severity, tuple(texts))


def answers(finding: Finding, contract: str) -> tuple[tuple[str, str], ...]:
    """Return who answers what to a finding, of the contract and all providers."""
    texts = {
        one: provider_error(finding.rule, finding.variant, one, call_id=finding.call_id)
        for one in (contract, *PROVIDERS)
    }
    return tuple((one, text) for one, text in texts.items() if text)
