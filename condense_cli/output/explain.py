"""What `explain` says: sheets of rules, recognised errors, and the table contract × rule."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, TextIO

from condense_cli.model.findings import Severity
from condense_cli.output.json import ascii_json, finding_fields
from condense_cli.output.lines import line_writer
from condense_cli.output.plain import one_line, visible
from condense_cli.output.sentence import counted, facts, shortened
from condense_cli.output.shell import command, path_word
from condense_cli.output.terminal import finding_line
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import CLIENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from condense_cli.check.diagnosis import Mention, PlacedFinding, Sheet, Verdict
    from condense_cli.rules.refusals import Match
    from condense_cli.rules.rule import Example

VERSION = 1
WIDTH = 80

EVIDENCE = {
    "L": "seen with the real client",
    "S": "read in its source",
    "O": "seen in a public report",
    "M": "measured against the live service",
    "D": "the vendor's documentation",
    "P": "stated in a public pull request",
    "I": "inferred",
}
_EVIDENCE_AT = 28  # column, from 0
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_LETTERS = {Severity.ERROR: "E", Severity.WARNING: "W", Severity.INFO: "I", None: "-"}
_SHORT = {
    "pi": "pi",
    "openclaw": "ocl",
    "claude-code": "cc",
    "codex": "cdx",
    "anthropic": "ant",
    "openai-chat": "oai",
    "openai-responses": "rsp",
    "gemini": "gem",
    "bedrock": "bed",
    "kimi": "kim",
    "kimi-code": "kmc",
    "qwen": "qwn",
    "copilot": "cop",
    "cline": "cli",
    "roo": "roo",
    "opencode": "opc",
    "deepseek": "dee",
    "mistral": "mis",
    "training": "trn",
}


# --- one rule ------------------------------------------------------------------------------------


def write_sheet(sheet: Sheet, example: Example, stream: TextIO, *, color: bool = False) -> None:  # noqa: C901 - the kinds that are told apart are read best side by side
    """Write what a rule means, who rejects it, what is answered, and a session in which it is broken."""
    say = line_writer(stream, color=color)
    rule = sheet.rule
    say((rule.name, "bold"), (f" · {rule.layer.value}", "dim"))
    for line in _labelled("means", rule.means):
        say((line, ""))
    for line in _labelled("repair", repair_words(rule.name)):
        say((line, ""))
    say(("", ""))
    say(("Who rejects it", "bold"))
    nobody = [verdict.contract for verdict in sheet.verdicts if verdict.worst.severity is None]
    for verdict in sheet.verdicts:
        for variant, one in verdict.cells:
            if one.severity is not None:
                special = f"{variant}: " if len(verdict.cells) > 1 and variant else ""
                first, *rest = textwrap.wrap(
                    f"{special}{EVIDENCE[one.evidence]}, {one.source}", WIDTH - _EVIDENCE_AT, break_on_hyphens=False
                )
                say(
                    (f"  {verdict.contract:<17}", ""),
                    (f"{one.severity.value:<8}", _STYLES[one.severity]),
                    (f" {first}", "dim"),
                )
                for line in rest:
                    say((" " * _EVIDENCE_AT + line, "dim"))
    if nobody:
        for line in _wrapped(f"no rule for {', '.join(nobody)}", "  "):
            say((line, "dim"))
    if sheet.errors:
        say(("", ""))
        say(("What is answered", "bold"))
        for refusal in sheet.errors:
            say((f"  {refusal.who}", ""), (f" [{refusal.code}]", "dim"))
            for line in _wrapped(refusal.shown, "    "):
                say((line, ""))
    say(("", ""))
    say((f"Example, a session of {example.format}: the finding is on line {example.line}", "bold"))
    for line in example_lines(example):
        say((f"  {line}", ""))


def repair_words(name: str) -> str:
    """Return what repair does about a rule, or that it does nothing."""
    return RULES[name].repair or "nothing: it is reported only"


def example_lines(example: Example) -> Iterator[str]:
    """Yield the lines of an example as they can be printed: bytes that are no text show as escapes."""
    text = example.data.decode("utf-8", "backslashreplace")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        yield f"{number}  {one_line(line)}"


def sheet_object(sheet: Sheet, example: Example) -> dict[str, Any]:
    """Return a rule as one JSON object."""
    rule = sheet.rule
    return {
        "version": VERSION,
        "rule": rule.name,
        "layer": rule.layer.value,
        "means": rule.means,
        "repair": rule.repair or None,
        "on_request": rule.on_request,
        "contracts": {verdict.contract: _cells(verdict) for verdict in sheet.verdicts},
        "errors": [
            {"code": row.code, "who": row.who, "contracts": list(row.contracts), "text": row.shown}
            for row in sheet.errors
        ],
        "example": {
            "format": example.format,
            "line": example.line,
            "text": example.data.decode("utf-8", "backslashreplace"),
        },
    }


# --- recognised errors ---------------------------------------------------------------------------


def write_matches(matches: Sequence[Match], stream: TextIO, *, color: bool = False) -> None:  # noqa: C901 - the kinds that are told apart are read best side by side
    """Write which errors a text holds, what they mean, and what of the session they name."""
    say = line_writer(stream, color=color)
    for number, match in enumerate(matches):
        if number:
            say(("", ""))
        contracts = f" ({', '.join(match.contracts)})" if match.contracts else ""
        say((match.code, "bold"), (f" · {match.who}{contracts}", ""))
        for text in match.texts:
            for line in _wrapped(text, "  "):
                say((line, "dim"))
        if named := _named(match):
            for line in _labelled("names", named):
                say((line, ""))
        for rule in match.rules:
            for line in _labelled(rule, _means(rule), 24):
                say((line, ""))
        if match.note:
            for line in _wrapped(match.note, "  "):
                say((line, ""))


def write_next(
    matches: Sequence[Match], contract: str | None, path: str, stream: TextIO, *, color: bool = False
) -> None:
    """Write the commands that look for what is wrong and repair it; path is the session, or a word for one."""
    rules = [rule for match in matches for rule in match.rules if rule in RULES]
    if not rules:
        return
    say = line_writer(stream, color=color)
    judge = ["--contract", contract] if contract else []
    wanted = (
        []
        if any(not RULES[rule].on_request and RULES[rule].repair for rule in rules)
        else [word for rule in dict.fromkeys(rules) if RULES[rule].repair for word in ("--select", rule)]
    )
    say(("next: ", "dim"), (command("condense", "check", *judge, path_word(path)), "bold"))
    if wanted or any(RULES[rule].repair for rule in rules):
        say(("      ", "dim"), (command("condense", "repair", *judge, *wanted, path_word(path)), "bold"))


def write_places(
    places: Sequence[PlacedFinding],
    mentions: Sequence[Mention],
    path: str,
    stream: TextIO,
    *,
    others: int = 0,
    color: bool = False,
) -> None:
    """Write what in the session the matches may be about: what the text names first, then the rest of the rules.

    `others` is the number of errors and warnings that the matches are not about.
    """
    say = line_writer(stream, color=color)
    for mention in mentions:
        say((f"{shortened(mention.id, WIDTH)} {_where(mention)}", ""))
    named = [place.finding for place in places if place.named]
    rest = [place.finding for place in places if not place.named]
    for heading, findings in (
        ("Named in the text:", named),
        ("Of the same rules:" if named else "Findings of these rules:", rest),
    ):
        if findings:
            say((heading, "bold"))
        for finding in findings:
            finding_line(say, path, finding)
            if known := facts(finding):
                say((f"    {one_line(known)}", "dim"))
    if not places:
        say((f"{one_line(path)}: no such finding in this session", "bold"))
        why = "The client may have built the request wrongly, or the error came from another session or an earlier state of this one."  # noqa: E501 - a sentence is one text
        if others:
            why = f"Other rules have {counted(others, 'finding')} there, which may be the cause all the same."
        for line in _wrapped(why, "  "):
            say((line, ""))
        if others:
            say(("next: ", "dim"), (command("condense", "check", path_word(path)), "bold"))


def matches_object(
    matches: Sequence[Match],
    path: str | None = None,
    places: Sequence[PlacedFinding] = (),
    mentions: Sequence[Mention] = (),
) -> dict[str, Any]:
    """Return recognised errors, and with a session what they are about in it, as one JSON object."""
    out: dict[str, Any] = {
        "version": VERSION,
        "matches": [
            {
                "code": match.code,
                "who": match.who,
                "contracts": list(match.contracts),
                "rules": list(match.rules),
                "texts": list(match.texts),
                "note": match.note or None,
                "ids": list(match.ids),
                "messages": list(match.messages),
                "parts": list(match.parts),
            }
            for match in matches
        ],
    }
    if path is not None:
        out["session"] = path
        out["ids"] = [{"id": one.id, "calls": list(one.calls), "results": list(one.results)} for one in mentions]
        out["findings"] = [{"named": place.named} | finding_fields(place.finding) for place in places]
    return out


def _means(rule: str) -> str:
    return RULES[rule].means if rule in RULES else "condense does not look for it yet"


def _named(match: Match) -> str:
    known = (("id", match.ids), ("message", match.messages), ("part", match.parts))
    named = [
        f"{name} {', '.join(shortened(str(value), WIDTH) for value in values)}" for name, values in known if values
    ]
    return "; ".join(named) + (" (counted from 0)" if match.messages or match.parts else "")


def _where(mention: Mention) -> str:
    def lines(found: tuple[int, ...]) -> str:
        return f"line{'' if len(found) == 1 else 's'} {', '.join(map(str, found[:8]))}{' and more' if len(found) > 8 else ''}"  # noqa: E501 - a sentence is one text

    if not mention.calls and not mention.results:
        return "does not occur in this session"
    called = f"is called on {lines(mention.calls)}" if mention.calls else "is never called"
    return f"{called}, {f'answered on {lines(mention.results)}' if mention.results else 'never answered'}"


# --- the table -----------------------------------------------------------------------------------


def write_table(rows: Iterable[tuple[str, tuple[Verdict, ...]]], stream: TextIO, *, color: bool = False) -> None:
    """Write contract × rule at no more than 80 columns: the clients, then the APIs, with a head for each layer and a
    legend.
    """
    say = line_writer(stream, color=color)
    rows = list(rows)
    names = [verdict.contract for verdict in rows[0][1]]
    for number, clients in enumerate((True, False)):
        if number:
            say(("", ""))
        _write_columns([(name, [m for m in cells if (m.contract in CLIENTS) is clients]) for name, cells in rows], say)
    say(("", ""))
    say(("E error · W warning · I info · - no rule there", "dim"))
    say(("* depends on the case: `condense explain RULE` tells them apart", "dim"))
    for line in _wrapped(", ".join(f"{_short(name)}={name}" for name in names if _short(name) != name)):
        say((line, "dim"))


def _write_columns(rows: list[tuple[str, list[Verdict]]], say: Callable[..., None]) -> None:
    first = max(len(name) for name, _ in rows)
    head = " ".join(f"{_short(verdict.contract):<3}" for verdict in rows[0][1])
    layer = ""
    for name, cells in rows:
        if RULES[name].layer.value != layer:
            layer = RULES[name].layer.value
            say((f"{layer:<{first}} ", "bold"), (head.rstrip(), "dim"))
        *marks, (last, style) = [
            (f"{_mark(verdict):<4}", _STYLES[verdict.worst.severity] if verdict.worst.severity else "dim")
            for verdict in cells
        ]
        say((f"{name:<{first}} ", ""), *marks, (last.rstrip(), style))


def _short(contract: str) -> str:
    return _SHORT.get(contract, contract[:3])


def table_object(rows: Iterable[tuple[str, tuple[Verdict, ...]]]) -> dict[str, Any]:
    """Return the table as one JSON object."""
    rows = list(rows)
    return {
        "version": VERSION,
        "contracts": [verdict.contract for verdict in rows[0][1]],
        "rules": [
            {
                "rule": name,
                "layer": RULES[name].layer.value,
                "contracts": {verdict.contract: _cells(verdict) for verdict in cells},
            }
            for name, cells in rows
        ],
    }


def dump(value: dict[str, Any], stream: TextIO) -> None:
    """Write one JSON object; pure ASCII, so that nothing in it can steer a terminal."""
    stream.write(ascii_json(value) + "\n")


def _mark(verdict: Verdict) -> str:
    # What a variant does not concern is no other judgement of it.
    judged = {one.severity for number, (_, one) in enumerate(verdict.cells) if one.severity is not None or not number}
    return _LETTERS[verdict.worst.severity] + ("*" if len(judged) > 1 else "")


def _cells(verdict: Verdict) -> list[dict[str, Any]]:
    return [
        {
            "variant": variant or None,
            "severity": one.severity.value,
            "evidence": EVIDENCE[one.evidence],
            "source": one.source,
        }
        for variant, one in verdict.cells
        if one.severity is not None
    ]


# --- lines ---------------------------------------------------------------------------------------


def _labelled(label: str, text: str, indent: int = 8) -> list[str]:
    return _wrapped(text, " " * (indent + 2), f"  {label:<{indent}}")


def _wrapped(text: str, indent: str = "", first: str | None = None) -> list[str]:
    return textwrap.wrap(
        visible(text),
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
