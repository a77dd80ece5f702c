"""One error text of a provider or client, and the values that many of them share."""

from __future__ import annotations

import re
from typing import NamedTuple


class Refusal(NamedTuple):
    """One literal error text.

    `text` has placeholders: {n} message index and {m} part index (from 0), {id}, {ids}, {name}, {length}
    (of the id), {line} (from 1), {any}. What is between [[ ]] identifies the refusal; the rest may be cut off.
    `rules` are the likely causes, likeliest first; none where no rule of a session file explains it.
    `variant` lists the variants of a rule that get this wording. `needs` is a pattern that must occur in a pasted
    text, too, where the wording alone is too common; a text that is nothing else needs nothing more.
    `remedy` says what helps where the file is sound: "compact", or "heaviest" for a list of the largest messages.
    """

    code: str
    who: str
    contracts: tuple[str, ...]
    rules: tuple[str, ...]
    text: str
    variant: str = ""
    note: str = ""
    source: str = "observed"
    needs: str = ""
    remedy: str = ""

    @property
    def literal(self) -> str:
        """Return the text with its placeholders and without the marks."""
        return self.text.replace("[[", "").replace("]]", "")

    @property
    def shown(self) -> str:
        """Return the text as people read it: N, M, ID and NAME are written for what differs."""
        return PLACEHOLDER.sub(lambda found: UNKNOWN[found[1]], self.literal)


PLACEHOLDER = re.compile(r"\{(n|m|ids?|name|length|line|any)\}")
UNKNOWN = {"n": "N", "m": "M", "id": "ID", "ids": "ID", "name": "NAME", "length": "N", "line": "N", "any": "…"}

CALLS = ("unanswered-call", "displaced-result", "results-not-first", "result-before-call", "trailing-call")
RESULTS = ("orphan-result", "result-of-skipped-call", "result-before-call", "duplicate-result", "displaced-result")
BOTH = (
    "orphan-result", "unanswered-call", "displaced-result", "duplicate-result", "result-before-call", "reused-id",
)  # fmt: skip
LINES = ("fused-line", "torn-tail", "split-record", "nul-bytes", "unreadable-line", "invalid-utf8")
BAD_REQUEST = r"\b(4\d\d|error|invalid|bad ?request|failed|rejected|exception)\b"

ANTHROPIC = ("anthropic",)
ANTHROPIC_CLIENT = ("anthropic", "claude-code")
ANTHROPIC_BEDROCK = ("anthropic", "bedrock")
CLAUDE_CODE = ("claude-code",)
CHAT = ("openai-chat",)
RESPONSES = ("openai-responses",)
RESPONSES_CODEX = ("openai-responses", "codex")
GEMINI = ("gemini",)
BEDROCK = ("bedrock",)
KIMI = ("kimi",)
DEEPSEEK = ("deepseek",)
MISTRAL = ("mistral",)

REQUEST = "This is about how the client built the request, not about the session file."
SIGNED = (
    "Signed thinking of the latest turn was changed on its way. A repair never touches it; go back to before that turn."
)
ITEM_ID = "Item ids are optional: a client that leaves them out and keeps call_id is accepted."
