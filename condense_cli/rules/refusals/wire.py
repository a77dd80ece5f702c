"""The wire rules of the billion-context kernel by name: which rule of ours each is, or why it is about the request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from condense_cli.rules.refusals.match import Match


class WireRule(NamedTuple):
    """A wire rule: whose wire, what it says, our rules for it, and why it is not (only) a matter of the file."""

    name: str
    who: str
    contracts: tuple[str, ...]
    says: str
    rules: tuple[str, ...] = ()
    why: str = ""


_SCHEMA = "The client declares the tools with each request; a session file has no schema of them that is sent."
_FIELD = "A member of the request itself: the client sets it when it sends, and no session file has it."
_SOCKET = "A frame of the client's connection, not a message of the session."

_ANTHROPIC = ("Anthropic", ("anthropic",))
_CHAT = ("OpenAI Chat Completions", ("openai-chat",))
_RESPONSES = ("OpenAI Responses", ("openai-responses",))
_GEMINI = ("Gemini", ("gemini",))
_NAMES = ("invalid-tool-name",)
_DECLARED = "The name of a call is in the file and is checked; names and schemas that are declared are the request's."

WIRE_RULES: tuple[WireRule, ...] = (
    WireRule("WC-001", *_ANTHROPIC, "no oneOf, allOf, anyOf or not at the top of a tool's input_schema", (), _SCHEMA),
    WireRule("WC-002", *_ANTHROPIC, 'a tool\'s input_schema is an object with type "object"', (), _SCHEMA),
    WireRule("WC-003", *_ANTHROPIC, "a tool's name has 1 to 128 of a-z, A-Z, 0-9, _ and -", _NAMES, _DECLARED),
    WireRule("WC-004", *_CHAT, "a tool's name has 1 to 64 of a-z, A-Z, 0-9, _ and -", _NAMES, _DECLARED),
    WireRule("WC-005", *_RESPONSES, "a tool's name has 1 to 64 of a-z, A-Z, 0-9, _ and -", _NAMES, _DECLARED),
    WireRule("WC-006", *_GEMINI, "a function's name has letters, digits and _ alone", _NAMES, _DECLARED),
    WireRule("WC-007", *_ANTHROPIC, "no prompt_cache_key in the request", (), _FIELD),
    WireRule("WC-008", *_CHAT, "Gemini through Copilot: each schema has one type, each branch of anyOf too", (), _SCHEMA),
    WireRule(
        "WC-009", *_RESPONSES, "a provider that thinks needs a reasoning item in each run of the assistant",
        ("missing-reasoning",),
    ),
    WireRule(
        "WC-010", *_ANTHROPIC, "at most 4 cache_control marks in system, tools and messages together", (),
        "The client sets the marks when it sends the request.",
    ),
    WireRule("WC-011", *_RESPONSES, "no two configuration_update items next to each other", (), _FIELD),
    WireRule(
        "WC-012", *_RESPONSES, "the id of a compaction item begins with cmp", (),
        "Item ids are optional, and their prefix is the client's business: one that leaves them out is accepted.",
    ),
    WireRule("WC-013", *_RESPONSES, "response.create has no stream, stream_options or background", (), _SOCKET),
    WireRule(
        "WC-013", *_RESPONSES, "no reasoning.summary for providers with a strict schema", (),
        "The client chooses what of a reasoning item it sends to which provider.",
    ),
    WireRule(
        "WC-014", *_RESPONSES, "one system message, at the head", (),
        "The client puts the system prompt into the request; a session's own place for it is not sent as it is.",
    ),
    WireRule(
        "WC-015", *_RESPONSES, "the id of a message item begins with msg", (),
        "Item ids are optional, and their prefix is the client's business: one that leaves them out is accepted.",
    ),
    WireRule(
        "WC-016", *_ANTHROPIC, "a cache mark with scope global only where all before it is global", (),
        "The client sets the marks when it sends the request.",
    ),
    WireRule("WC-017", *_RESPONSES, "Codex: response.create says that it streams", (), _SOCKET),
    WireRule(
        "WC-018", *_CHAT, "each tool message follows the assistant message with its call, and each call has one answer",
        ("orphan-result", "unanswered-call", "duplicate-result", "result-before-call", "duplicate-call-id"),
        "It does not ask for neighbourhood, which providers do: displaced-result is ours alone.",
    ),
)  # fmt: skip

_NAME = re.compile(r"\bWC[-_ ]?(\d{1,3})\b", re.IGNORECASE)


def named_in(text: str) -> Iterator[Match]:
    """Yield each wire rule that a text names, as a match."""
    for number in dict.fromkeys(int(found) for found in _NAME.findall(text)):
        yield from by_name(f"WC-{number:03}")


def by_name(name: str) -> tuple[Match, ...]:
    """Return what is known about a wire rule as one match, or () for a name that is none."""
    found = [rule for rule in WIRE_RULES if rule.name == name.strip().upper()]
    if not found:
        return ()
    return (
        Match(
            code=found[0].name,
            who=f"wire rule, {found[0].who}",
            contracts=found[0].contracts,
            rules=found[0].rules,
            texts=tuple(rule.says for rule in found),
            note=" ".join(dict.fromkeys(rule.why for rule in found)),
            ids=(),
            messages=(),
            parts=(),
            score=0,
        ),
    )
