"""The user message in place of a chain: how it is worded, and how it is found again in a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.pi_condense.compact.body import body_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.document import Document
    from condense_cli.model.messages import Message, Record
    from condense_cli.pi_condense.compact.body import Brief

TAG = "<compressed-chain"
HEAD = (
    "These tool calls were compacted. Ask for their whole outputs by reference: "
    "tool `query` of the MCP server condense, "
    "or the command `condense query REF`."
)
_NAME = b"compressed-chain"  # without the bracket, which some writers escape
# In the bytes of a record, where quotes inside a string are escaped.
_MARK = re.compile(
    rb'compressed-chain id=\\(?:"|u0022)b([0-9]{1,9})\\(?:"|u0022) tools=\\(?:"|u0022)([t0-9,]*)\\(?:"|u0022)'
)
_REF = re.compile(rb"\bt([0-9]{1,9})\b")


class Mark(NamedTuple):
    """A record in place of a chain: the block's number, and the numbers of its references."""

    record: Record
    block: int
    refs: tuple[int, ...]


def stand_in_text(block: str, refs: Sequence[str], briefs: Sequence[Brief]) -> str:
    """Write the message for one chain, as pi-condense does; its first line names what gives the outputs back."""
    return f'{TAG} id="{block}" tools="{",".join(refs)}">\n{body_text(briefs, refs, HEAD)}\n</compressed-chain>'


def marks(document: Document) -> list[Mark]:
    """Find every mention of a compressed chain in a file, the first of each block and record."""
    found: dict[tuple[int, int], Mark] = {}
    for record in document.readable():
        raw = document.raw(record)
        if _NAME not in raw:
            continue
        for match in _MARK.finditer(raw):
            block = int(match[1])
            refs = tuple(int(number) for number in _REF.findall(match[2]))
            found.setdefault((id(record), block), Mark(record, block, refs))
    return list(found.values())


def is_stand_in(document: Document, message: Message) -> bool:
    """Say whether a user message begins as one in place of a chain; white space before it does not count."""
    blocks = document.format.turn(document, message).blocks
    return bool(blocks) and blocks[0].kind == "text" and blocks[0].text.lstrip().startswith(TAG)
