"""The registry of session formats, and detection by content."""

from __future__ import annotations

from typing import NamedTuple

from condense_cli.document.format import Format, Head
from condense_cli.errors import UnreadableError
from condense_cli.formats import anthropic, gemini, kimi, openai_chat, openclaw, opencode
from condense_cli.formats.claude_code import format as claude_code
from condense_cli.formats.codex import format as codex
from condense_cli.formats.pi import format as pi

FORMATS: dict[str, Format] = {
    "codex": codex,
    "openclaw": openclaw,
    "pi": pi,
    "claude-code": claude_code,
    "gemini": gemini,
    "opencode": opencode,
    "kimi": kimi,
    "anthropic": anthropic,
    "openai-chat": openai_chat,
}


class Ability(NamedTuple):
    """What the commands can do with sessions of one format. Every format is detected, checked, shown and queried."""

    about: str
    detect: bool = True
    check: bool = True
    render: bool = True
    query: bool = True
    repair: bool = True
    compact: bool = False
    note: str = ""


ABILITIES: dict[str, Ability] = {
    "codex": Ability("Codex rollouts", compact=True, note="paginated ones keep place and length of their lines; *.jsonl.zst is only read"),
    "openclaw": Ability("OpenClaw sessions in JSONL", compact=True, note="current versions import JSONL into SQLite; cold archives and *.zst are only read"),
    "pi": Ability("pi sessions, versions 1 to 3", compact=True, note="pruned by pi-condense's rules in render"),
    "claude-code": Ability("Claude Code transcripts", compact=True, note="subagents' transcripts too"),
    "gemini": Ability("Gemini CLI chats, .json and .jsonl", note="lines are mended by appending the message again"),
    "opencode": Ability("what `opencode export` writes", repair=False, note="`opencode import` ignores changed content of messages that it has"),
    "kimi": Ability("Kimi CLI's context.jsonl", note="by the rules of chat messages; its own records stay in place"),
    "anthropic": Ability("Anthropic messages: array, object, JSONL", compact=True, note="one message or one conversation on a line"),
    "openai-chat": Ability("OpenAI chat messages: array, object, JSONL", compact=True, note="one message or one conversation on a line"),
}


def detect(head: Head) -> Format:
    """Return the first format that recognises the file; raise UnreadableError where none does."""
    from condense_cli.formats.lookalike import name_it

    other = name_it(head)
    if other:
        raise UnreadableError(f"{head.path}: {other}, not a session", "condense reads session files; see `condense formats`")
    for fmt in FORMATS.values():
        if fmt.detect(head):
            return fmt
    if not head.raw.strip(b"\0 \t\r\n"):
        raise UnreadableError(f"{head.path}: the file is empty", "nothing can be recovered from it; the client starts a new session")
    raise UnreadableError(f"{head.path}:1: not a session of a known format", "name the format with --format, or see `condense formats`")
