"""The user message in place of a dropped range."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, string
from condense_cli.pi_condense.prune.captured import captured_text
from condense_cli.pi_condense.prune.index import Chain, Index
from condense_cli.pi_condense.prune.keys import WouldThrowError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from condense_cli.pi_condense.prune.context import Load

_PLACEHOLDER = re.compile(r"\{b([0-9]+)\}")


class Synthetic(NamedTuple):
    """The message for one chain: built from the file when it is written. outputs are positions of protected results."""

    chain: Chain
    outputs: tuple[int, ...]


def chain_body(chain: Chain, index: Index, load: Load) -> str:
    """Return the chain's summary with each `{bN}` replaced by that block's own summary, one level deep."""
    if not isinstance(chain.refs, list):
        raise WouldThrowError("a chain has no list of references")

    def put(match: re.Match[str]) -> str:
        block = f"b{match[1]}"
        other = index.chain(block) if block != chain.block_id else None
        return (index.chain_text(other, load) if other else "") or match[0]

    return _PLACEHOLDER.sub(put, index.chain_text(chain, load))


def synthetic_message(
    synthetic: Synthetic, index: Index, load: Load, output_at: Callable[[int], dict[str, Any]]
) -> dict[str, Any]:
    """Write the message: body, then the protected outputs. Nothing in it is escaped, as in the original."""
    chain = synthetic.chain
    head = f'<compressed-chain id="{string(chain.block_id)}" tools="{string(chain.refs)}">'
    outputs = "".join(_protected(output_at(position)) for position in synthetic.outputs)
    text = f"{head}\n{chain_body(chain, index, load)}{outputs}\n</compressed-chain>"
    message = {"role": "user", "content": [{"type": "text", "text": text}]}
    return message if chain.compressed_at is UNDEFINED else {**message, "timestamp": chain.compressed_at}


def _protected(message: dict[str, Any]) -> str:
    tool = string(message.get("toolName", UNDEFINED))
    return f'\n\n<protected-output tool="{tool}">\n{captured_text(message.get("content"))}\n</protected-output>'


def block_ids(synthetics: Sequence[Synthetic]) -> list[str]:
    """Return the block ids in order."""
    return [string(synthetic.chain.block_id) for synthetic in synthetics]
