"""A text block that is blank, beside other content."""

from __future__ import annotations

from condense_cli.rules import sessions
from condense_cli.rules.blocks import drop_blocks
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_flaws

RULE = Rule(
    "blank-text", Layer.CONTENT,
    "one of its text blocks is blank",
    "the blank block is taken out",
    sessions.pi(3, sessions.ASKED, sessions.assistant("m2", "m1", sessions.say(""), sessions.call()), sessions.ANSWERED),
    scan_thread=scan_flaws("blank-text"),
    fix=drop_blocks,
)  # fmt: skip
