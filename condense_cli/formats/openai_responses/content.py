"""An item with its texts, to be shown or sent: as in a rollout of Codex, and what Codex does not write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.codex.blocks import blocks_of
from condense_cli.model.blocks import words

if TYPE_CHECKING:
    from condense_cli.document.views import Block

_CALLS = frozenset({"computer_call", "shell_call", "apply_patch_call"})
_OUTPUTS = frozenset({
    "computer_call_output", "shell_call_output", "apply_patch_call_output", "local_shell_call_output",
})  # fmt: skip


def load(value: dict[str, Any]) -> list[Block]:
    """Load the blocks of one item."""
    kind = words(value.get("type", "message"))
    if kind in _CALLS:
        named, arguments = kind.removesuffix("_call"), value.get("action", value.get("operation"))
        value = {**value, "type": "function_call", "name": named, "arguments": arguments}
    elif kind in _OUTPUTS:
        ident, output = value.get("call_id", value.get("id")), _output(value.get("output"))
        value = {"type": "function_call_output", "call_id": ident, "output": output}
    return list(blocks_of(value))


def _output(output: Any) -> Any:
    """Return an output as texts and images: a screenshot, or what a command wrote."""
    if isinstance(output, dict) and output.get("type") == "computer_screenshot":
        return [{"type": "input_image", "image_url": output.get("image_url")}]
    return [_written(one) for one in output] if isinstance(output, list) else output


def _written(one: Any) -> Any:
    if not isinstance(one, dict) or "stdout" not in one:
        return one
    return {"type": "input_text", "text": words(one["stdout"]) + words(one.get("stderr"))}
