"""What can be wrong with a session: one row per rule.

The names are an interface: they appear in --select, JSON, SARIF and `explain`. Who minds a rule, and how
much, is the business of contracts.py.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Layer(StrEnum):
    """Where a rule looks, in the order in which repair works."""

    LINE = "line"
    HEADER = "header"
    TREE = "tree"
    PAIRING = "pairing"
    CALL = "call"
    CONTENT = "content"
    CONDENSE = "condense"


class Severity(StrEnum):
    """How much a contract minds: an error loses history or the request, a warning breaks another reader."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Order severities: info 1, warning 2, error 3."""
        return _RANK[self]


_RANK = {Severity.INFO: 1, Severity.WARNING: 2, Severity.ERROR: 3}


class Rule(NamedTuple):
    """One thing that can be wrong; `repair` is empty where it is reported only."""

    name: str
    layer: Layer
    means: str
    repair: str
    on_request: bool = False  # fixed only when --select or a policy asks for it


_L, _H, _T, _P, _A, _C, _X = (
    Layer.LINE,
    Layer.HEADER,
    Layer.TREE,
    Layer.PAIRING,
    Layer.CALL,
    Layer.CONTENT,
    Layer.CONDENSE,
)

RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        # line
        Rule("unreadable-line", _L, "the line is not a JSON object", "dropped if the next record repeats it in full, else its bytes stay"),
        Rule("torn-tail", _L, "the last line breaks off in the middle of a record", "the fragment is removed and the file ends with a newline"),
        Rule("fused-line", _L, "a fragment or a record is followed by another record on the same line", "whole records get a line each, fragments go"),
        Rule("split-record", _L, "one record stands on several lines, with raw newlines inside a string", "joined into one line with escaped newlines"),
        Rule("nul-bytes", _L, "NUL bytes in the file, left by a crashed append", "a line of NULs goes, NULs around a record are stripped"),
        Rule("bom", _L, "the file starts with a byte order mark", "the three bytes are removed"),
        Rule("missing-final-newline", _L, "the last record is not ended, so the next append fuses with it", "a newline is added"),
        Rule("invalid-utf8", _L, "bytes that are not UTF-8", "each bad sequence becomes U+FFFD"),
        Rule("lone-surrogate", _L, "half of a UTF-16 surrogate pair", "each half becomes U+FFFD, whole pairs stay"),
        Rule("nul-character", _L, "U+0000 inside a text, a result or an argument", "each becomes U+FFFD"),
        # header
        Rule("missing-header", _H, "there is no readable header record", "built anew from file name and content and put first"),
        Rule("misplaced-header", _H, "the header is not the first record", "moved to the front, all else keeps its order"),
        # tree
        Rule("duplicate-record", _T, "a record stands in the file twice", "the later copy goes"),
        Rule("duplicate-id", _T, "two different records own one id", "the later one gets a fresh id and what refers to it follows"),
        Rule("parent-cycle", _T, "walking up from this record never ends", "hung on the record before it in the file"),
        Rule("missing-parent", _T, "the parent is not in the file, so everything above is out of reach", "hung on the nearest record above of the same session or agent"),
        Rule("unreachable-reply", _T, "a finished reply stands beside the thread, because the next record hangs on an error record", "that record is hung on the reply"),
        Rule("foreign-session", _T, "the record belongs to another session", ""),
        Rule("missing-ordinal", _T, "a record of a paginated rollout has no ordinal", "the next number is written into the last record; elsewhere reported only"),
        Rule("duplicate-ordinal", _T, "two records of a paginated rollout have one ordinal", ""),
        # pairing
        Rule("orphan-result", _P, "a result whose call is not on the thread", "dropped, its children are hung on its parent (--orphan note keeps the text)"),
        Rule("unanswered-call", _P, "a call without a result, and a later turn exists", "a marked error result is inserted (--unanswered drop: the call goes)"),
        Rule("trailing-call", _P, "a call of the last cycle without a result: it may be running", "left alone (--trailing answer or drop)", on_request=True),
        Rule("displaced-result", _P, "a result is cut off from its call by another message", "moved to the results of its call (--displaced drop: it goes)"),
        Rule("result-before-call", _P, "a result stands before its call", "moved behind the call"),
        Rule("duplicate-result", _P, "a call has a second result", "the placeholder goes if one of them is one, else the later"),
        Rule("result-of-skipped-call", _P, "the result of a call in an aborted or failed turn, which the client does not send", "dropped, then the call goes"),
        Rule("duplicate-call-id", _P, "one id twice in one assistant turn", "an equal copy goes, else the second call and result get a fresh id"),
        Rule("reused-id", _P, "a later turn uses the id of an earlier call again", "the later call and its result get a fresh id where the contract minds (--ids)"),
        # call
        Rule("partial-call", _A, "a call in an aborted or failed turn that never got a result", "the call goes, text and record stay"),
        Rule("missing-arguments", _A, "the call has no arguments", "an empty object is written"),
        Rule("invalid-arguments", _A, "the arguments are of the wrong kind", "a string that holds an object is parsed, else an empty object"),
        Rule("invalid-tool-name", _A, "the tool name is empty, too long or has illegal characters", "cut at the first bad character, in call and result"),
        Rule("invalid-call-id", _A, "the call id is empty, too long or has illegal characters", "call and result get the same new id"),
        # content
        Rule("empty-message", _C, "a message with neither text nor call", "dropped (a user message: `(empty)`)"),
        Rule("blank-text", _C, "a blank text block beside other content", "the block goes"),
        Rule("results-not-first", _C, "text or images before the results in one user message", "results first, the rest in its order"),
        Rule("text-after-call", _C, "text behind a call in one assistant message", "calls to the end, order kept otherwise"),
        Rule("invalid-image", _C, "an image that cannot be one", "replaced by a text note at its place"),
        Rule("unsigned-thinking", _C, "thinking without a usable signature", "the block goes; a record that holds nothing else goes too"),
        Rule("dangling-reasoning", _C, "a reasoning item without the item that must follow it, or without content", "dropped"),
        Rule("foreign-reasoning", _C, "reasoning bound to another provider or model", "dropped on request", on_request=True),
        Rule("missing-reasoning", _C, "a call turn without reasoning while other turns have it", "an empty `reasoning_content` is written where the contract minds"),
        Rule("ends-with-assistant", _C, "the thread ends with a finished answer", ""),
        Rule("starts-without-user", _C, "the first turn is not the user's", "a marked user note is put in front"),
        Rule("roles-not-alternating", _C, "two turns of one role in a row", "merged on request", on_request=True),
        # condense
        Rule("missing-blob", _X, "the file that an index record was spilled to is gone", ""),
        Rule("dangling-ref", _X, "a reference names what neither index nor thread has", ""),
    )
}

PAIRING_RULES: frozenset[str] = frozenset(name for name, rule in RULES.items() if rule.layer is Layer.PAIRING)
