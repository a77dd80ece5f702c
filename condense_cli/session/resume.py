"""How a client goes on with a session: the command that someone types, by the table of clients."""

from __future__ import annotations

import os

from condense_cli.session.named import session_id

_ID, _PATH = "ID", "PATH"
_COMMANDS = {
    "pi": ("pi", "--session", _PATH),
    "claude-code": ("claude", "--resume", _ID),
    "codex": ("codex", "resume", _ID),
    "kimi": ("kimi", "--session", _ID),
    "qwen": ("qwen", "--resume", _ID),
}
"""Format -> words; ID and PATH are those of the session. Clients that are not here are told nothing of."""


def resume_words(format_name: str, path: str) -> tuple[str, ...]:
    """Return the words of the command that resumes a session, or () where its client has none that names one."""
    values = {_ID: session_id(path), _PATH: os.path.abspath(path)}
    return tuple(values.get(word, word) for word in _COMMANDS.get(format_name, ()))
