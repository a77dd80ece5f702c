"""The pieces of a thread as contents of the Gemini API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.model.blocks import USER_NOTE, image_note
from condense_cli.model.media import GIF, PDF, is_base64
from condense_cli.request.media import OF_RESULTS, document_of, image_of
from condense_cli.request.names import legal_name, object_of
from condense_cli.request.target import Target, merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.views import Block
    from condense_cli.request.gather import Gathered, Piece

Json = dict[str, Any]
UNSIGNED = "skip_thought_signature_validator"
"""What the vendor's page on thought signatures gives for calls that its model did not make."""
_APPLE = frozenset({"image/heic", "image/heif"})  # images that this provider takes, and others do not
_ENDINGS = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".pdf": PDF}


def write(gathered: Gathered) -> Json:
    """Return `{"systemInstruction"?, "contents", "tools"?}`.

    A user begins; calls and responses have no ids, so that a turn's responses stand alone in the content after it, in
    the order of their calls. Images of results follow in a content of their own.
    """
    given: list[tuple[str, list[Json]]] = []
    current = 0
    for piece in gathered.pieces:
        if piece.assistant:
            given.append(("model", list(_model(piece))))
            given.append(("response", [_response(block, asked) for asked, block in _answered(piece)]))
            given.append(("user", list(_after(piece, gathered))))
        else:
            parts = list(_parts(piece.blocks, gathered))
            given.append(("user", parts))
            current = len(given) if parts else current  # what is not sent begins no turn
    steps = {id(part) for _, parts in given[current:] for part in parts}
    turns = merged(given)
    if turns and turns[0][0] == "model":
        turns.insert(0, ("user", [{"text": USER_NOTE}]))
        gathered.made_up["user note at the beginning"] += 1
    for role, parts in turns:
        first = next((part for part in parts if "functionCall" in part), None) if role == "model" else None
        if first is not None and id(first) in steps and "thoughtSignature" not in first:
            first["thoughtSignature"] = UNSIGNED
            gathered.made_up["mark in the place of a thought signature"] += 1
    request: Json = {}
    if gathered.system:
        request["systemInstruction"] = {"parts": [{"text": "\n\n".join(gathered.system)}]}
    request["contents"] = [{"role": "model" if role == "model" else "user", "parts": parts} for role, parts in turns]
    if gathered.tools:
        request["tools"] = [
            {
                "functionDeclarations": [
                    {
                        "name": _name(tool.name),
                        **({"description": tool.description} if tool.description else {}),
                        "parametersJsonSchema": tool.schema,
                    }
                    for tool in gathered.tools
                ]
            }
        ]
    return request


def _name(name: object) -> str:
    """Return a legal name, which begins with a letter or an underscore here."""
    legal = legal_name(name)
    return legal if legal[0].isalpha() or legal[0] == "_" else f"_{legal[:63]}"


def _model(piece: Piece) -> Iterator[Json]:
    calls = {id(asked.block) for asked in piece.calls}
    for block in piece.blocks:
        signed = {"thoughtSignature": block.signature} if block.signature else {}
        if id(block) in calls:
            yield {"functionCall": {"name": _name(block.name), "args": object_of(block.arguments)}, **signed}
        elif block.kind == "text" and block.text.strip():
            yield {"text": block.text, **signed}


def _answered(piece: Piece) -> Iterator[tuple[Block, Block]]:
    """Yield each call's block with that of its result."""
    blocks = {asked.call: asked.block for asked in piece.calls}
    return ((blocks[call], block) for call, block in piece.results)


def _response(block: Block, asked: Block) -> Json:
    said = {"error" if block.error else "output": block.text}
    return {"functionResponse": {"name": _name(asked.name), "response": said}}


def _after(piece: Piece, gathered: Gathered) -> Iterator[Json]:
    """Yield images and documents of a turn's results: a response holds a text, and is alone in its content."""
    media = [one for _, block in piece.results for one in block.inner if one.kind in ("image", "document")]
    others = sum(one.kind == "other" for _, block in piece.results for one in block.inner)
    gathered.left_out["part of a result"] += others
    if media:
        yield {"text": OF_RESULTS}
        yield from _parts(media, gathered)


def _parts(blocks: Iterable[Block], gathered: Gathered) -> Iterator[Json]:
    for block in blocks:
        if block.kind == "text" and block.text.strip():
            yield {"text": block.text}
        elif block.kind == "image":
            yield _image(block, gathered)
        elif block.kind == "document":
            yield _document(block, gathered)


def _image(block: Block, gathered: Gathered) -> Json:
    kind = block.media_type.lower()
    if kind in _APPLE and block.data and is_base64(block.data):
        return {"inlineData": {"mimeType": kind, "data": block.data}}
    image = image_of(block)
    note = image.note or (image_note(GIF, "this API takes none") if image.media_type == GIF else "")
    if image.url and not note:
        kind = _kind_of(image.url, image.media_type)
        if kind:
            return {"fileData": {"mimeType": kind, "fileUri": image.url}}
        note = image_note("", "an address that does not say its type")
    if note:
        gathered.left_out["image"] += 1
        return {"text": note}
    return {"inlineData": {"mimeType": image.media_type, "data": image.data}}


def _kind_of(url: str, named: str) -> str:
    path = url.split("?", 1)[0].split("#", 1)[0].lower()
    return named or next((kind for ending, kind in _ENDINGS.items() if path.endswith(ending)), "")


def _document(block: Block, gathered: Gathered) -> Json:
    found = document_of(block, urls=True)
    if found.url:
        return {"fileData": {"mimeType": found.media_type, "fileUri": found.url}}
    if found.data:
        return {"inlineData": {"mimeType": found.media_type, "data": found.data}}
    gathered.left_out["document"] += bool(found.note)
    return {"text": found.note or found.text}


TARGET = Target("gemini", "gemini-contents", write, "contents", spoken="google-generative-ai", keeps="google")
