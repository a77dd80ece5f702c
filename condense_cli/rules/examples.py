"""A tiny session for each rule: valid but for the one thing that the rule is about.

Each is of a format in which the rule counts, with the line (from 1) on which the finding stands.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class Example(NamedTuple):
    """A session file as bytes; `line` is where the rule is broken."""

    format: str
    line: int
    data: bytes

    @property
    def name(self) -> str:
        """Return a file name that suits the content."""
        return "session.json" if self.data.startswith(b"[") else "session.jsonl"


_TIME = "2026-01-01T00:00:0{}.000Z"
_LONG = "x" * 72  # long enough for a signature


def _line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _lines(*values: object) -> bytes:
    return b"".join(value if isinstance(value, bytes) else _line(value) for value in values)


def _array(*messages: object) -> bytes:
    """Put each message on a line of its own: the first one on line 2."""
    return b"[\n" + b",\n".join(_line(message).rstrip() for message in messages) + b"\n]\n"


# --- pi: a header, then entries that hang on each other ------------------------------------------


_HEADER = {"type": "session", "version": 3, "id": "0196demo", "timestamp": _TIME.format(0), "cwd": "/demo"}


def _entry(ident: str, parent: str | None, message: dict[str, Any]) -> dict[str, Any]:
    return {"type": "message", "id": ident, "parentId": parent, "timestamp": _TIME.format(int(ident[-1])), "message": message}


def _user(ident: str, parent: str | None, text: str = "list files") -> dict[str, Any]:
    return _entry(ident, parent, {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1767225600000 + int(ident[-1])})


def _assistant(ident: str, parent: str | None, *blocks: dict[str, Any], stop: str = "", provider: str = "openai") -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": list(blocks), "api": "anthropic-messages" if provider == "anthropic" else "openai-completions"}
    message |= {"provider": provider, "model": "demo", "stopReason": stop or ("toolUse" if blocks[-1]["type"] == "toolCall" else "stop")}
    return _entry(ident, parent, message | {"timestamp": 1767225600000 + int(ident[-1])})


def _call(call_id: str = "call_1", **changes: Any) -> dict[str, Any]:
    block = {"type": "toolCall", "id": call_id, "name": "bash", "arguments": {"command": "ls"}} | changes
    return {key: value for key, value in block.items() if value is not None}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _result(ident: str, parent: str, call_id: str = "call_1", text: str = "a.txt") -> dict[str, Any]:
    message = {"role": "toolResult", "toolCallId": call_id, "toolName": "bash", "content": [_text(text)], "isError": False}
    return _entry(ident, parent, message | {"timestamp": 1767225600000 + int(ident[-1])})


def _other(kind: str, ident: str, parent: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": ident, "parentId": parent, "timestamp": _TIME.format(int(ident[-1]))} | fields


_ASKED = _user("m1", None)
_CALLED = _assistant("m2", "m1", _call())
_ANSWERED = _result("m3", "m2")
_SAID = _assistant("m4", "m3", _text("One file."))
_SPLIT = _line(_user("m1", None, "one\ntwo")).replace(b"\\n", b"\n")
_SPILLED = {
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


def _pi(line: int, *values: object) -> Example:
    return Example("pi", line, _lines(_HEADER, *values))


# --- Claude Code, Codex --------------------------------------------------------------------------


def _claude(ident: int, parent: int | None, kind: str, session: str = "5fee3261-628e-4975-a916-afa47d5db597", **fields: Any) -> dict[str, Any]:
    def uuid(number: int) -> str:
        return f"00000000-0000-4000-8000-00000000000{number}"

    base = {"parentUuid": None if parent is None else uuid(parent), "isSidechain": False, "userType": "external", "cwd": "/demo", "sessionId": session, "version": "2.1.332"}
    return base | {"type": kind} | fields | {"uuid": uuid(ident), "timestamp": _TIME.format(ident)}


def _claude_user(ident: int, parent: int | None, text: str, **fields: Any) -> dict[str, Any]:
    return _claude(ident, parent, "user", message={"role": "user", "content": text}, **fields)


def _claude_reply(ident: int, parent: int, text: str) -> dict[str, Any]:
    message = {"model": "demo", "id": f"msg_{ident}", "type": "message", "role": "assistant", "content": [_text(text)], "stop_reason": "end_turn"}
    return _claude(ident, parent, "assistant", message=message)


def _codex(number: int, kind: str, payload: dict[str, Any], ordinal: int | None = None) -> dict[str, Any]:
    return {"timestamp": _TIME.format(number)} | ({} if ordinal is None else {"ordinal": ordinal}) | {"type": kind, "payload": payload}


def _meta(ordinal: int | None = None) -> dict[str, Any]:
    payload = {"id": "019fe734-2578-4b5d-acc0-147c812bb623", "timestamp": _TIME.format(0), "cwd": "/demo", "originator": "codex_cli_rs", "cli_version": "0.171.0", "source": "cli"}
    return _codex(0, "session_meta", payload | ({} if ordinal is None else {"history_mode": "paginated"}), ordinal)


def _item(number: int, role: str, text: str, ordinal: int | None = None) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return _codex(number, "response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}, ordinal)


def _reasoning(number: int) -> dict[str, Any]:
    return _codex(number, "response_item", {"type": "reasoning", "id": f"rs_{number}", "summary": [], "content": None, "encrypted_content": "gAAAAA" + _LONG})


def _turn(number: int, model: str) -> dict[str, Any]:
    return _codex(number, "turn_context", {"turn_id": f"t{number}", "cwd": "/demo", "approval_policy": "never", "sandbox_policy": {"type": "read-only"}, "model": model})


# --- arrays of messages --------------------------------------------------------------------------


def _ask(content: object = "list files") -> dict[str, Any]:
    return {"role": "user", "content": content}


def _reply(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def _use(call_id: str = "toolu_1") -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "bash", "input": {"command": "ls"}}


def _used(call_id: str = "toolu_1") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "a.txt"}


def _chat_call(call_id: str, **fields: Any) -> dict[str, Any]:
    function = {"name": "bash", "arguments": '{"command":"ls"}'}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": call_id, "type": "function", "function": function}]} | fields


def _chat_result(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "a.txt"}


def _anthropic(line: int, *messages: object) -> Example:
    return Example("anthropic", line, _array(*messages))


_NOT_AN_IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "bm8gaW1hZ2U="}}

EXAMPLES: dict[str, Example] = {
    # line
    "unreadable-line": _pi(3, _ASKED, b"npm warn deprecated\n", _CALLED, _ANSWERED),
    "torn-tail": _pi(4, _ASKED, _CALLED, _line(_ANSWERED)[:90]),
    "fused-line": _pi(2, _line(_ASKED).rstrip() + _line(_CALLED), _ANSWERED),
    "split-record": _pi(2, _SPLIT, _CALLED, _ANSWERED),
    "nul-bytes": _pi(3, _ASKED, b"\0" * 8 + b"\n", _CALLED, _ANSWERED),
    "bom": Example("pi", 1, b"\xef\xbb\xbf" + _lines(_HEADER, _ASKED)),
    "missing-final-newline": Example("pi", 2, _lines(_HEADER, _ASKED).rstrip()),
    "invalid-utf8": _pi(2, _line(_ASKED).replace(b"list files", b"caf\xe9"), _CALLED, _ANSWERED),
    "lone-surrogate": _pi(4, _ASKED, _CALLED, _line(_ANSWERED).replace(b"a.txt", b"done \\ud83d")),
    "nul-character": _pi(4, _ASKED, _CALLED, _result("m3", "m2", text="a\0txt")),
    # header
    "missing-header": Example("pi", 1, _lines(_ASKED, _CALLED, _ANSWERED)),
    "misplaced-header": Example("pi", 2, _lines(_ASKED, _HEADER, _CALLED, _ANSWERED)),
    # tree
    "duplicate-record": _pi(3, _ASKED, _ASKED, _CALLED, _ANSWERED),
    "duplicate-id": _pi(5, _ASKED, _CALLED, _ANSWERED, _assistant("m3", "m3", _text("One file."))),
    "parent-cycle": _pi(2, _user("m1", "m2"), _assistant("m2", "m1", _text("Yes."))),
    "missing-parent": _pi(4, _ASKED, _assistant("m2", "m1", _text("Yes.")), _user("m4", "m3", "go on")),
    "unreachable-reply": Example(
        "claude-code",
        4,
        _lines(
            _claude_user(1, None, "Hello."),
            _claude(2, 1, "system", subtype="api_error", content="", level="error", error={"status": 529}, retryAttempt=1, maxRetries=10),
            _claude_reply(3, 1, "Hello to you."),
            _claude(4, 2, "system", subtype="stop_hook_summary", content="", level="info"),
            _claude_user(5, 4, "Next."),
        ),
    ),
    "foreign-session": Example(
        "claude-code",
        3,
        _lines(
            _claude_user(1, None, "Mine."),
            _claude_reply(2, 1, "Yours."),
            _claude_user(3, None, "From elsewhere.", session="5eb35a52-6c92-4d9b-ac31-49733476cc3c"),
            _claude_user(4, 2, "Mine again."),
        ),
    ),
    "missing-ordinal": Example("codex", 3, _lines(_meta(0), _item(1, "user", "Go.", 1), _item(2, "assistant", "Done."))),
    "duplicate-ordinal": Example("codex", 3, _lines(_meta(0), _item(1, "user", "Go.", 1), _item(2, "assistant", "Done.", 1), _item(3, "user", "More.", 2))),
    # pairing
    "orphan-result": _pi(3, _ASKED, _result("m2", "m1", "call_0"), _assistant("m3", "m2", _text("One file."))),
    "unanswered-call": _pi(3, _ASKED, _CALLED, _user("m3", "m2", "go on"), _assistant("m4", "m3", _text("Yes."))),
    "trailing-call": _pi(3, _ASKED, _CALLED),
    "displaced-result": _pi(5, _ASKED, _CALLED, _user("m3", "m2", "hurry"), _result("m4", "m3"), _assistant("m5", "m4", _text("One file."))),
    "result-before-call": _pi(3, _ASKED, _result("m2", "m1"), _assistant("m3", "m2", _call()), _user("m4", "m3", "go on")),
    "duplicate-result": _pi(5, _ASKED, _CALLED, _ANSWERED, _result("m4", "m3", text="b.txt"), _assistant("m5", "m4", _text("One file."))),
    "result-of-skipped-call": _pi(4, _ASKED, _assistant("m2", "m1", _call(), stop="aborted"), _ANSWERED, _user("m4", "m3", "again")),
    "duplicate-call-id": _pi(3, _ASKED, _assistant("m2", "m1", _call(), _call(arguments={"command": "pwd"})), _ANSWERED, _result("m4", "m3", text="/demo")),
    "reused-id": _anthropic(6, _ask(), _reply(_use()), _ask([_used()]), _reply(_text("Again.")), _reply(_use()), _ask([_used()])),
    # call
    "partial-call": _pi(3, _ASKED, _assistant("m2", "m1", _text("I will look."), _call(arguments={}), stop="aborted"), _user("m3", "m2", "go on")),
    "missing-arguments": _pi(3, _ASKED, _assistant("m2", "m1", _call(arguments=None)), _ANSWERED),
    "invalid-arguments": _pi(3, _ASKED, _assistant("m2", "m1", _call(arguments='{"command":"ls"}')), _ANSWERED),
    "invalid-tool-name": _pi(3, _ASKED, _assistant("m2", "m1", _call(name="bash ls")), _ANSWERED),
    "invalid-call-id": _anthropic(3, _ask(), _reply(_use("functions.bash:0")), _ask([_used("functions.bash:0")])),
    # content
    "empty-message": _anthropic(4, _ask(), _reply(_text("One file.")), _ask("")),
    "blank-text": _pi(3, _ASKED, _assistant("m2", "m1", _text(""), _call()), _ANSWERED),
    "results-not-first": _anthropic(4, _ask(), _reply(_use()), _ask([_text("go on"), _used()])),
    "text-after-call": _pi(3, _ASKED, _assistant("m2", "m1", _call(), _text("Looking."), stop="toolUse", provider="anthropic"), _ANSWERED),
    "invalid-image": _anthropic(2, _ask([_NOT_AN_IMAGE, _text("What is this?")])),
    "unsigned-thinking": _anthropic(3, _ask(), _reply({"type": "thinking", "thinking": "Hm.", "signature": ""}, _text("One file.")), _ask("thanks")),
    "dangling-reasoning": Example("codex", 3, _lines(_meta(), _item(1, "user", "Go."), _reasoning(2), _item(3, "user", "More."), _item(4, "assistant", "Done."))),
    "foreign-reasoning": Example("codex", 4, _lines(_meta(), _turn(1, "gpt-5.2"), _item(2, "user", "Go."), _reasoning(3), _item(4, "assistant", "Done."), _turn(5, "gpt-5.3-codex"))),
    "missing-reasoning": Example(
        "openai-chat",
        5,
        _array(_ask(), _chat_call("call_1", reasoning_content="Look first."), _chat_result("call_1"), _chat_call("call_2"), _chat_result("call_2")),
    ),
    "ends-with-assistant": _anthropic(3, _ask(), _reply(_text("One file."))),
    "starts-without-user": _anthropic(2, _reply(_text("How can I help?")), _ask()),
    "roles-not-alternating": _anthropic(3, _ask(), _ask([_text("and folders")])),
    # condense
    "missing-blob": _pi(5, _ASKED, _CALLED, _ANSWERED, _other("custom", "m4", "m3", customType="context-prune-index", data={"toolCalls": [_SPILLED]})),
    "dangling-ref": _pi(4, _ASKED, _assistant("m2", "m1", _text("Yes.")), _other("compaction", "m3", "m2", summary="A question.", firstKeptEntryId="m9", tokensBefore=500), _user("m4", "m3", "go on")),
}
"""One example for each rule of rules.RULES, in its order."""
