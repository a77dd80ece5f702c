"""References of pi-condense that lead nowhere: the format scans for them, nothing repairs them."""

from __future__ import annotations

from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule

MISSING_BLOB = Rule(
    "missing-blob", Layer.CONDENSE,
    "the file with this output no longer exists",
    "",
    sessions.pi(5, sessions.ASKED, sessions.CALLED, sessions.ANSWERED, sessions.other("custom", "m4", "m3", customType="context-prune-index", data={"toolCalls": [sessions.SPILLED]})),
)  # fmt: skip

DANGLING_REF = Rule(
    "dangling-ref", Layer.CONDENSE,
    "it refers to something that is nowhere to be found",
    "",
    sessions.pi(4, sessions.ASKED, sessions.assistant("m2", "m1", sessions.say("Yes.")), sessions.other("compaction", "m3", "m2", summary="A question.", firstKeptEntryId="m9", tokensBefore=500), sessions.user("m4", "m3", "go on")),
)  # fmt: skip
