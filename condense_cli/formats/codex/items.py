"""One item of a Codex history (a Responses API item) as facts: who speaks, its halves, its flaws. No text is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from condense_cli.formats.codex.invalid import invalid
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.jsonbytes import jsonread
from condense_cli.model.blocks import is_placeholder
from condense_cli.model.medium import Medium
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role

FUNCTION, CUSTOM, SEARCH = "function", "custom", "search"
REASONING = "reasoning"
BARE = "item"  # kind of a record that is an item without an envelope
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


def read_item(
    record: Record, payload: dict[str, Any], at: int | None = None, ordinal: int | None = None
) -> Item | None:
    """Read an item; None for what the client does not send, or does not know."""
    kind = payload.get("type", "message")  # the type of a message may be left out
    reader = READERS.get(kind) if type(kind) is str else None
    item = None if reader is None else reader(record, payload, at, ordinal)
    return item if item is None else with_flaws(item, invalid(payload, at or 0))


def with_flaws(item: Item, flaws: tuple[Flaw, ...]) -> Item:
    """Return an item with more flaws."""
    return item._replace(message=replace(item.message, flaws=item.message.flaws + flaws)) if flaws else item


def inside(part: int) -> tuple[int, int]:
    """Take the part of a block inside replacement_history apart: the number of the item, and of the block in it."""
    block, at = divmod(part, _INSIDE)
    return at, block - 1


def _part(at: int, block: int) -> int:
    return at + _INSIDE * (block + 1)


# The readers are called for every record of a file: they look at each value once, and make tuples without the
# detour over a constructor written in Python (all fields are given).
_Reader = Callable[[Record, dict[str, Any], "int | None", "int | None"], "Item | None"]
_ASSISTANT, _USER, _RESULT = Role.ASSISTANT, Role.USER, Role.RESULT
_new = tuple.__new__


def _own_id(payload: dict[str, Any]) -> str | None:
    ident = payload.get("id")
    return ident if type(ident) is str and ident else None


def _message(record: Record, payload: dict[str, Any], at: int | None, ordinal: int | None) -> Item | None:
    role = payload.get("role")
    content = payload.get("content")
    if role == "assistant":
        flaws = _text_flaws(content, "assistant") if at is None else ()
        said = not flaws or flaws[0].rule != "empty-message"
        return _new(
            Item,
            (
                "message",
                Message(record, _ASSISTANT, (), (), said, False, flaws, False),
                _own_id(payload),
                False,
                at,
                ordinal,
            ),
        )
    if role == "user":
        media: tuple[Medium, ...] = ()
        flaws = _text_flaws(content, "user") if at is None else ()
        if type(content) is list:
            media = media_of(content)
            flaws += tuple(_placed(flaw, at) for flaw in image_flaws(media, record))
        return _new(
            Item,
            (
                "message",
                Message(record, _USER, (), (), True, False, flaws, False, media),
                _own_id(payload),
                _is_prompt(content),
                at,
                ordinal,
            ),
        )
    if role in ("developer", "system"):
        return Item("message", Message(record, Role.SYSTEM), _own_id(payload), False, at, ordinal)
    return None


def _is_prompt(content: Any) -> bool:
    if type(content) is list:
        first = content[0] if content else None
        content = first.get("text") if type(first) is dict else None
    return not (type(content) is str and content.lstrip()[:40].startswith(_INJECTED))


def _text_flaws(content: Any, who: str) -> tuple[Flaw, ...]:
    """Notice blank texts of records; inside a replacement_history nobody rejects them."""
    if type(content) is list:
        if len(content) == 1:  # nearly always
            block = content[0]
            text = block.get("text", "") if type(block) is dict and "text" in block else None
            if type(text) is not str or (text and not text.isspace()):
                return ()
        blank = [
            n
            for n, block in enumerate(content)
            if type(block) is dict and type(block.get("text")) is str and not block["text"].strip()
        ]
        if len(blank) < len(content):
            return tuple(Flaw("blank-text", "white" if content[n]["text"] else "empty", n) for n in blank)
    elif type(content) is str and content.strip():
        return ()
    variant = "user" if who == "user" else "blank-assistant" if content else "empty-assistant"
    return (Flaw("empty-message", variant, 0),)


def _placed(flaw: Flaw, at: int | None) -> Flaw:
    """Number a flaw of an item inside a replacement_history by its place there."""
    return flaw if at is None else flaw._replace(part=_part(at, flaw.part))


def _reasoning(record: Record, payload: dict[str, Any], at: int | None, ordinal: int | None) -> Item:
    flaws: tuple[Flaw, ...] = ()
    if not payload.get("encrypted_content") and not payload.get("content"):
        flaws = (Flaw("dangling-reasoning", "", at or 0, "it has neither content nor encrypted_content"),)
    return _new(
        Item,
        (
            REASONING,
            Message(record, _ASSISTANT, (), (), False, False, flaws, False),
            _own_id(payload),
            False,
            at,
            ordinal,
        ),
    )


def _function_call(record: Record, payload: dict[str, Any], at: int | None, ordinal: int | None) -> Item:
    ident, name, given = payload.get("call_id"), payload.get("name"), payload.get("arguments")
    call = Call(record, at or 0, ident if type(ident) is str else None, name if type(name) is str else None, FUNCTION)
    flaws: tuple[Flaw, ...] = ()
    if type(given) is not str:
        flaws = (Flaw("missing-arguments" if given is None else "invalid-arguments", "", at or 0, "", call.id),)
    elif not _is_json(given):
        flaws = (Flaw("invalid-arguments", "", at or 0, "the string is not JSON", call.id),)
    return _new(
        Item,
        (
            "function_call",
            Message(record, _ASSISTANT, (call,), (), False, False, flaws, False),
            _own_id(payload),
            False,
            at,
            ordinal,
        ),
    )


def _other_call(kind: str, family: str, name: str | None) -> _Reader:
    def read(record: Record, payload: dict[str, Any], at: int | None, ordinal: int | None) -> Item | None:
        if family is SEARCH and payload.get("execution") == "server":
            return _server(record, payload, at, ordinal)
        ident = payload.get("call_id")
        if ident is None and name is SHELL_NAME:
            ident = payload.get("id")  # older clients
        called = name or payload.get("name")
        call = Call(
            record, at or 0, ident if type(ident) is str else None, called if type(called) is str else None, family
        )
        flaws = tuple(_argument_flaws(kind, payload, at or 0, call.id))
        read_as = (
            CUSTOM_BY_ARGUMENTS if family is CUSTOM and "input" not in payload and "arguments" in payload else kind
        )
        return _new(
            Item,
            (
                read_as,
                Message(record, _ASSISTANT, (call,), (), False, False, flaws, False),
                _own_id(payload),
                False,
                at,
                ordinal,
            ),
        )

    return read


def _argument_flaws(kind: str, payload: dict[str, Any], at: int, ident: str | None) -> Iterator[Flaw]:
    given = payload.get("input")
    if kind == "custom_tool_call" and type(given) is not str and type(payload.get("arguments")) is not str:
        yield Flaw("missing-arguments" if given is None else "invalid-arguments", "", at, "", ident)


def _is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except ValueError:
        # U+0000 has a rule of its own: what is JSON without it must not be thrown away.
        return jsonread.parse(text.replace("\0", "\ufffd").encode("utf-8", "surrogatepass")) is not None
    return True


def _output_reader(kind: str, family: str) -> _Reader:
    def read(record: Record, payload: dict[str, Any], at: int | None, ordinal: int | None) -> Item | None:
        if family is SEARCH and payload.get("execution") == "server":
            return _server(record, payload, at, ordinal)
        ident = payload.get("call_id")
        output = payload.get("output")
        flaws: tuple[Flaw, ...] = ()
        media: tuple[Medium, ...] = ()
        if type(output) is not str:
            if type(output) is list:
                media = media_of(output, in_result=True)
                flaws = tuple(_placed(flaw, at) for flaw in image_flaws(media, record))
            output = _only_text(output)
        made_up = type(output) is str and len(output) < 300 and is_placeholder(output)
        result = Result(record, at or 0, ident if type(ident) is str else None, made_up, family)
        return _new(
            Item,
            (
                kind,
                Message(record, _RESULT, (), (result,), False, False, flaws, False, media),
                _own_id(payload),
                False,
                at,
                ordinal,
            ),
        )

    return read


def _only_text(output: Any) -> Any:
    """Return the text of an output that holds nothing else."""
    if type(output) is dict:
        return output.get("content")
    first = output[0] if type(output) is list and len(output) == 1 else None
    return first.get("text") if type(first) is dict else None


def _server(record: Record, payload: dict[str, Any], at: int | None, ordinal: int | None) -> Item:
    return Item("server", Message(record, _ASSISTANT), _own_id(payload), False, at, ordinal)


def _summary(record: Record, payload: dict[str, Any], at: int | None, ordinal: int | None) -> Item:
    return Item("compaction", Message(record, Role.SUMMARY), _own_id(payload), False, at, ordinal)


def _agent(record: Record, payload: dict[str, Any], at: int | None, ordinal: int | None) -> Item:
    return Item("agent_message", Message(record, Role.CUSTOM), _own_id(payload), False, at, ordinal)


READERS: dict[str, _Reader] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _function_call,
    "local_shell_call": _other_call("local_shell_call", FUNCTION, SHELL_NAME),
    "custom_tool_call": _other_call("custom_tool_call", CUSTOM, None),
    "tool_search_call": _other_call("tool_search_call", SEARCH, SEARCH_NAME),
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
ITEM_TYPES = frozenset(READERS) | {"ghost_snapshot", "configuration_update", "additional_tools"}
