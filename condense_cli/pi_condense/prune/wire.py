"""From pi's messages to those that pi hands to an Anthropic model: user, assistant and toolResult only.

Behaviour of pi 1.6.0 for claude-sonnet-4-5, which takes images. Results that pi makes up carry the time of their
call here, where pi puts the clock: the same input gives the same output.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, is_number, string, trim, truthy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Message = dict[str, Any]


class Model(NamedTuple):
    """The model that the request goes to."""

    provider: str = "anthropic"
    api: str = "anthropic-messages"
    name: str = "claude-sonnet-4-5"


NO_RESULT = "No result provided"
_NOT_IN_ID = re.compile(r"[^a-zA-Z0-9_-]")
_SKIPPED = ("error", "aborted")
_BRANCH = "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n{}</summary>"
_COMPACTION = (
    "The conversation history before this point was compacted into the following summary:\n\n<summary>\n{}\n</summary>"
)


def folded_system(messages: Sequence[Message]) -> list[Message]:
    """Fold system messages into the one that pi replays in front; none gives none."""
    if not messages:
        return []
    texts: list[str] = []
    sections: dict[str, Any] = {}
    tools: dict[Any, Any] = {}
    for message in messages:
        text = _content_text(message.get("content"))
        if text:
            texts.append(text)
        _lay_over(sections, message.get("sections"))
        for tool in _dicts(message.get("toolsRemoved")):
            tools.pop(string(tool.get("name")), None)
        for tool in _dicts(message.get("toolsAdded")):
            tools[string(tool.get("name"))] = tool
    folded: Message = {"role": "system", "content": "\n\n".join(texts)}
    if sections:
        folded["sections"] = sections
    if tools:
        folded["toolsAdded"] = list(tools.values())
    if "timestamp" in messages[0]:
        folded["timestamp"] = messages[0]["timestamp"]
    return [folded]


def _lay_over(sections: dict[str, Any], given: Any) -> None:
    """Put the sections of a later message over those before it; null takes one out."""
    for name, value in given.items() if isinstance(given, dict) else ():
        if value is None:
            sections.pop(name, None)
        else:
            sections[name] = value


def _content_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(string(block.get("text", "")) for block in _dicts(content))


def _dicts(value: Any) -> list[Message]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


# pi's own roles become user messages


def _text(text: str, message: Message) -> Message:
    converted: Message = {"role": "user", "content": [{"type": "text", "text": text}]}
    return {**converted, "timestamp": message["timestamp"]} if "timestamp" in message else converted


def _custom(message: Message) -> Message:
    content = message.get("content", UNDEFINED)
    if isinstance(content, str):
        return _text(content, message)
    fields = {"role": "user", "content": content, "timestamp": message.get("timestamp", UNDEFINED)}
    return {key: value for key, value in fields.items() if value is not UNDEFINED}


def _bash(message: Message) -> Message | None:
    if truthy(message.get("excludeFromContext")):
        return None
    output = message.get("output")
    text = f"Ran `{string(message.get('command', UNDEFINED))}`\n"
    text += f"```\n{string(output)}\n```" if truthy(output) else "(no output)"
    code = message.get("exitCode")
    if truthy(message.get("cancelled")):
        text += "\n\n(command cancelled)"
    elif code is not None and not (is_number(code) and code == 0):
        text += f"\n\nCommand exited with code {string(code)}"
    if truthy(message.get("truncated")) and truthy(message.get("fullOutputPath")):
        text += f"\n\n[Output truncated. Full output: {string(message['fullOutputPath'])}]"
    return _text(text, message)


def _summary(frame: str) -> Callable[[Message], Message]:
    return lambda message: _text(frame.format(string(message.get("summary", UNDEFINED))), message)


def _as_is(message: Message) -> Message:
    return message


_CONVERT: dict[Any, Callable[[Message], Message | None]] = {
    "system": _as_is,
    "user": _as_is,
    "assistant": _as_is,
    "toolResult": _as_is,
    "custom": _custom,
    "branchSummary": _summary(_BRANCH),
    "compactionSummary": _summary(_COMPACTION),
    "bashExecution": _bash,
}


def converted(messages: Iterable[Message]) -> Iterator[Message]:
    """Turn pi's own roles into user messages; unknown roles go."""
    for message in messages:
        role = message.get("role")
        convert = _CONVERT.get(role) if isinstance(role, str) else None
        changed = convert(message) if convert else None
        if changed is not None:
            yield changed


# what the provider would refuse or not understand


def anthropic_id(call_id: str) -> str:
    """Return a call id that Anthropic accepts: other characters become `_`, at most 64 of them."""
    return _NOT_IN_ID.sub("_", call_id)[:64]


def _blocks(message: Message, model: Model, renamed: dict[Any, str]) -> Message:
    content = message.get("content")
    if content is None:
        return {**message, "content": []}
    if not isinstance(content, list):
        return message
    same = (message.get("provider"), message.get("api"), message.get("model")) == model
    kept: list[Any] = []
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "thinking":
            if same and _worth_keeping(block):
                kept.append(block)
        elif same:
            kept.append(block)
        elif kind == "text":
            kept.append(
                {
                    key: value
                    for key, value in (("type", "text"), ("text", block.get("text", UNDEFINED)))
                    if value is not UNDEFINED
                }
            )
        elif kind == "toolCall":
            kept.append(_foreign_call(block, renamed))
        else:
            kept.append(block)
    return {**message, "content": kept}


def _worth_keeping(block: Message) -> bool:
    thinking = block.get("thinking")
    return (
        truthy(block.get("redacted"))
        or truthy(block.get("thinkingSignature"))
        or (isinstance(thinking, str) and trim(thinking) != "")
    )


def _foreign_call(block: Message, renamed: dict[Any, str]) -> Message:
    if truthy(block.get("thoughtSignature")):
        block = {key: value for key, value in block.items() if key != "thoughtSignature"}
    call_id = block.get("id")
    if isinstance(call_id, str) and anthropic_id(call_id) != call_id:
        renamed[call_id] = anthropic_id(call_id)
        block = {**block, "id": renamed[call_id]}
    return block


def _result(message: Message, renamed: dict[Any, str]) -> Message:
    if message.get("content") is None:
        message = {**message, "content": []}
    call_id = message.get("toolCallId")
    new = renamed.get(call_id) if isinstance(call_id, str) else None
    return {**message, "toolCallId": new} if new else message


def _answers(pending: Sequence[Message], answered: set[Any], time: Any) -> Iterator[Message]:
    for call in pending:
        if string(call.get("id")) not in answered:
            fields = {
                "role": "toolResult",
                "toolCallId": call.get("id", UNDEFINED),
                "toolName": call.get("name", UNDEFINED),
                "content": [{"type": "text", "text": NO_RESULT}],
                "isError": True,
                "timestamp": time,
            }
            yield {key: value for key, value in fields.items() if value is not UNDEFINED}


def for_anthropic(messages: Iterable[Message], model: Model = Model()) -> Iterator[Message]:  # noqa: B008 - a frozen value
    """Yield what pi sends: foreign thinking gone, ids made legal, failed attempts left out, open calls answered.

    Results without a call stay, as they do in pi.
    """
    renamed: dict[Any, str] = {}
    pending: list[Message] = []
    answered: set[Any] = set()
    kept: list[Message] = []
    time: Any = 0

    def emit_waiting() -> Iterator[Message]:
        nonlocal pending, kept
        yield from _answers(pending, answered, time)
        yield from kept
        pending, kept = [], []
        answered.clear()

    for message in converted(messages):
        role = message.get("role")
        if role == "assistant":
            message = _blocks(message, model, renamed)  # noqa: PLW2901 - one message on its way
            yield from emit_waiting()
            if message.get("stopReason") in _SKIPPED:
                continue
            pending = [block for block in _dicts(message.get("content")) if block.get("type") == "toolCall"]
            time = message["timestamp"] if is_number(message.get("timestamp")) else 0
            yield message
        elif role == "toolResult":
            message = _result(message, renamed)  # noqa: PLW2901
            answered.add(string(message.get("toolCallId")))
            yield message
        elif role == "system" and pending:
            kept.append(message)
        elif role == "system":
            yield message
        else:
            yield from emit_waiting()
            yield {**message, "content": []} if message.get("content") is None else message
    yield from emit_waiting()
