"""The registry of session formats, and detection by content."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from condense_cli.document.format import Format
from condense_cli.document.views import Head
from condense_cli.errors import UnreadableError
from condense_cli.formats.anthropic.format import Anthropic
from condense_cli.formats.bedrock.format import Bedrock
from condense_cli.formats.claude_code.format import ClaudeCode
from condense_cli.formats.cline.format import Cline
from condense_cli.formats.codex.format import Codex
from condense_cli.formats.copilot.format import Copilot
from condense_cli.formats.gemini.format import Gemini
from condense_cli.formats.gemini_contents.format import GeminiContents
from condense_cli.formats.kimi import Kimi
from condense_cli.formats.kimi_code.format import KimiCode
from condense_cli.formats.langchain.format import LangChain
from condense_cli.formats.openai_chat.format import OpenAIChat
from condense_cli.formats.openai_responses.format import OpenAIResponses
from condense_cli.formats.openclaw.format import OpenClaw
from condense_cli.formats.opencode.format import OpenCode
from condense_cli.formats.opencode.store import OpenCodeStore
from condense_cli.formats.pi.format import Pi
from condense_cli.formats.qwen.format import Qwen
from condense_cli.formats.roo.format import Roo
from condense_cli.formats.vercel_model.format import VercelModel
from condense_cli.formats.vercel_ui.format import VercelUI

# In the order in which detection asks them.
FORMATS: tuple[Format, ...] = (
    Codex(),
    OpenClaw(),
    Pi(),
    Qwen(),
    ClaudeCode(),
    Copilot(),
    Gemini(),
    OpenCodeStore(),
    OpenCode(),
    KimiCode(),
    Kimi(),
    Cline(),
    Roo(),
    GeminiContents(),
    Bedrock(),
    OpenAIResponses(),
    LangChain(),
    VercelModel(),
    VercelUI(),
    Anthropic(),
    OpenAIChat(),
)
BY_NAME: Mapping[str, Format] = MappingProxyType({fmt.name: fmt for fmt in FORMATS})


class Ability(NamedTuple):
    """What the commands can do with sessions of one format. Every format is detected, checked, shown and queried.

    evidence: what it is recognised by; folder: where its client keeps sessions, unless the user moved that.
    """

    about: str
    evidence: str
    folder: str = ""
    detect: bool = True
    check: bool = True
    render: bool = True
    query: bool = True
    repair: bool = True
    compact: bool = False
    note: str = ""


ABILITIES: Mapping[str, Ability] = MappingProxyType({
    "codex": Ability(
        "Codex rollouts", "records with type and payload", "~/.codex/sessions", compact=True,
        note="paginated ones keep place and length of their lines; *.jsonl.zst is only read",
    ),
    "openclaw": Ability(
        "OpenClaw sessions in JSONL", "pi's entries, with OpenClaw's own types, file name or folder", "~/.openclaw/agents", compact=True,
        note="current versions import JSONL into SQLite; cold archives and *.zst are only read",
    ),
    "pi": Ability(
        "pi sessions, versions 1 to 3", "a session header, or entries with id and parentId", "~/.pi/agent/sessions", compact=True,
        note="pruned by pi-condense's rules in render",
    ),
    "qwen": Ability(
        "Qwen Code sessions", "records with uuid and parentUuid whose message holds parts", "~/.qwen/projects",
        note="a parent that is missing hides all before it from the client",
    ),
    "claude-code": Ability(
        "Claude Code transcripts", "records with uuid, parentUuid and sessionId", "~/.claude/projects", compact=True,
        note="subagents' transcripts too",
    ),
    "copilot": Ability(
        "GitHub Copilot CLI sessions", "events with copilotVersion, messageId or toolCallId", "~/.copilot/session-state",
        note="the client itself deletes damaged lines; repair keeps what is in them",
    ),
    "gemini": Ability(
        "Gemini CLI chats, .json and .jsonl", "sessionId with projectHash, or lines with $set and $rewindTo", "~/.gemini/tmp",
        note="lines are repaired by appending the message again",
    ),
    "opencode-db": Ability(
        "sessions in OpenCode's database", "an SQLite file with its tables session, message and part", "~/.local/share/opencode",
        note="named opencode.db#ID, or by the id alone; texts of rows change in one transaction, no row comes or goes",
    ),
    "opencode": Ability(
        "what `opencode export` writes", "info.id that starts with ses_, and messages", repair=False,
        note="`opencode import` ignores changed content of messages that it has",
    ),
    "kimi-code": Ability(
        "Kimi Code's wire.jsonl", "records of the type context.append_message or context.append_loop_event", "~/.kimi-code/sessions",
        note="the client cuts the file at a damaged line; repair keeps what is after it",
    ),
    "kimi": Ability(
        "Kimi CLI's context.jsonl", "roles that start with _, or the file's name beside wire.jsonl", "~/.kimi/sessions",
        note="by the rules of chat messages; its own records stay in place",
    ),
    "cline": Ability(
        "Cline sessions, of its store and of older versions", "version, sessionId and messages, or a list with times and modelInfo", "~/.cline/data/sessions",
        note="a file that breaks off is closed after its last whole message: the client would take it for an empty one",
    ),
    "roo": Ability(
        "tasks of Roo Code, Zoo Code and Kilo Code before 5", "a list with times and condenseId, isSummary, …, or version 2 with parts of the AI SDK", "~/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks",
        note="every time stays; judged from the last summary on; one that breaks off is closed after its last whole message",
    ),
    "gemini-contents": Ability(
        "contents of the Gemini API: array, object, JSONL", "parts without a type, by the role model or with functionCall", compact=True,
        note="a saved `history` of contents, too; calls without ids go by name and order",
    ),
    "bedrock": Ability(
        "messages of Bedrock Converse: array, object, JSONL", "blocks without a type, with one key that names the kind", compact=True,
        note="two turns of one role are merged on request (--select roles-not-alternating)",
    ),
    "openai-responses": Ability(
        "items of the Responses API: array, object, JSONL", "items with call_id, action, summary or input_text, in no envelope", compact=True,
        note="a call and its output need not be neighbours; a list with references to stored items is not judged whole",
    ),
    "langchain": Ability(
        "messages of LangChain, states of LangGraph", "type human, ai or tool with content, data or additional_kwargs, or lc: 1", compact=True,
        note="a call goes, and is renamed, with its copies in additional_kwargs and in the content; no checkpoint is read",
    ),
    "vercel-model": Ability(
        "messages that the AI SDK (Vercel) sends", "parts tool-call or tool-result with toolCallId", compact=True,
        note="`args` and `result` of version 4, too; what ran at the provider is left alone",
    ),
    "vercel-ui": Ability(
        "messages that applications on the AI SDK (Vercel) keep", "parts with a type: a tool, a step, or an id on every message", compact=True,
        note="a call without an output gets an error in its own part; `toolInvocations` of version 4, too",
    ),
    "anthropic": Ability(
        "Anthropic messages: array, object, JSONL", "blocks that only this API has, or plain texts by user and assistant", compact=True,
        note="one message or one conversation on a line",
    ),
    "openai-chat": Ability(
        "OpenAI chat messages: array, object, JSONL", "roles, keys or blocks that only this API has", compact=True,
        note="one message or one conversation on a line",
    ),
})  # fmt: skip


def detect(head: Head) -> Format:
    """Return the first format that recognises the file; raise UnreadableError where none does."""
    from condense_cli.formats.foreign.table import name_it, resembles

    other = name_it(head)
    like = "" if other else resembles(head)
    for fmt in () if other else FORMATS:
        if (fmt.exact or not like) and fmt.detect(head):
            return fmt
    if other or like:
        raise UnreadableError(
            f"{head.path}: {other or like}, not a session", "condense reads session files; see `condense formats`"
        )
    if not head.raw.strip(b"\0 \t\r\n"):
        raise UnreadableError(
            f"{head.path}: the file is empty", "nothing can be recovered from it; the client starts a new session"
        )
    raise UnreadableError(
        f"{head.path}:1: not a session of a known format", "name the format with --format, or see `condense formats`"
    )
