"""What arrays of messages have in common, whichever provider they are for."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Format
from condense_cli.document.records import Records, Shape
from condense_cli.document.views import Head, View
from condense_cli.errors import UsageError
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.messages import Flaw, Record, Role
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.draft import Draft
    from condense_cli.jsonbytes.jsonspan import Path

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_CHAT_KEYS = frozenset({"tool_calls", "function_call", "tool_call_id", "refusal"})
_CHAT_ROLES = frozenset({"tool", "function", "developer"})
_CHAT_BLOCKS = frozenset({"image_url", "input_audio"})
_ANTHROPIC_BLOCKS = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "document"}
)


def messages_of(head: Head) -> list[dict[str, Any]]:
    """Return the messages that detection can look at, of any container; empty when one of them has no role."""
    found = items_of(head, ("messages",))
    if head.document is None and not head.lists and found is not None and found == list(head.records):
        return [m for m in found if isinstance(m.get("role"), str)] if _text(found[0].get("role")) in ROLES else []
    return found if found and all(isinstance(m.get("role"), str) for m in found) else []


def items_of(head: Head, containers: Iterable[str]) -> list[dict[str, Any]] | None:
    """Return the objects that detection can look at: elements of the array, or of the arrays on the lines, or lines.

    containers: keys of an object under which the array may be. None where there is nothing of the kind.
    """
    value = head.document
    if isinstance(value, dict):
        key = container(value, containers)
        return _objects(value[key]) if key is not None else None
    if isinstance(value, list):
        return _objects(value)
    if head.lists:
        return [item for listed in head.lists for item in _objects(listed)]
    if not head.records:
        return None
    key = container(head.records[0], containers)
    if key is not None:
        return [item for record in head.records for item in _objects(record.get(key))]
    return list(head.records)


def container(value: dict[str, Any], containers: Iterable[str]) -> str | None:
    """Return the key under which an object holds an array of messages; what has a role is a message itself."""
    return next((key for key in containers if isinstance(value.get(key), list)), None) if "role" not in value else None


def _objects(listed: Any) -> list[dict[str, Any]]:
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the content blocks of a message that has any."""
    content = message.get("content")
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


_OTHER_KEYS = frozenset(
    {"parts", "message", "text", "toolInvocations", "value", "data"}
)  # where others keep what is said
_OTHER_BLOCKS = frozenset({
    "toolCall", "toolUse", "toolResult", "functionCall", "toolRequest", "toolResponse", "tool-call", "tool-result",
    "input_text", "output_text", "input_image", "input_file",
})  # fmt: skip


def is_understood(value: dict[str, Any]) -> bool:
    """Say whether a message is in the words of the array APIs: a role, and content as text or as blocks with a type."""
    if not isinstance(value.get("role"), str) or isinstance(value.get("toolInvocations"), list):
        return False
    if "content" not in value:
        return _OTHER_KEYS.isdisjoint(value)
    content = value["content"]
    return not isinstance(content, list) or all(_is_block(block) for block in content)


def _is_block(block: Any) -> bool:
    if not isinstance(block, dict):
        return True
    kind = block.get("type")
    return (
        "type" in block
        and not (isinstance(kind, str) and kind in _OTHER_BLOCKS)
        and not (kind == "tool_use" and "complete" in block)
    )


def is_chat(messages: list[dict[str, Any]]) -> bool:
    """Say whether something in the list can only be OpenAI chat."""
    return any(
        _text(m.get("role")) in _CHAT_ROLES or not _CHAT_KEYS.isdisjoint(m) or isinstance(m.get("reasoning_content"), str) or any(_text(b.get("type")) in _CHAT_BLOCKS for b in blocks(m))  # noqa: E501 - a sentence is one text
        for m in messages
    )  # fmt: skip


def is_anthropic(messages: list[dict[str, Any]]) -> bool:
    """Say whether something in the list can only be Anthropic messages."""
    return any(
        _text(b.get("type")) in _ANTHROPIC_BLOCKS or (b.get("type") == "image" and isinstance(b.get("source"), dict))
        for m in messages
        for b in blocks(m)
    )


def could_be_either(messages: list[dict[str, Any]]) -> bool:
    """Say whether the list could be either: roles and plain texts only."""
    return (
        not is_chat(messages)
        and not is_anthropic(messages)
        and all(
            isinstance(m.get("content"), str) or m.get("content") is None or m.get("role") == "system" for m in messages
        )
    )


def begins_as_chat(messages: list[dict[str, Any]]) -> bool:
    """Say whether the list begins as Anthropic takes none: with a system message, or a plain text of the assistant."""
    first = messages[0]
    return first.get("role") == "system" or (first.get("role") == "assistant" and could_be_either(messages))


def groups(document: Records) -> list[list[Record]]:
    """Return the records of each conversation, in their order now."""
    if document.shape is Shape.LINES:
        return [list(document.readable())]
    return [[r for r in group if r.kind] for group in document.groups()]


def conversations(document: Records, leaf: str | None) -> list[list[Record]]:
    """Return the records of each conversation; raise UsageError for a leaf, which no message here could be."""
    if leaf is not None:
        raise UsageError(f"{document.path}: messages have no ids, so none of them is {leaf}", "leave out --leaf")
    return groups(document)


def placeholder_text(content: Any) -> str:
    """Return the whole text of a result that is one string or one text block, else ""."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        text = content[0].get("text")
        return text if isinstance(text, str) else ""
    return ""


def refers_to_tools(block: dict[str, Any]) -> bool:
    """Say whether a result holds references to tools, as a search for tools gives them."""
    inner = block.get("content")
    if type(inner) is dict:
        return bool(type(listed := inner.get("tool_references")) is list and listed)
    return type(inner) is list and any(type(one) is dict and one.get("type") == "tool_reference" for one in inner)


def missing_content(role: Role) -> Flaw:
    """Return the flaw of a message of user or model without a content."""
    return Flaw("missing-content", "user" if role is Role.USER else "", 0)


def is_blank(text: Any) -> bool:
    """Say whether a text is nothing or white space only."""
    return not isinstance(text, str) or not text or text.isspace()


def blanks_in_result(part: int, content: Any) -> Iterator[Flaw]:
    """Yield the flaw of a result whose content, a list of blocks, has a blank text: it is sent as it is.

    part is where the result is among the blocks of its message. A content without blocks is legal.
    """
    texts = [
        block.get("text")
        for block in (content if type(content) is list else ())
        if type(block) is dict and block.get("type") == "text"
    ]
    blank = [text for text in texts if text is None or (type(text) is str and is_blank(text))]
    if blank:
        yield Flaw("blank-text", "white" if all(blank) else "in-result", part)


class ArrayFormat(Format):
    """What formats have in common that are arrays of messages, or lines of them: no ids, no header, no tree."""

    documents = True
    containers: tuple[str, ...] = ("messages",)

    def model_of(self, document: Records, view: View) -> str:
        """Name the model of the request that the messages are in."""
        return _model(document)

    def tools_of(self, document: Records, view: View) -> list[Any] | None:
        """Return `tools` of the object that the messages are in."""
        tools = around(document, view).get("tools")
        return tools if isinstance(tools, list) else None

    def is_record(self, value: dict[str, Any]) -> bool:
        """A message, or an object that holds messages."""
        role = value.get("role")
        return (isinstance(role, str) and role in ROLES) or container(value, self.containers) is not None

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield each conversation."""
        for group in conversations(document, leaf):
            messages = [r.message for r in group if r.message is not None]
            yield View(group, messages, self.model_in_use, group[-1] if group else None)

    def threads(self, document: Records) -> int:
        """Return the number of conversations."""
        return len(groups(document)) + document.passed.conversations

    def array_path(self, value: Any) -> Path:
        """The list itself, or the list of messages in an object."""
        return () if isinstance(value, list) else (container(value, self.containers) or self.containers[0],)

    def merge(self, draft: Draft, first: Record, second: Record, rule: str) -> bool:
        """Join the content of two neighbours of one role into the first; say whether that could be done."""
        parts = []
        path = self.content_path(first)
        for record in (first, second):
            raw = draft.raw(record)
            place = jsonspan.span(raw, path)
            if (
                place is None
                or raw[place[0] : place[0] + 1] not in (b'"', b"[")
                or not _CHAT_KEYS.isdisjoint(draft.value(record))
            ):
                return False
            inside = raw[place[0] : place[1]]
            parts.append(self.text_of(record, inside) if inside[:1] == b'"' else inside[1:-1].strip())
        joined = b"[" + b",".join(filter(None, parts)) + b"]"
        draft.rewrite(first, jsonedit.replace(draft.raw(first), path, joined), rule, Change.REPLACE)
        draft.remove(second, rule)
        return True


def around(document: Records, view: View) -> dict[str, Any]:
    """Return the object that the messages of a view are in, without them; {} where they are in none."""
    first = next((record.as_read for record in view.path if record.as_read.end), None)
    at = bisect_right(document.bodies, first.start, key=lambda body: body.start) - 1 if first is not None else -1
    return _around(document, at) if at >= 0 else {}


def beside(document: Records) -> dict[str, Any]:
    """Return the object that the messages of a file are in, without them; {} where they are in none, or in several."""
    return _around(document, 0) if len(document.bodies) == document.conversations == 1 else {}


def _model(document: Records) -> str:
    """Return the model of a request whose messages are an array in one JSON document, "" where it names none."""
    model = beside(document).get("model")
    return model if isinstance(model, str) else ""


def _around(document: Records, at: int) -> dict[str, Any]:
    """Return the object that an array of messages is in, without them; {} where they are in none.

    at: its number from 0.
    """
    body = document.bodies[at]
    start, end = 0, document.source.size
    if document.shape is Shape.CONVERSATIONS:
        start, end = document.line_around(body.start, body.end)
    parsed = jsonread.parse(document.source.read(start, body.start) + document.source.read(body.end, end))
    return parsed.value if parsed is not None and isinstance(parsed.value, dict) else {}
