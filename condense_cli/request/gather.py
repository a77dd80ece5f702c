"""The turns of a thread as what a request is made of: what each side says, with each result at its call."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.model.blocks import SIGNATURE_LENGTH
from condense_cli.model.messages import Call, Half, Result, Role
from condense_cli.pairing.contract import contract
from condense_cli.request.declared import declared
from condense_cli.request.target import Thinking
from condense_cli.request.thread import answer_to, outline_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense_cli.document.views import Block, Turn
    from condense_cli.model.messages import Message
    from condense_cli.pairing.decision import Decision, MessageOutline
    from condense_cli.request.declared import Tool


class Said(NamedTuple):
    """A turn; signer: who signed its reasoning, "" unknown. facts: what its format read from it, if it did."""

    turn: Turn
    signer: str = ""
    facts: Message | None = None


class Asked(NamedTuple):
    """A call with its block."""

    call: Call
    block: Block


class Piece:
    """What one side says at once; an assistant's is followed by the results of its calls."""

    def __init__(self, assistant: bool) -> None:
        self.assistant = assistant
        self.blocks: list[Block] = []
        self.calls: list[Asked] = []
        self.results: list[tuple[Call, Block]] = []


class Gathered(NamedTuple):
    """System texts, pieces in order, and what was left out or made up: numbers by what it is called. tools: what the
    session declares.
    """

    system: tuple[str, ...]
    pieces: tuple[Piece, ...]
    left_out: Counter[str]
    made_up: Counter[str]
    tools: tuple[Tool, ...] = ()


_WORD = re.compile(r"[a-z][a-z_-]{0,39}")
_LOST = {
    "orphan-result": "result without its call",
    "duplicate-result": "second result of a call",
    "stored-twice": "result that is there twice",
    "invalid-call-id": "result without an id",
    "duplicate-call-id": "copy of a call",
    "result-of-skipped-call": "result of a failed turn",
}


def gather(said: Sequence[Said], keeps: str, thinking: Thinking, tools: Iterable[Any] | None = None) -> Gathered:
    """Order the turns for a request.

    keeps: whose signatures the provider takes back; thinking: and how much thinking. tools: declarations, in any words.
    """
    left_out: Counter[str] = Counter()
    made_up: Counter[str] = Counter()
    outlines = [outline_of(one.turn, number=n, facts=one.facts) for n, one in enumerate(said)]
    decision = contract(outlines, trailing=True)
    brought = {result for results in decision.brought.values() for result in results}
    for half, rule in decision.reasons.items():
        if half in decision.gone and half not in brought and rule in _LOST:
            left_out[_LOST[rule]] += 1
    system: list[str] = []
    pieces: list[Piece] = []
    outputs: dict[Call, Block] = {}
    for one, outline in zip(said, outlines, strict=True):
        turn = one.turn
        if turn.skipped:
            left_out["turn of a failed request"] += 1
        elif turn.role is Role.SYSTEM:
            system.extend(block.text for block in turn.blocks if block.kind == "text" and block.text.strip())
        else:
            own = bool(keeps) and one.signer == keeps and turn.role is Role.ASSISTANT
            carried = _Carried(own, own and _takes(thinking, turn))
            pieces.extend(_pieces(turn, outline, decision, outputs, left_out, carried))
    for piece in pieces:
        _answer(piece, outputs, made_up)
    return Gathered(tuple(system), tuple(pieces), left_out, made_up, declared(tools, left_out))


class _Carried(NamedTuple):
    """What of a turn goes back to the provider that made it: its signatures, its thinking."""

    signatures: bool
    thinking: bool


def _pieces(
    turn: Turn,
    outline: MessageOutline,
    decision: Decision,
    outputs: dict[Call, Block],
    left_out: Counter[str],
    carried: _Carried,
) -> Iterator[Piece]:
    """Yield what one turn says; what is after a result in it is said later. Results go to `outputs`."""
    assistant = turn.role is Role.ASSISTANT
    halves: dict[int, Half] = {call.part: call for call in outline.message.calls}
    halves.update({result.part: result for result in outline.message.results})
    now: Piece | None = None
    for part, block in enumerate(turn.blocks):
        half = halves.get(part)
        if half is not None and half.server:
            left_out["part of a tool that ran at the provider"] += 1
            continue
        if isinstance(half, Result):
            owner = decision.owners.get(half)
            if owner is not None:
                outputs[owner] = block
            if assistant and now is not None:
                yield now
                now = None
            continue
        if half is not None and (half in decision.gone or not assistant):
            continue
        unsaid = _unsaid(block, assistant=assistant, thinking=carried.thinking)
        if unsaid:
            left_out[unsaid] += 1
            continue
        now = now or Piece(assistant)
        block = block if carried.signatures or not block.signature else block._replace(signature="")  # noqa: PLW2901
        now.blocks.append(block)
        if half is not None:
            now.calls.append(Asked(half, block))
    if now is not None:
        yield now


def _unsaid(block: Block, *, assistant: bool, thinking: bool) -> str:
    """Return what a block is called that no request holds, or "": no provider takes media from the assistant."""
    if block.kind == "thinking" and not thinking:
        return "thinking"
    if block.kind in ("image", "document") and assistant:
        return f"{block.kind} of the assistant"
    if block.kind == "other":
        return block.text if _WORD.fullmatch(block.text) else "other"
    return ""


def _takes(thinking: Thinking, turn: Turn) -> bool:
    return thinking is Thinking.EACH or (thinking is Thinking.WHOLE and _is_whole(turn))


def _is_whole(turn: Turn) -> bool:
    """Thinking goes back whole or not at all: one block without a usable signature spoils its turn."""
    parts = [block for block in turn.blocks if block.kind == "thinking"]
    hidden = any(block.kind == "other" and "thinking" in block.text for block in turn.blocks)
    return not hidden and all(len(block.signature) >= SIGNATURE_LENGTH for block in parts)


def _answer(piece: Piece, outputs: dict[Call, Block], made_up: Counter[str]) -> None:
    """Put the results of a piece's calls after it; open calls get a marked error."""
    for call, block in piece.calls:
        if call in outputs:
            piece.results.append((call, outputs[call]))
        else:
            made_up["answer to an open call"] += 1
            piece.results.append((call, answer_to(block)))
