"""Records of another session in a Claude Code transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.formats.claude_code.chain import chain_of
from condense_cli.formats.claude_code.facts import facts
from condense_cli.formats.claude_code.replies import scan_replies
from condense_cli.model.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.records import Records


def scan(document: Records) -> Iterator[Finding]:
    """Yield records of another session, and those that cut a reply off.

    Where the chain goes on over a change of the session, as a resume or a fork writes it, one finding names the place.
    """
    chain = chain_of(document)
    if len(chain.sessions) > 1:
        told: set[str | None] = set()
        for record in chain.records:
            session = facts(record).owner.session
            if session in (None, chain.session):
                continue
            if session not in chain.joined:
                yield Finding("foreign-session", record.line, record, detail="it belongs to another session")
            elif session not in told:
                told.add(session)
                yield Finding(
                    "foreign-session", record.line, record, variant="joined", detail="the chain goes on over the change"
                )
    yield from scan_replies(chain)
