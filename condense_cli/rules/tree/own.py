"""Tree rules that only one format can break: the format itself scans and fixes them."""

from __future__ import annotations

from condense_cli.rules import sessions
from condense_cli.rules.rule import Example, Layer, Rule

_ELSEWHERE = {"thread_id": "019fe734-2578-4b5d-acc0-00000000dead", "end_ordinal_exclusive": 0, "end_byte_offset": 657}

UNREACHABLE_REPLY = Rule(
    "unreachable-reply", Layer.TREE,
    "the thread goes on from an error record and leaves the reply next to it aside",
    "the thread is led over the reply",
    Example(
        "claude-code",
        4,
        sessions.lines(
            sessions.claude_user(1, None, "Hello."),
            sessions.claude(2, 1, "system", subtype="api_error", content="", level="error", error={"status": 529}, retryAttempt=1, maxRetries=10),
            sessions.claude_reply(3, 1, "Hello to you."),
            sessions.claude(4, 2, "system", subtype="stop_hook_summary", content="", level="info"),
            sessions.claude_user(5, 4, "Next."),
        ),
    ),
)  # fmt: skip

FOREIGN_SESSION = Rule(
    "foreign-session", Layer.TREE,
    "it was written by another session",
    "",
    Example(
        "claude-code",
        3,
        sessions.lines(
            sessions.claude_user(1, None, "Mine."),
            sessions.claude_reply(2, 1, "Yours."),
            sessions.claude_user(3, None, "From elsewhere.", session="5eb35a52-6c92-4d9b-ac31-49733476cc3c"),
            sessions.claude_user(4, 2, "Mine again."),
        ),
    ),
)  # fmt: skip

MISSING_ORDINAL = Rule(
    "missing-ordinal", Layer.TREE,
    "a line of a paginated rollout lacks its ordinal",
    "on the last line the next number is written in; elsewhere it is only reported",
    Example("codex", 3, sessions.lines(sessions.meta(0), sessions.item(1, "user", "Go.", 1), sessions.item(2, "assistant", "Done."))),
)  # fmt: skip

BROKEN_LINEAGE = Rule(
    "broken-lineage", Layer.TREE,
    "the history that it goes on from is not there",
    "",
    Example("codex", 1, sessions.lines(sessions.meta(0, history_base=_ELSEWHERE), sessions.item(1, "user", "Go on.", 1), sessions.item(2, "assistant", "Done.", 2))),
)  # fmt: skip

DUPLICATE_ORDINAL = Rule(
    "duplicate-ordinal", Layer.TREE,
    "a paginated rollout counts two lines with one ordinal",
    "",
    Example("codex", 3, sessions.lines(sessions.meta(0), sessions.item(1, "user", "Go.", 1), sessions.item(2, "assistant", "Done.", 1), sessions.item(3, "user", "More.", 2))),
)  # fmt: skip
