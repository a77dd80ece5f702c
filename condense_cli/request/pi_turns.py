"""pi's messages as turns, for building a request of another API from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, Turn
from condense_cli.formats.pi.content import blocks_of
from condense_cli.jsonbytes.javascript import string
from condense_cli.model.messages import Record, Role
from condense_cli.pi_condense.prune.context import message_at
from condense_cli.pi_condense.prune.wire import converted, folded_system

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.pi_condense.prune.views import Rendering

_SKIPPED = ("error", "aborted")
_SHOWN = {role: role for role in ("user", "assistant", "system", "toolResult")}
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}


_SIGNERS = {
    "anthropic": "anthropic",
    "amazon-bedrock": "anthropic",
    "google": "google",
    "google-vertex": "google",
    "google-gemini-cli": "google",
}


def turns(rendering: Rendering) -> Iterator[tuple[Turn, str]]:
    """Yield the messages after pruning, the folded system message in front; and who signed the reasoning of each."""
    for message in (*_system(rendering), *converted(rendering.rendered())):
        provider = message.get("provider")
        yield _turn(message), _SIGNERS.get(provider, "") if isinstance(provider, str) else ""


def tools_of(rendering: Rendering) -> list[Any]:
    """Return the tools that the session declares."""
    return [tool for message in _system(rendering) for tool in message.get("toolsAdded", ())]


def _system(rendering: Rendering) -> list[dict[str, Any]]:
    places = (place for place in rendering.branch.places if place.facts.role == "system")
    return folded_system([message_at(place, rendering.load) for place in places])


def turn_of(message: dict[str, Any]) -> tuple[str, tuple[Block, ...]]:
    """Return role and parts of a message as pi has it in context, whatever its role is: for showing it."""
    turn = _turn({**message, "role": _SHOWN.get(string(message.get("role")), "user")})
    return turn.role.value, turn.blocks


def _turn(message: dict[str, Any]) -> Turn:
    record = Record(0, 0, 0)
    content = tuple(blocks_of(message.get("content")))
    if message.get("role") == "toolResult":
        text = "\n".join(block.text for block in content if block.kind == "text")
        ident, name = message.get("toolCallId", message.get("toolUseId")), message.get("toolName")
        result = Block("result", text, ident, string(name), error=message.get("isError") is True, inner=content)
        return Turn(record, Role.RESULT, (result,))
    return Turn(record, _ROLES[message["role"]], content, message.get("stopReason") in _SKIPPED)
