"""Trajectories that no client resumes, ShareGPT and ATIF: their pairing is checked, by the same rule names; nothing
is repaired.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from condense_cli.dataset.conversation import Conversation, Shape
from condense_cli.dataset.flaw import ERROR, Flaw
from condense_cli.rules.schemas import Tools

_SHAREGPT_RESULTS = frozenset({"observation", "tool"})


def lint(conversation: Conversation, tools: Tools = None) -> list[Flaw]:
    """Return what is wrong with a ShareGPT or ATIF conversation. tools: what the row declares, None where nothing."""
    found = (
        _sharegpt(conversation.turns, tools)
        if conversation.shape is Shape.SHAREGPT
        else _atif(conversation.turns, tools)
    )
    return list(found)


def _sharegpt(turns: list[Any], tools: Tools) -> Iterator[Flaw]:
    asked: int | None = None
    for index, turn in enumerate(turns):
        kind, value = turn["from"], turn["value"]
        if kind in _SHAREGPT_RESULTS:
            if asked is None:
                yield Flaw("orphan-result", ERROR, index)
            asked = None
            continue
        if asked is not None:
            yield Flaw("unanswered-call", ERROR, asked)
            asked = None
        if not isinstance(value, str) or not value.strip():
            yield Flaw("empty-message", ERROR, index)
        elif kind == "function_call":
            asked = index
            yield from _written_call(index, value, tools)
    if asked is not None:
        yield Flaw("trailing-call", ERROR, asked)


def _written_call(index: int, text: str, tools: Tools) -> Iterator[Flaw]:
    """Judge a call that is the text of a turn: `{"name", "arguments"}`, or a list of such."""
    try:
        value = orjson.loads(text)
    except ValueError:
        yield Flaw("invalid-arguments", ERROR, index, "the call is not JSON")
        return
    for call in value if isinstance(value, list) else [value]:
        if not isinstance(call, dict):
            yield Flaw("invalid-arguments", ERROR, index, "the call is no object")
        else:
            yield from _call(index, call.get("name"), call.get("arguments", call.get("parameters")), tools)


def _call(index: int, name: Any, arguments: Any, tools: Tools) -> Iterator[Flaw]:
    if not isinstance(name, str) or not name:
        yield Flaw("invalid-arguments", ERROR, index, "the call names no tool")
        return
    if isinstance(arguments, str):
        try:
            arguments = orjson.loads(arguments)
        except ValueError:
            arguments = None
    if arguments is None:
        yield Flaw("missing-arguments", ERROR, index)
    elif not isinstance(arguments, dict):
        yield Flaw("invalid-arguments", ERROR, index)
    elif tools is not None and name not in tools:
        yield Flaw("undeclared-tool", ERROR, index)
    elif tools is not None and not tools[name](arguments):
        yield Flaw("arguments-not-by-schema", ERROR, index)


def _atif(steps: list[Any], tools: Tools) -> Iterator[Flaw]:
    last = len(steps) - 1
    for index, step in enumerate(steps):
        calls = [call for call in step.get("tool_calls") or [] if isinstance(call, dict)]
        observation = step.get("observation")
        results = observation.get("results") if isinstance(observation, dict) else None
        results = [result for result in results or [] if isinstance(result, dict)]
        for call in calls:
            yield from _call(index, call.get("function_name", call.get("name")), call.get("arguments"), tools)
        yield from _in_step(index, calls, results, ends=index == last)
        if not calls and not results and not str(step.get("message") or "").strip():
            yield Flaw("empty-message", ERROR, index)


def _in_step(index: int, calls: list[Any], results: list[Any], *, ends: bool) -> Iterator[Flaw]:
    """Pair calls and results of one step; a result without an id may belong to none of them."""
    open_ids = [call.get("tool_call_id") for call in calls]
    for ident in {ident for ident in open_ids if open_ids.count(ident) > 1}:
        yield Flaw("duplicate-call-id", ERROR, index, f"{open_ids.count(ident)} calls")
    named = [result.get("source_call_id") for result in results if result.get("source_call_id") is not None]
    for ident in named:
        if ident in open_ids:
            open_ids.remove(ident)
        else:
            yield Flaw("orphan-result", ERROR, index)
    free = len(results) - len(named)
    for _ in open_ids[free:]:
        yield Flaw("trailing-call" if ends and not results else "unanswered-call", ERROR, index)
