"""The registry of session formats, and detection by content."""

from __future__ import annotations

from condense_cli.errors import UnreadableError
from condense_cli.formats import anthropic, claude_code, codex, gemini, kimi, openai_chat, openclaw, opencode, pi
from condense_cli.formats.base import Format, Head

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
