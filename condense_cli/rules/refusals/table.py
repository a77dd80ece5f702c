"""All error texts, by who answers with them."""

from __future__ import annotations

from condense_cli.rules.refusals import (
    advice,
    anthropic,
    bedrock,
    chat,
    chat_dialects,
    clients,
    gemini,
    media,
    responses,
)
from condense_cli.rules.refusals.row import Refusal

REFUSALS: tuple[Refusal, ...] = (
    *anthropic.ROWS,
    *media.ROWS,
    *chat.ROWS,
    *chat_dialects.ROWS,
    *responses.ROWS,
    *gemini.ROWS,
    *bedrock.ROWS,
    *clients.ROWS,
    *advice.ROWS,
)
