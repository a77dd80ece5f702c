"""Event streams and logs that agents print or keep beside their sessions: one record is enough to tell them."""

from __future__ import annotations

from condense_cli.formats.foreign.seen import Value, inner, kind, role

_EXEC_EVENTS = frozenset(
    {
        "thread.started",
        "turn.started",
        "turn.completed",
        "turn.failed",
        "item.started",
        "item.updated",
        "item.completed",
    }
)
_PI_EVENTS = frozenset(
    {
        "agent_start",
        "agent_end",
        "turn_start",
        "turn_end",
        "message_start",
        "message_update",
        "message_end",
        "tool_execution_start",
        "tool_execution_end",
    }
)
_CLAUDE_EVENTS = frozenset({"system", "assistant", "user", "result", "stream_event"})
_DROID_EVENTS = frozenset({"message", "tool_call", "tool_result", "completion"})
_DROID_KEYS = frozenset({"toolCallId", "parameters", "finalText", "text"})
_OPENCODE_EVENTS = frozenset({"step_start", "text", "tool_use", "step_finish", "reasoning", "error"})


def codex_exec(value: Value) -> bool:
    """A line of `codex exec --json`."""
    return kind(value) in _EXEC_EVENTS


def pi_json(value: Value) -> bool:
    """A line of `pi --mode json`."""
    return kind(value) in _PI_EVENTS


def _copilot(value: Value) -> bool:
    """An event of Copilot: a type with a dot, and its data."""
    return (
        isinstance(value.get("data"), dict)
        and ("." in kind(value) or kind(value) == "abort")
        and isinstance(value.get("id"), str)
        and "payload" not in value
    )


def copilot_stream(value: Value) -> bool:
    """An event that `copilot` only prints: it is not meant for a file."""
    return _copilot(value) and value.get("ephemeral") is True


def copilot_transcript(value: Value) -> bool:
    """The first event of a transcript of VS Code, which nothing resumes."""
    return _copilot(value) and "vscodeVersion" in value["data"]


def copilot_chat(value: Value) -> bool:
    """A chat of Copilot in VS Code, whole or as its journal."""
    if isinstance(value.get("requests"), list) and ("requesterUsername" in value or "sessionId" in value):
        return True
    return value.get("kind") in (0, 1, 2) and "v" in value and type(value["kind"]) is int


def claude_stream(value: Value) -> bool:
    """A line of `claude --output-format stream-json`."""
    return (
        "session_id" in value
        and "sessionId" not in value
        and kind(value) in _CLAUDE_EVENTS
        and not {"payload", "tool_name", "status"} & value.keys()
    )


def gemini_stream(value: Value) -> bool:
    """A line of `gemini --output-format stream-json`."""
    if kind(value) == "init":
        return "session_id" in value
    return kind(value) in ("tool_use", "tool_result") and isinstance(value.get("tool_id"), str)


def droid_stream(value: Value) -> bool:
    """A line of `droid exec --output-format stream-json`."""
    return "session_id" in value and kind(value) in _DROID_EVENTS and bool(_DROID_KEYS & value.keys())


def opencode_run(value: Value) -> bool:
    """A line of `opencode run --format json`."""
    return (
        kind(value) in _OPENCODE_EVENTS
        and isinstance(value.get("sessionID"), str)
        and isinstance(value.get("part"), dict)
    )


def dsh(value: Value) -> bool:
    """A record of dsh's log."""
    if kind(value) == "session":
        return value.get("version") == 0
    return "seq" in value and "/" in kind(value)


def kimi_wire(value: Value) -> bool:
    """The first line of Kimi's wire log."""
    return kind(value) == "metadata" and "protocol_version" in value


def viewer(value: Value) -> bool:
    """A line that a viewer of transcripts made."""
    return kind(value) in ("tool", "tool_result") and ("workspace" in value or "agent" in value)


def antigravity(value: Value) -> bool:
    """A step of Antigravity's log."""
    return "step_index" in value and "source" in value and kind(value).isupper() and "status" in value


def grok(value: Value) -> bool:
    """A line of Grok's chat history."""
    return (
        kind(value) in ("system", "user", "assistant", "reasoning")
        and not role(value)
        and bool({"prompt_index", "synthetic_reason"} & value.keys())
    )


def kiro(value: Value) -> bool:
    """A line of Kiro's store."""
    return (
        value.get("version") == "v1"
        and value.get("kind") in ("Prompt", "AssistantMessage", "ToolResults")
        and isinstance(value.get("data"), dict)
    )


def openhands(value: Value) -> bool:
    """An event of OpenHands, of either generation."""
    named = value.get("kind")
    if isinstance(named, str) and named.endswith(("Event", "Observation", "Condensation")) and "source" in value:
        return True
    return (
        "source" in value
        and ("action" in value or "observation" in value)
        and ("cause" in value or "tool_call_metadata" in value or isinstance(value.get("args"), dict))
    )


def droid_store(value: Value) -> bool:
    """The first record of Droid's store."""
    return kind(value) == "session_start"


def cursor(value: Value) -> bool:
    """A line of Cursor's transcript: the role outside, the content inside, no ids."""
    return (
        bool(role(value))
        and isinstance(inner(value, "message").get("content"), list)
        and not {"uuid", "id", "type"} & value.keys()
    )
