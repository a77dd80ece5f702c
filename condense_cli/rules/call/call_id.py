"""Call ids that are missing, or of a form that a contract refuses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense_cli.model.findings import Finding
from condense_cli.pairing.pair import BY_NAME
from condense_cli.rules import sessions
from condense_cli.rules.call_ids import head_of, rename, set_result_id
from condense_cli.rules.halves import drop_result
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.messages import Call
    from condense_cli.rules.thread import Thread

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NINE = re.compile(r"[a-zA-Z0-9]{9}")
_CLIENTS = frozenset({"pi", "openclaw", "claude-code", "codex"})


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield results without an id, and calls whose id some contract refuses: one finding for each way."""
    yield from thread.faults("invalid-call-id")
    view = thread.view
    # The clients write other ids when the model changes, so only their own model's ids reach Mistral as they are.
    as_stored = thread.document.format.contract not in _CLIENTS or view.model_in_use.provider == "mistral"
    nine = as_stored and "mistral" in thread.contracts
    shape = "anthropic" if view.model_in_use.anthropic else thread.document.format.contract  # as `rename` makes new ones
    for message in view.messages:
        if message.skipped:
            continue
        for call in message.calls:
            ident = call.id
            if call.family == BY_NAME or (not nine and ident and len(ident) <= 40 and _ID.fullmatch(ident)):
                continue
            own = view.model_in_use.anthropic and message.record.extra == view.model_in_use
            for variant in _variants(ident, own=own):
                if nine or variant != "not-nine":
                    yield Finding(
                        "invalid-call-id", call.record.line, call.record, variant=variant, part=call.part, call_id=ident,
                        possible=not _is_best(ident, shape, variant),
                    )  # fmt: skip


def _is_best(ident: str | None, shape: str, variant: str) -> bool:
    """Say whether only the bar and the item after it are refused, which a client needs in its own file."""
    head = head_of(ident, shape)
    if head is None or variant not in ("own", "charset", "not-nine"):
        return False
    return (_NINE if variant == "not-nine" else _ID).fullmatch(head) is not None


def _variants(ident: str | None, *, own: bool) -> Iterator[str]:
    if not ident:
        yield ""
        return
    head = ident.split("|", 1)[0]
    if not _ID.fullmatch(ident):
        yield "own" if own else "charset"
    if len(head) > 64:
        yield "long"
    elif len(head) > 40:
        yield "over-40"
    if not _NINE.fullmatch(ident):
        yield "not-nine"


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Give a call and its result a legal id; a result without one gets the id of its call."""
    draft = index.draft()
    done: set[Call] = set()
    for fault in index.faults.get("invalid-call-id", ()):
        if fault.result is not None and fault.call is not None and fault.call.id:
            done.add(fault.call)
            set_result_id(draft, fault.result, fault.call.id, "invalid-call-id")
        elif fault.result is not None and fault.call is None:
            drop_result(draft, fault.result, "invalid-call-id")
    for call in index.calls_of(findings):
        if call not in done:
            done.add(call)
            rename(draft, call, index.results.get(call), "invalid-call-id")
    return draft.edits


RULE = Rule(
    "invalid-call-id", Layer.CALL,
    "the call id is missing, or of a form that is refused",
    "call and result share a legal one",
    sessions.anthropic(3, sessions.ask(), sessions.reply(sessions.use("functions.bash:0")), sessions.ask([sessions.used("functions.bash:0")])),
    scan_thread=scan,
    fix=fix,
)  # fmt: skip
