"""Tiny sessions for the examples of rules: records of each format, and files of them."""

from __future__ import annotations

import json
from typing import Any

from condense_cli.rules.rule import Example

TIME = "2026-01-01T00:00:0{}.000Z"
LONG = "x" * 72  # long enough for a signature


def line(value: object) -> bytes:
    """Return a value as a JSON line."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def lines(*values: object) -> bytes:
    """Return values as JSON lines; bytes are lines already."""
    return b"".join(value if isinstance(value, bytes) else line(value) for value in values)


def array(*messages: object) -> bytes:
    """Put each message on a line of its own: the first one on line 2."""
    return b"[\n" + b",\n".join(line(message).rstrip() for message in messages) + b"\n]\n"


# --- pi: a header, then entries, each with its parent ------------------------------------------


HEADER = {"type": "session", "version": 3, "id": "0196demo", "timestamp": TIME.format(0), "cwd": "/demo"}


def entry(ident: str, parent: str | None, message: dict[str, Any]) -> dict[str, Any]:
    """Build an entry of pi with a message; the digit that ends its id is its second."""
    return {
        "type": "message",
        "id": ident,
        "parentId": parent,
        "timestamp": TIME.format(int(ident[-1])),
        "message": message,
    }


def user(ident: str, parent: str | None, text: str = "list files") -> dict[str, Any]:
    """Build a user entry of pi."""
    return entry(
        ident,
        parent,
        {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1767225600000 + int(ident[-1])},
    )


def assistant(
    ident: str, parent: str | None, *blocks: dict[str, Any], stop: str = "", provider: str = "openai"
) -> dict[str, Any]:
    """Build an assistant entry of pi."""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": list(blocks),
        "api": "anthropic-messages" if provider == "anthropic" else "openai-completions",
    }
    message |= {
        "provider": provider,
        "model": "demo",
        "stopReason": stop or ("toolUse" if blocks[-1]["type"] == "toolCall" else "stop"),
    }
    return entry(ident, parent, message | {"timestamp": 1767225600000 + int(ident[-1])})


def call(call_id: str = "call_1", **changes: Any) -> dict[str, Any]:
    """Build a call of pi; a change to None takes a member out."""
    block = {"type": "toolCall", "id": call_id, "name": "bash", "arguments": {"command": "ls"}} | changes
    return {key: value for key, value in block.items() if value is not None}


def say(text: str) -> dict[str, Any]:
    """Build a text block."""
    return {"type": "text", "text": text}


def result(ident: str, parent: str, call_id: str = "call_1", text: str = "a.txt") -> dict[str, Any]:
    """Build a result entry of pi."""
    message = {
        "role": "toolResult",
        "toolCallId": call_id,
        "toolName": "bash",
        "content": [say(text)],
        "isError": False,
    }
    return entry(ident, parent, message | {"timestamp": 1767225600000 + int(ident[-1])})


def other(kind: str, ident: str, parent: str, **fields: Any) -> dict[str, Any]:
    """Build an entry of pi of another kind."""
    return {"type": kind, "id": ident, "parentId": parent, "timestamp": TIME.format(int(ident[-1]))} | fields


ASKED = user("m1", None)
CALLED = assistant("m2", "m1", call())
ANSWERED = result("m3", "m2")
SAID = assistant("m4", "m3", say("One file."))
SPLIT = line(user("m1", None, "one\ntwo")).replace(b"\\n", b"\n")
SPILLED = {
    "toolCallId": "call_1",
    "toolName": "bash",
    "args": {"command": "ls"},
    "resultText": "",
    "isError": False,
    "turnIndex": 0,
    "timestamp": 1767225600002,
    "resultTimestamp": 1767225600003,
    "spillPath": "/nonexistent/0196demo-blobs/call_1_1767225600003.txt",
    "spillBytes": 70211,
    "resultPreview": "a.txt",
    "contentHash": "0" * 40,
}


def pi(line: int, *values: object) -> Example:
    """Return an example of pi, with its header first."""
    return Example("pi", line, lines(HEADER, *values))


# --- Claude Code, Codex --------------------------------------------------------------------------


def claude(
    ident: int, parent: int | None, kind: str, session: str = "5fee3261-628e-4975-a916-afa47d5db597", **fields: Any
) -> dict[str, Any]:
    """Build a record of Claude Code."""

    def uuid(number: int) -> str:
        return f"00000000-0000-4000-8000-00000000000{number}"

    base = {
        "parentUuid": None if parent is None else uuid(parent),
        "isSidechain": False,
        "userType": "external",
        "cwd": "/demo",
        "sessionId": session,
        "version": "2.1.332",
    }
    return base | {"type": kind} | fields | {"uuid": uuid(ident), "timestamp": TIME.format(ident)}


def claude_user(ident: int, parent: int | None, text: str, **fields: Any) -> dict[str, Any]:
    """Build a user record of Claude Code."""
    return claude(ident, parent, "user", message={"role": "user", "content": text}, **fields)


def claude_reply(ident: int, parent: int, text: str) -> dict[str, Any]:
    """Build an answer of Claude Code."""
    message = {
        "model": "demo",
        "id": f"msg_{ident}",
        "type": "message",
        "role": "assistant",
        "content": [say(text)],
        "stop_reason": "end_turn",
    }
    return claude(ident, parent, "assistant", message=message)


def codex(number: int, kind: str, payload: dict[str, Any], ordinal: int | None = None) -> dict[str, Any]:
    """Build a record of Codex."""
    return (
        {"timestamp": TIME.format(number)}
        | ({} if ordinal is None else {"ordinal": ordinal})
        | {"type": kind, "payload": payload}
    )


def meta(ordinal: int | None = None, **more: Any) -> dict[str, Any]:
    """Build the header of a Codex rollout."""
    payload = {
        "id": "019fe734-2578-4b5d-acc0-147c812bb623",
        "timestamp": TIME.format(0),
        "cwd": "/demo",
        "originator": "codex_cli_rs",
        "cli_version": "0.171.0",
        "source": "cli",
    }
    return codex(
        0, "session_meta", payload | ({} if ordinal is None else {"history_mode": "paginated"}) | more, ordinal
    )


def item(number: int, role: str, text: str, ordinal: int | None = None) -> dict[str, Any]:
    """Build a message of a Codex rollout."""
    kind = "output_text" if role == "assistant" else "input_text"
    return codex(
        number, "response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}, ordinal
    )


def reasoning(number: int) -> dict[str, Any]:
    """Build a reasoning item of a Codex rollout."""
    return codex(
        number,
        "response_item",
        {
            "type": "reasoning",
            "id": f"rs_{number}",
            "summary": [],
            "content": None,
            "encrypted_content": "gAAAAA" + LONG,
        },
    )


def turn(number: int, model: str) -> dict[str, Any]:
    """Build the context of a Codex turn."""
    return codex(
        number,
        "turn_context",
        {
            "turn_id": f"t{number}",
            "cwd": "/demo",
            "approval_policy": "never",
            "sandbox_policy": {"type": "read-only"},
            "model": model,
        },
    )


# --- arrays of messages --------------------------------------------------------------------------


def ask(content: object = "list files") -> dict[str, Any]:
    """Build a user message of an array."""
    return {"role": "user", "content": content}


def reply(*blocks: dict[str, Any]) -> dict[str, Any]:
    """Build an answer of Anthropic."""
    return {"role": "assistant", "content": list(blocks)}


def use(call_id: str = "toolu_1") -> dict[str, Any]:
    """Build a call of Anthropic."""
    return {"type": "tool_use", "id": call_id, "name": "bash", "input": {"command": "ls"}}


def used(call_id: str = "toolu_1") -> dict[str, Any]:
    """Build a result of Anthropic."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": "a.txt"}


def chat_call(call_id: str, **fields: Any) -> dict[str, Any]:
    """Build a chat message with one call."""
    function = {"name": "bash", "arguments": '{"command":"ls"}'}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    } | fields


def chat_result(call_id: str) -> dict[str, Any]:
    """Build a chat result."""
    return {"role": "tool", "tool_call_id": call_id, "content": "a.txt"}


def anthropic(line: int, *messages: object) -> Example:
    """Return an example of Anthropic messages."""
    return Example("anthropic", line, array(*messages))


NOT_AN_IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "bm8gaW1hZ2U="}}


# --- Gemini CLI: messages, each with its tool calls and their results ----------------------------


RESPONSE = {"functionResponse": {"id": "ls_1", "name": "ls", "response": {"output": "a.txt"}}}
LISTED = {"id": "ls_1", "name": "ls", "args": {}, "status": "success", "result": [RESPONSE]}


def gemini_message(ident: str, kind: str, *parts: object, **fields: Any) -> dict[str, Any]:
    """Build a message of Gemini CLI; the digit that ends its id is its second."""
    time = TIME.format(int(ident[-1]))
    return {"id": ident, "timestamp": time, "type": kind, "content": list(parts)} | fields


def gemini(line: int, *messages: object) -> Example:
    """Return an example of Gemini CLI, with the session's own record first."""
    return Example("gemini", line, lines({"sessionId": "demo", "projectHash": "demo", "kind": "main"}, *messages))
