"""Records of another session in a Claude Code transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.formats.claude_code.chain import Chain, chain_of
from condense_cli.formats.claude_code.facts import facts
from condense_cli.formats.claude_code.replies import scan_replies
from condense_cli.model.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.records import Records


def scan(document: Records) -> Iterator[Finding]:
    """Yield records of another session, and those that cut a reply off."""
    chain = chain_of(document)
    if len(chain.sessions) > 1:
        copied = _copied(chain)
        for record in chain.records:
            if facts(record).owner.session not in (None, chain.session) and id(record) not in copied:
                yield Finding("foreign-session", record.line, record, detail="it belongs to another session")
    yield from scan_replies(chain)


def _copied(chain: Chain) -> set[int]:
    """Return the records of other sessions that this one was continued from: nothing of its own stands above them."""
    copied: set[int] = set()
    for record in chain.records:
        above = chain.parent(record)
        if facts(record).owner.session != chain.session or above is None or facts(above).owner.session == chain.session:
            continue
        history = list(chain.up(above))
        if all(facts(r).owner.session != chain.session for r in history):
            copied.update(id(r) for r in history)
    return copied
