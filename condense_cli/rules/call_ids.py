"""Fresh call ids, and writing them into a call, its result, and what is keyed by the id."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from condense_cli.document.draft import Draft
    from condense_cli.model.messages import Call, Result

_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]")
SHORT = 40  # characters; Anthropic and Responses take 64, but OpenAI's chat endpoint refused more than 40 for long


def rename(draft: Draft, call: Call, result: Result | None, rule: str) -> None:
    """Write a fresh id into a call and its result, and into what is keyed by it."""
    if draft.is_gone(call.record):
        return
    longest = len(call.id) if call.id and draft.fixed else SHORT
    own = "anthropic" if draft.view.model_in_use.anthropic else draft.format.contract
    new = fresh_call_id(call.id, draft.call_ids, draft.known.contracts, own, longest, draft.attempts)
    raw = jsonedit.replace(draft.raw(call.record), draft.format.call_paths(call).id, new)
    if not draft.rewrite(call.record, raw, rule, Change.REPLACE, part=call.part, call_id=call.id):
        return
    draft.call_ids.add(new)
    if result is not None:
        set_result_id(draft, result, new, rule)
    draft.format.follow_rename(draft, call, result, new, rule)


def set_result_id(draft: Draft, result: Result, new: str, rule: str) -> None:
    """Write an id into a result."""
    if draft.is_gone(result.record):
        return
    raw = jsonedit.replace(draft.raw(result.record), draft.format.result_paths(result).id, new)
    draft.rewrite(result.record, raw, rule, Change.REPLACE, part=result.part, call_id=result.id)


def head_of(ident: str | None, own: str) -> str | None:
    """Return what is before the bar of an id whose item, after it, its own client goes on to need; else None."""
    head, bar, item = (ident or "").partition("|")
    return head if bar and item and own in ("pi", "openclaw") else None


def fresh_call_id(
    old: str | None,
    taken: Container[str],
    contracts: Iterable[str],
    own: str,
    longest: int = SHORT,
    attempts: dict[str, int] | None = None,
) -> str:
    """Make a legal id that nobody has, the same for the same file: Mistral wants 9 letters or digits, others at most
    `longest`.

    attempts remembers how many were made of each old id, so that the next one needs no second look at those.
    """
    nine = "mistral" in contracts
    limit = 9 if nine else min(SHORT, longest)
    head, bar, item = (old or "").partition("|")
    keeps_item = head_of(old, own) is not None
    base = _ILLEGAL.sub("_", head if keeps_item or not bar else old or "") or "call"
    key = f"{own} {limit} {old}"
    attempts = {} if attempts is None else attempts
    for attempt in range(attempts.get(key, 0), 1_000_000):
        if nine:
            new = hashlib.sha256(f"{old} {attempt}".encode()).hexdigest()[:9]
        elif attempt == 0:
            new = (
                base
                if len(base) <= limit
                else base[: limit - 9] + "_" + hashlib.sha256((old or "").encode()).hexdigest()[:8]
            )
        else:
            # Not `_2`: Claude Code takes an id with a number after a known id for a copy, and drops its result.
            mark = f"_r{attempt + 1}"
            new = base[: limit - len(mark)] + mark
        if keeps_item:
            new += f"|{item}" if new == head else f"|{item[:60]}_{attempt + 1}"
        if new not in taken:
            attempts[key] = attempt + 1
            return new
    raise AssertionError("a million ids are taken")
