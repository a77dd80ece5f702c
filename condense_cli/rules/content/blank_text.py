"""A text block that is blank, beside other content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.rules import sessions
from condense_cli.rules.blocks import drop_blocks
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.model.findings import Finding
    from condense_cli.rules.thread import Thread


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield blank blocks; the variant says where the API that the thread now uses takes them."""
    taken = thread.view.model_in_use.speaks_openai
    for _, finding in thread.flaws("blank-text"):
        yield finding._replace(variant="taken") if taken else finding


RULE = Rule(
    "blank-text", Layer.CONTENT,
    "one of its text blocks is blank",
    "the blank block is taken out",
    sessions.pi(3, sessions.ASKED, sessions.assistant("m2", "m1", sessions.say(""), sessions.call(), provider="anthropic"), sessions.ANSWERED),
    scan_thread=scan,
    fix=drop_blocks,
)  # fmt: skip
