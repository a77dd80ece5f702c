"""The table of shapes that are known and are no session here: a name for people, and what tells the shape."""

from __future__ import annotations

from collections.abc import Callable

from condense_cli.document.views import Head
from condense_cli.formats.foreign import messages, streams
from condense_cli.formats.foreign.seen import Seen, Value, blocks, inner, kind, look_at, role
from condense_cli.formats.kimi_code.detection import is_own as replayed_by_kimi_code

# Told by one item of the file.
_ITEMS: tuple[tuple[Callable[[Value], bool], str], ...] = (
    (streams.codex_exec, "an event stream of `codex exec --json`"),
    (streams.pi_json, "an event stream of `pi --mode json`"),
    (streams.copilot_transcript, "a transcript of Copilot in VS Code"),
    (streams.copilot_stream, "an event stream of `copilot --output-format json`"),
    (streams.copilot_chat, "a chat of Copilot in VS Code"),
    (streams.gemini_stream, "an event stream of `gemini --output-format stream-json`"),
    (streams.droid_stream, "an event stream of `droid exec` (Factory)"),
    (streams.claude_stream, "an event stream of `claude --output-format stream-json`"),
    (streams.opencode_run, "an event stream of `opencode run --format json`"),
    (streams.dsh, "a dsh session log"),
    (streams.viewer, "lines made by a transcript viewer"),
    (streams.antigravity, "a log of Antigravity"),
    (streams.grok, "a chat history of Grok"),
    (streams.kiro, "a session of Kiro"),
    (streams.openhands, "events of OpenHands"),
    (streams.droid_store, "a session of Droid (Factory)"),
    (streams.cursor, "a transcript of Cursor"),
    (messages.command_code, "a session of Command Code"),
    (messages.hub_trace, "a trace of the Hugging Face Hub (simple format)"),
    (messages.other_entry, "entries like pi's with blocks of another API"),
    (messages.opencode_record, "a record of OpenCode's store"),
    (messages.goose, "a session of Goose"),
    (messages.sharegpt, "training rows of ShareGPT"),
)

# Messages of APIs. A file of one API's alone is a format; mixed with others', or with too little to tell, it is none.
_MESSAGES: tuple[tuple[Callable[[Value], bool], str], ...] = (
    (messages.ui_message, "AI SDK UI messages (Vercel)"),
    (messages.gemini_contents, "contents of the Gemini API"),
    (messages.converse, "messages of Bedrock Converse"),
    (messages.langchain, "messages of LangChain"),
)


def name_it(head: Head) -> str | None:
    """Return what the file is when it is known and no session here, else None."""
    seen = look_at(head)
    for whole, name in _WHOLE:
        if whole(seen):
            return name
    for item, name in _ITEMS:
        if any(item(value) for value in seen.items) or (not seen.lines and item(seen.top)):
            return name
    return None


def resembles(head: Head) -> str:
    """Return whose messages are among those of the file, "" where none is of an API that is told by its messages."""
    seen = look_at(head)
    found = [name for item, name in _MESSAGES if any(map(item, seen.items))]
    found += ["AI SDK model messages (Vercel)"] if _model_messages(seen) else []
    found += ["items of the Responses API"] if _responses(seen) else []
    return " and ".join(found)


def _aider(seen: Seen) -> bool:
    return seen.raw.lstrip().startswith(b"# aider chat started at")


def _kimi_wire(seen: Seen) -> bool:
    return any(map(streams.kimi_wire, seen.items)) and not any(map(replayed_by_kimi_code, seen.items))


def _amp(seen: Seen) -> bool:
    top = seen.top
    named = isinstance(top.get("id"), str) and top["id"].startswith("T-")
    return isinstance(top.get("messages"), list) and (named or "trees" in inner(inner(top, "env"), "initial"))


def _amp_blocks(seen: Seen) -> bool:
    return not seen.lines and any(
        kind(block) == "tool_use" and "complete" in block for item in seen.items for block in blocks(item)
    )


def _model_messages(seen: Seen) -> bool:
    """Messages of the AI SDK, but for those that Roo Code keeps in a document of its second version."""
    return seen.top.get("version") != 2 and any(messages.model_message(item) for item in seen.items)


def _atif(seen: Seen) -> bool:
    named = seen.top.get("schema_version")
    return isinstance(named, str) and named.startswith("ATIF-v") and isinstance(seen.top.get("steps"), list)


def _trajectory(seen: Seen) -> bool:
    return isinstance(seen.top.get("trajectory"), list) and bool({"info", "history", "environment"} & seen.top.keys())


def _tau(seen: Seen) -> bool:
    return isinstance(seen.top.get("traj"), list) and bool({"reward", "task_id"} & seen.top.keys())


def _checkpoint(seen: Seen) -> bool:
    return isinstance(seen.top.get("history"), list) and "clientHistory" in seen.top


def _responses(seen: Seen) -> bool:
    if any(
        "payload" in item
        or "record_type" in item
        or ("ts" in item and role(item))
        or ("timestamp" in item and ("instructions" in item or "git" in item))
        for item in seen.items
    ):
        return False  # an early rollout of Codex, or a task of Roo Code
    others = any(
        role(item) == "tool" or any(kind(block) == "tool_use" for block in blocks(item)) for item in seen.items
    )
    return not others and any(messages.responses_item(item) for item in seen.items)


def _claude_without_ids(seen: Seen) -> bool:
    turns = [
        item
        for item in seen.items
        if kind(item) in ("user", "assistant") and "sessionId" in item and role(inner(item, "message"))
    ]
    return bool(turns) and not any("uuid" in item for item in seen.items)


# Told by the file as a whole.
_WHOLE: tuple[tuple[Callable[[Seen], bool], str], ...] = (
    (_aider, "a chat history of aider"),
    (_kimi_wire, "a wire log of Kimi Code or Kimi CLI, without what is replayed"),
    (_amp, "a thread of Amp"),
    (_amp_blocks, "a thread of Amp"),
    (_atif, "an ATIF trajectory"),
    (_trajectory, "a SWE-agent trajectory"),
    (_tau, "a run of tau-bench, whose messages are under `traj`"),
    (_checkpoint, "a checkpoint of Gemini CLI (contents of its API)"),
    (_claude_without_ids, "Claude Code's records without their uuids: no client resumes them"),
)
