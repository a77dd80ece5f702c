"""A turn as JSON, the same for every format: `{"role", "content": [blocks]}`.

role: user, assistant, tool, system, custom or summary; `"skipped": true` says that the client does not send it.
Blocks, by type:

    text         text
    thinking     thinking, signature (where there is one)
    tool_use     id, name, input
    tool_result  tool_use_id, content (blocks), is_error (when true)
    image        source: {"type": "base64", "media_type", "data"} or {"type": "url", "url"}
    other        kind: what the format calls a part that has no text to show; documents, too

Ids and names that the file does not have are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.model.messages import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from condense_cli.document.views import Block, Turn

_ROLES = {Role.RESULT: "tool"}


def as_json(turn: Turn) -> dict[str, Any]:
    """Return a turn as a JSON value."""
    message: dict[str, Any] = {"role": _ROLES.get(turn.role, turn.role.value), "content": blocks(turn.blocks)}
    return {**message, "skipped": True} if turn.skipped else message


def blocks(given: Iterable[Block]) -> list[dict[str, Any]]:
    """Return blocks as JSON values."""
    return [block_json(block) for block in given]


def block_json(block: Block) -> dict[str, Any]:
    """Return one block as a JSON value."""
    return {key: value for key, value in _KINDS.get(block.kind, _other)(block).items() if value is not None}


def _text(block: Block) -> dict[str, Any]:
    return {"type": "text", "text": block.text}


def _thinking(block: Block) -> dict[str, Any]:
    return {"type": "thinking", "thinking": block.text, "signature": block.signature or None}


def _call(block: Block) -> dict[str, Any]:
    return {"type": "tool_use", "id": block.id, "name": block.name, "input": block.arguments}


def _result(block: Block) -> dict[str, Any]:
    content = blocks(block.inner) if block.inner else [{"type": "text", "text": block.text}] if block.text else []
    return {
        "type": "tool_result",
        "tool_use_id": block.id,
        "content": content,
        "is_error": True if block.error else None,
    }


def _image(block: Block) -> dict[str, Any]:
    if block.url:
        return {"type": "image", "source": {"type": "url", "url": block.url}}
    return {"type": "image", "source": {"type": "base64", "media_type": block.media_type, "data": block.data}}


def _other(block: Block) -> dict[str, Any]:
    return {"type": "other", "kind": block.text or block.kind}


_KINDS: dict[str, Callable[[Block], dict[str, Any]]] = {
    "text": _text,
    "thinking": _thinking,
    "call": _call,
    "result": _result,
    "image": _image,
}
