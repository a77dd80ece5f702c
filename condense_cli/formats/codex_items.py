"""One item of a Codex history (a Responses API item) as facts: who speaks, its halves, its flaws. No text is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import orjson

from condense_cli import jsontext
from condense_cli.formats.blocks import data_url_fault, is_placeholder
from condense_cli.model import Call, Flaw, Message, Record, Result, Role

FUNCTION, CUSTOM, SEARCH = "function", "custom", "search"
REASONING = "reasoning"
SHELL_NAME = "local_shell"
SEARCH_NAME = "tool_search"
CUSTOM_BY_ARGUMENTS = "custom_tool_call by arguments"  # written by others than Codex itself
ARGUMENTS = {  # where each kind of call has its arguments
    "function_call": "arguments",
    "local_shell_call": "action",
    "custom_tool_call": "input",
    CUSTOM_BY_ARGUMENTS: "arguments",
    "tool_search_call": "arguments",
}

# What the client itself puts into the mouth of the user; a rollback does not count these.
_INJECTED = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<skill>",
)
_INSIDE = 1 << 20  # part of a block inside an item of replacement_history: the item's number + this × (block + 1)


class Item(NamedTuple):
    """One item of the history. at: its number in a replacement_history, or None where it is a record of its own."""

    kind: str
    message: Message
    id: str | None = None
    prompt: bool = False  # what a person typed: the beginning of a turn that can be rolled back
    at: int | None = None
    ordinal: int | None = None


def read_item(record: Record, payload: dict[str, Any], at: int | None = None, ordinal: int | None = None) -> Item | None:
    """Read an item; None for what the client does not send, or does not know."""
    named = payload.get("type", "message")  # the type of a message may be left out
    reader = _READERS.get(named) if type(named) is str else None
    if reader is None:
        return None
    found = reader(record, payload, at or 0)
    if found is None:
        return None
    kind, message, prompt = found
    ident = payload.get("id")
    return Item(kind, message, ident if type(ident) is str and ident else None, prompt, at, ordinal)


def inside(part: int) -> tuple[int, int]:
    """Take the part of a block inside replacement_history apart: the number of the item, and of the block in it."""
    block, at = divmod(part, _INSIDE)
    return at, block - 1


def blocks_at(record: Record, at: int, block: int) -> int:
    """Return the part of a block: its number, or both numbers where the item stands in a replacement_history."""
    return at + _INSIDE * (block + 1) if record.kind == "compacted" else block


_Read = tuple[str, Message, bool]


def _message(record: Record, payload: dict[str, Any], at: int) -> _Read | None:
    role = payload.get("role")
    content = payload.get("content")
    if role == "assistant":
        flaws = _text_flaws(record, content, "assistant")
        return "message", Message(record, Role.ASSISTANT, (), (), not flaws or flaws[0].rule != "empty-message", False, flaws), False
    if role == "user":
        flaws = _text_flaws(record, content, "user")
        if type(content) is list:
            flaws += tuple(_image_flaws(record, content, at))
        return "message", Message(record, Role.USER, (), (), True, False, flaws), _is_prompt(content)
    if role in ("developer", "system"):
        return "message", Message(record, Role.SYSTEM), False
    return None


def _is_prompt(content: Any) -> bool:
    if type(content) is list:
        first = content[0] if content else None
        content = first.get("text") if type(first) is dict else None
    return not (type(content) is str and content.lstrip()[:40].startswith(_INJECTED))


def _text_flaws(record: Record, content: Any, who: str) -> tuple[Flaw, ...]:
    """Notice blank texts. Inside a replacement_history nobody minds them."""
    if record.kind == "compacted":
        return ()
    if type(content) is list:
        if len(content) == 1:  # nearly always
            block = content[0]
            text = block.get("text", "") if type(block) is dict and "text" in block else None
            if type(text) is not str or (text and not text.isspace()):
                return ()
        blank = [n for n, block in enumerate(content) if type(block) is dict and type(block.get("text")) is str and not block["text"].strip()]
        if len(blank) < len(content):
            return tuple(Flaw("blank-text", "white" if content[n]["text"] else "empty", n) for n in blank)
    elif type(content) is str and content.strip():
        return ()
    variant = "user" if who == "user" else "blank-assistant" if content else "empty-assistant"
    return (Flaw("empty-message", variant, 0),)


def _image_flaws(record: Record, content: list[Any], at: int) -> Iterator[Flaw]:
    for n, block in enumerate(content):
        if type(block) is dict and block.get("type") == "input_image":
            url = block.get("image_url")
            fault = data_url_fault(url.get("url") if type(url) is dict else url) if url is not None else ""
            if fault:
                yield Flaw("invalid-image", "", blocks_at(record, at, n), fault, record=record)


def _reasoning(record: Record, payload: dict[str, Any], at: int) -> _Read:
    flaws: tuple[Flaw, ...] = ()
    if not payload.get("content") and not payload.get("encrypted_content"):
        flaws = (Flaw("dangling-reasoning", "", at, "it has neither content nor encrypted_content"),)
    return REASONING, Message(record, Role.ASSISTANT, (), (), False, False, flaws), False


def _call_reader(kind: str, family: str, key: str, name: str | None) -> Callable[[Record, dict[str, Any], int], _Read | None]:
    def read(record: Record, payload: dict[str, Any], at: int) -> _Read | None:
        if family is SEARCH and payload.get("execution") == "server":
            return "server", Message(record, Role.ASSISTANT, (), (), False), False
        ident = payload.get("call_id")
        if ident is None and name is SHELL_NAME:
            ident = payload.get("id")  # older clients
        called = name or payload.get("name")
        call = Call(record, at, ident if type(ident) is str else None, called if type(called) is str else None, False, family)
        flaws = tuple(_argument_flaws(kind, key, payload, at, call.id))
        if key == "input" and key not in payload and "arguments" in payload:
            return CUSTOM_BY_ARGUMENTS, Message(record, Role.ASSISTANT, (call,), (), False, False, flaws), False
        return kind, Message(record, Role.ASSISTANT, (call,), (), False, False, flaws), False

    return read


def _argument_flaws(kind: str, key: str, payload: dict[str, Any], at: int, ident: str | None) -> Iterator[Flaw]:
    given = payload.get(key)
    if kind == "function_call":
        if type(given) is not str:
            yield Flaw("missing-arguments" if given is None else "invalid-arguments", "", at, "", ident)
        elif not _is_json(given):
            yield Flaw("invalid-arguments", "", at, "the string is not JSON", ident)
    elif kind == "custom_tool_call" and type(given) is not str and type(payload.get("arguments")) is not str:
        yield Flaw("missing-arguments" if given is None else "invalid-arguments", "", at, "", ident)


def _is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except ValueError:
        return jsontext.parse(text.encode("utf-8", "surrogatepass")) is not None
    return True


def _output_reader(kind: str, family: str) -> Callable[[Record, dict[str, Any], int], _Read]:
    def read(record: Record, payload: dict[str, Any], at: int) -> _Read:
        if family is SEARCH and payload.get("execution") == "server":
            return "server", Message(record, Role.ASSISTANT, (), (), False), False
        ident = payload.get("call_id")
        output = payload.get("output")
        flaws: tuple[Flaw, ...] = ()
        if type(output) is list:
            flaws = tuple(_image_flaws(record, output, at))
            first = output[0] if len(output) == 1 else None
            output = first.get("text") if type(first) is dict else None
        elif type(output) is dict:
            output = output.get("content")
        made_up = type(output) is str and len(output) < 300 and is_placeholder(output)
        result = Result(record, at, ident if type(ident) is str else None, made_up, False, family)
        return kind, Message(record, Role.RESULT, (), (result,), False, False, flaws), False

    return read


def _server(record: Record, payload: dict[str, Any], at: int) -> _Read:
    return "server", Message(record, Role.ASSISTANT, (), (), True), False


def _summary(record: Record, payload: dict[str, Any], at: int) -> _Read:
    return "compaction", Message(record, Role.SUMMARY), False


def _agent(record: Record, payload: dict[str, Any], at: int) -> _Read:
    return "agent_message", Message(record, Role.CUSTOM), False


_READERS: dict[str, Callable[[Record, dict[str, Any], int], _Read | None]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _call_reader("function_call", FUNCTION, "arguments", None),
    "local_shell_call": _call_reader("local_shell_call", FUNCTION, "action", SHELL_NAME),
    "custom_tool_call": _call_reader("custom_tool_call", CUSTOM, "input", None),
    "tool_search_call": _call_reader("tool_search_call", SEARCH, "arguments", SEARCH_NAME),
    "function_call_output": _output_reader("function_call_output", FUNCTION),
    "custom_tool_call_output": _output_reader("custom_tool_call_output", CUSTOM),
    "tool_search_output": _output_reader("tool_search_output", SEARCH),
    # These run at the provider and have no partner.
    "web_search_call": _server,
    "image_generation_call": _server,
    "compaction": _summary,
    "context_compaction": _summary,
    "agent_message": _agent,
}
ITEM_TYPES = frozenset(_READERS) | {"ghost_snapshot", "configuration_update", "additional_tools"}
