"""The turns of a thread as what a request is made of: what each side says, with each result at its call."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.blocks import SIGNATURE_LENGTH, image_fault, image_note
from condense_cli.model.media import head_of, media_type_of
from condense_cli.model.medium import IMAGE_TYPES
from condense_cli.model.messages import Call, Half, Result, Role
from condense_cli.pairing.contract import contract
from condense_cli.request.thread import answer_to, light_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense_cli.document.views import Block, Turn
    from condense_cli.model.messages import Message
    from condense_cli.pairing.decision import Decision, Light


class Said(NamedTuple):
    """A turn; anthropic: its thinking was signed by Anthropic. facts: what its format read from it, if it did."""

    turn: Turn
    anthropic: bool = False
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
    """System texts, pieces in order, and what was left out or made up: numbers by what it is called."""

    system: tuple[str, ...]
    pieces: tuple[Piece, ...]
    left_out: Counter[str]
    made_up: Counter[str]


_WORD = re.compile(r"[a-z][a-z_-]{0,39}")
_LOST = {
    "orphan-result": "result without its call",
    "duplicate-result": "second result of a call",
    "stored-twice": "result that is there twice",
    "invalid-call-id": "result without an id",
    "duplicate-call-id": "copy of a call",
    "result-of-skipped-call": "result of a failed turn",
}


def gather(said: Sequence[Said], *, thinking: bool) -> Gathered:
    """Order the turns for a request; thinking: the provider takes its own thinking back, whole turns of it only."""
    left_out: Counter[str] = Counter()
    made_up: Counter[str] = Counter()
    lights = [light_of(one.turn, number=n, facts=one.facts) for n, one in enumerate(said)]
    decision = contract(lights, trailing=True)
    brought = {result for results in decision.brought.values() for result in results}
    for half, rule in decision.reasons.items():
        if half in decision.gone and half not in brought and rule in _LOST:
            left_out[_LOST[rule]] += 1
    system: list[str] = []
    pieces: list[Piece] = []
    outputs: dict[Call, Block] = {}
    for one, light in zip(said, lights, strict=True):
        turn = one.turn
        if turn.skipped:
            left_out["turn of a failed request"] += 1
        elif turn.role is Role.SYSTEM:
            system.extend(block.text for block in turn.blocks if block.kind == "text" and block.text.strip())
        else:
            carried = thinking and one.anthropic and turn.role is Role.ASSISTANT and _is_whole(turn)
            pieces.extend(_pieces(turn, light, decision, outputs, left_out, thinking=carried))
    for piece in pieces:
        _answer(piece, outputs, made_up)
    return Gathered(tuple(system), tuple(pieces), left_out, made_up)


def _pieces(  # noqa: C901 - the kinds that are told apart are read best side by side
    turn: Turn, light: Light, decision: Decision, outputs: dict[Call, Block], left_out: Counter[str], *, thinking: bool
) -> Iterator[Piece]:
    """Yield what one turn says; what stands behind a result in it is said later. Results go to `outputs`."""
    assistant = turn.role is Role.ASSISTANT
    halves: dict[int, Half] = {call.part: call for call in light.message.calls}
    halves.update({result.part: result for result in light.message.results})
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
        if block.kind == "thinking" and not thinking:
            left_out["thinking"] += 1
            continue
        if block.kind == "other":
            left_out[block.text if _WORD.fullmatch(block.text) else "other"] += 1
            continue
        now = now or Piece(assistant)
        now.blocks.append(block)
        if half is not None:
            now.calls.append(Asked(half, block))
    if now is not None:
        yield now


def _is_whole(turn: Turn) -> bool:
    """Thinking goes back whole or not at all: one block without a usable signature spoils its turn."""
    parts = [block for block in turn.blocks if block.kind == "thinking"]
    hidden = any(block.kind == "other" and "thinking" in block.text for block in turn.blocks)
    return not hidden and all(len(block.signature) >= SIGNATURE_LENGTH for block in parts)


def _answer(piece: Piece, outputs: dict[Call, Block], made_up: Counter[str]) -> None:
    """Put the results of a piece's calls behind it; open calls get a marked error."""
    for call, block in piece.calls:
        if call in outputs:
            piece.results.append((call, outputs[call]))
        else:
            made_up["answer to an open call"] += 1
            piece.results.append((call, answer_to(block)))


# ---------------------------------------------------------------------- names and ids
_NOT_IN_ID = re.compile(r"[^a-zA-Z0-9_-]")
_LEGAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
UNKNOWN_TOOL = "unknown_tool"


def legal_name(name: object) -> str:
    """Return a tool name cut at its first illegal character; if nothing is left, a name that says so."""
    match = _LEGAL_NAME.match(name) if isinstance(name, str) else None
    return match[0] if match else UNKNOWN_TOOL


def legal_ids(pieces: Iterable[Piece], limit: int) -> dict[Call, str]:
    """Give each call an id that no other call has, of legal characters and at most `limit` of them.

    An id that is legal stays with the first call that has it; others are made from what they were.
    """
    calls = [asked.call for piece in pieces for asked in piece.calls]
    taken = {call.id for call in calls if _is_legal(call.id, limit)}
    kept: set[str] = set()
    found: dict[Call, str] = {}
    for call in calls:
        if call.id is not None and _is_legal(call.id, limit) and call.id not in kept:
            found[call] = call.id
            kept.add(call.id)
            continue
        base = _NOT_IN_ID.sub("_", (call.id or "").split("|", 1)[0]) or "call"
        new = base[:limit]
        number = 1
        while new in taken:
            number += 1
            mark = f"_{number}"
            new = base[: limit - len(mark)] + mark
        taken.add(new)
        found[call] = new
    return found


def _is_legal(ident: str | None, limit: int) -> bool:
    return bool(ident) and ident is not None and len(ident) <= limit and not _NOT_IN_ID.search(ident)


# ---------------------------------------------------------------------- images
class Image(NamedTuple):
    """An image that a provider takes: base64 data with its true type, or a URL; else the note that takes its place."""

    media_type: str = ""
    data: str = ""
    url: str = ""
    note: str = ""


def image_of(block: Block) -> Image:
    """Judge an image. Its type is what its bytes say."""
    if block.url and not block.data:
        if block.url.startswith(("https://", "http://")):
            return Image(url=block.url)
        return Image(note=image_note(block.media_type, "not a web address"))
    media_type = _true_type(block.data) or block.media_type.lower()
    fault = image_fault(media_type, block.data)
    if not fault and not _true_type(block.data):
        fault = "the bytes are no image"
    if fault:
        return Image(note=image_note(block.media_type, fault))
    return Image(media_type, block.data)


def _true_type(data: str) -> str:
    kind = media_type_of(head_of(data))
    return kind if kind in IMAGE_TYPES else ""


# ---------------------------------------------------------------------- arguments
def object_of(arguments: object) -> dict[str, object]:
    """Return arguments as an object: a text that holds one is read, what is none becomes its member `input`."""
    if isinstance(arguments, str):
        from condense_cli.jsonbytes import jsonread

        parsed = jsonread.parse(arguments.encode("utf-8", "surrogatepass"))
        arguments = parsed.value if parsed is not None and isinstance(parsed.value, dict) else arguments
    if isinstance(arguments, dict):
        return arguments
    return {} if arguments in (None, "", []) else {"input": arguments}
