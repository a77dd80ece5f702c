"""Calls held against the tools that their conversation declares; the contract `training` alone rejects them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonread
from condense_cli.model.findings import Finding
from condense_cli.rules import sessions
from condense_cli.rules.rule import Example, Layer, Rule
from condense_cli.rules.schemas import Declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.model.messages import Call
    from condense_cli.rules.schemas import Fits
    from condense_cli.rules.thread import Thread

_TRAINING = "training"


def scan_names(thread: Thread) -> Iterator[Finding]:
    """Yield calls of tools that are not declared, where any are."""
    for call, fits in _calls(thread):
        if fits is None:
            yield Finding("undeclared-tool", call.record.line, call.record, part=call.part, call_id=call.id)


def scan_arguments(thread: Thread) -> Iterator[Finding]:
    """Yield calls whose arguments the declared schema refuses; arguments that are no object have a rule of their
    own.
    """
    for call, fits in _calls(thread):
        arguments = _arguments(thread, call) if fits is not None else None
        if fits is not None and isinstance(arguments, dict) and not fits(arguments):
            yield Finding("arguments-not-by-schema", call.record.line, call.record, part=call.part, call_id=call.id)


def _calls(thread: Thread) -> Iterator[tuple[Call, Fits | None]]:
    """Yield the calls of a thread that declares tools, each with whether arguments fit its tool; None: it is not
    declared.
    """
    document = thread.document
    tools = document.format.tools_of(document, thread.view) if _TRAINING in thread.contracts else None
    if not tools:
        return
    declared = Declared().of(tools)
    for message in thread.view.messages:
        for call in message.calls:
            if call.name is not None and not call.server:
                yield call, declared.get(call.name)


def _arguments(thread: Thread, call: Call) -> Any:
    value = thread.document.value(call.record)
    for step in thread.document.format.call_paths(call).arguments:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    parsed = jsonread.parse(value.encode("utf-8", "replace")) if isinstance(value, str) else None
    return value if parsed is None else parsed.value


_TOOL = {"name": "bash", "parameters": {"type": "object", "properties": {"command": {"type": "array"}}}}


def _example(tool: dict[str, Any]) -> Example:
    messages = [
        sessions.ask(),
        sessions.chat_call("call_1"),
        sessions.chat_result("call_1"),
        {"role": "assistant", "content": "One file."},
    ]
    return Example(
        "openai-chat",
        1,
        sessions.lines({"tools": [{"type": "function", "function": tool}], "messages": messages}),
        contract=_TRAINING,
    )


UNDECLARED = Rule(
    "undeclared-tool", Layer.CALL,
    "the tool that is called is not among those that the conversation declares",
    "",
    _example(_TOOL | {"name": "ls"}),
    scan_thread=scan_names,
)  # fmt: skip

SCHEMA = Rule(
    "arguments-not-by-schema", Layer.CALL,
    "the arguments do not fit the schema that the conversation declares",
    "",
    _example(_TOOL),
    scan_thread=scan_arguments,
)  # fmt: skip
