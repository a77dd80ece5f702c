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
        Rule("unreadable-line", _L, "this line cannot be read as a record", "taken out when the following record says all of it again; else it stays as it is"),
        Rule("torn-tail", _L, "the file ends inside a record that was never finished", "the unfinished piece goes, and the line before it ends the file"),
        Rule("fused-line", _L, "several records, or pieces of them, share one line", "each whole record moves to a line of its own; pieces go"),
        Rule("split-record", _L, "unescaped line breaks spread one record over several lines", "its lines are put together again, line breaks escaped"),
        Rule("nul-bytes", _L, "a write that crashed left NUL bytes behind", "the NULs are taken out; a line of nothing else goes"),
        Rule("bom", _L, "a byte order mark stands in front of the first record", "the mark is taken off"),
        Rule("missing-final-newline", _L, "no newline ends the last record, so what is appended next would run into it", "the newline is written"),
        Rule("invalid-utf8", _L, "some bytes are no UTF-8 text", "what cannot be decoded becomes U+FFFD"),
        Rule("lone-surrogate", _L, "a text was cut inside a character and holds half of a surrogate pair", "lone halves become U+FFFD"),
        Rule("nul-character", _L, "a text holds the NUL character", "U+FFFD takes its place"),
        # header
        Rule("missing-header", _H, "no header record can be read", "a header is made from the file name and the entries, and put in front"),
        Rule("misplaced-header", _H, "other records stand in front of the header", "the header goes to the front"),
        # tree
        Rule("duplicate-record", _T, "an earlier record is repeated", "the repetition goes"),
        Rule("duplicate-id", _T, "its id belongs to an earlier, different record", "it gets an id of its own, and references to it follow"),
        Rule("parent-cycle", _T, "the parents of this record lead back to it", "its parent becomes the record in front of it"),
        Rule("missing-parent", _T, "its parent does not exist, which cuts off all that came before", "its parent becomes the nearest earlier record of the same session or agent"),
        Rule("unreachable-reply", _T, "the thread goes on from an error record and leaves the reply next to it aside", "the thread is led over the reply"),
        Rule("foreign-session", _T, "it was written by another session", ""),
        Rule("missing-ordinal", _T, "a line of a paginated rollout lacks its ordinal", "on the last line the next number is written in; elsewhere it is only reported"),
        Rule("duplicate-ordinal", _T, "a paginated rollout counts two lines with one ordinal", ""),
        # pairing
        Rule("orphan-result", _P, "nothing on the thread asked for this result", "taken out, the thread closed behind it (--orphan note keeps its text)"),
        Rule("unanswered-call", _P, "the session went on without this call's result", "answered by a marked error (--unanswered drop takes the call out, as always that of a tool which runs at the provider)"),
        Rule("trailing-call", _P, "the last turn waits for the result of this call, which may be running", "nothing, unless --trailing says so", on_request=True),
        Rule("displaced-result", _P, "another message stands between the call and its result", "moved back to its call (--displaced drop takes it out)"),
        Rule("result-before-call", _P, "the result comes earlier than the call", "moved to the place after its call"),
        Rule("duplicate-result", _P, "the call was answered already", "a made-up answer gives way to the real one; of two real ones the first stays"),
        Rule("result-of-skipped-call", _P, "its call is in a turn that failed, and the client leaves that turn out", "result and call are taken out"),
        Rule("duplicate-call-id", _P, "two calls of one turn share an id", "a mere copy goes; else the second pair gets an id of its own"),
        Rule("reused-id", _P, "an earlier turn used this call id", "call and result get an id of their own where the reader minds (--ids)"),
        # call
        Rule("partial-call", _A, "the turn failed before this call was complete or answered", "the call is taken out of its message"),
        Rule("missing-arguments", _A, "the call carries no arguments", "empty arguments are written"),
        Rule("invalid-arguments", _A, "the arguments are no JSON object", "an object inside a string is unpacked; else they become empty"),
        Rule("invalid-tool-name", _A, "no provider takes this tool name", "what is legal at its beginning stays, in call and result"),
        Rule("invalid-call-id", _A, "the call id is missing, or of a form that is refused", "call and result share a legal one"),
        # content
        Rule("empty-message", _C, "the message says nothing", "it goes; a user's message says `(empty)`"),
        Rule("blank-text", _C, "one of its text blocks is blank", "the blank block is taken out"),
        Rule("results-not-first", _C, "something stands in front of the results in the user's turn", "the results go to the front"),
        Rule("text-after-call", _C, "the assistant says something after its call", "the calls go to the end of the message"),
        Rule("invalid-image", _C, "the image cannot be shown to a model", "a note says what stood there"),
        Rule("unsigned-thinking", _C, "this thinking is not signed, or its signature was cut", "the thinking goes, and its record if that is all it holds"),
        Rule("dangling-reasoning", _C, "a reasoning item is empty, or what it led to is gone", "the item goes"),
        Rule("foreign-reasoning", _C, "another model's reasoning is in the history", "on request, the item goes", on_request=True),
        Rule("missing-reasoning", _C, "other turns carry their reasoning, this one does not", "an empty one is written where the reader insists on it"),
        Rule("ends-with-assistant", _C, "the assistant has the last word", ""),
        Rule("starts-without-user", _C, "the conversation does not begin with the user", "a marked note speaks for the user"),
        Rule("roles-not-alternating", _C, "one side speaks twice in a row", "on request, the two become one", on_request=True),
        # condense
        Rule("missing-blob", _X, "the file with this output no longer exists", ""),
        Rule("dangling-ref", _X, "it refers to something that is nowhere to be found", ""),
    )
}

PAIRING_RULES: frozenset[str] = frozenset(name for name, rule in RULES.items() if rule.layer is Layer.PAIRING)
