"""condense explain: what a rule means, or what a pasted error is about and where in a session it comes from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from condense_cli.cli import options
from condense_cli.cli.options import TextOrJson
from condense_cli.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from condense_cli.rules.refusals import Match


What = Annotated[list[str] | None, typer.Argument(metavar='RULE|"ERROR TEXT"|-', help="A rule, or an error as it was shown; - reads it from stdin.", show_default=False)]
SessionPath = Annotated[str | None, typer.Option("--session", metavar="PATH", help="Show where in this session the error comes from.", show_default=False)]
Contracts = Annotated[bool, typer.Option("--contracts", help="The table: which client or provider minds which rule.")]
OutputFormat = Annotated[TextOrJson, typer.Option("--output-format", help="text for people, json for programs.")]


def explain(
    what: What = None,
    session: SessionPath = None,
    contracts: Contracts = False,
    output_format: OutputFormat = TextOrJson.TEXT,
    format_name: options.Format = "auto",
    leaf: options.Leaf = None,
) -> int:
    """Say what a rule means, or recognise the error that a provider answered with."""
    as_json = output_format is TextOrJson.JSON
    if contracts:
        if what or session:
            raise UsageError("--contracts takes nothing else", "`condense explain RULE` shows one rule with its evidence")
        return _table(as_json=as_json)
    text = _text(what, session)
    from condense_cli.check import diagnosis as known

    if name := known.rule_name(text):
        return _rule(name, session, as_json=as_json)
    from condense_cli.check.positions import named_indexes
    from condense_cli.rules.refusals import recognise

    matches = known.by_code(text) or recognise(text)
    if session is not None and (matches or named_indexes(text)):
        return _in_session(text, matches, session, format_name, leaf, as_json=as_json)
    if not matches:
        return _unknown(text, as_json=as_json)
    return _matches(matches, as_json=as_json)


def _text(what: list[str] | None, session: str | None) -> str:
    if not what:
        raise UsageError("nothing to explain", 'name a rule, or paste the error: condense explain "ERROR TEXT"; `--contracts` lists the rules')
    if what != ["-"]:
        return " ".join(what)
    if session == "-":
        raise UsageError("the error and the session cannot both come from stdin", "give the session's path")
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _table(*, as_json: bool) -> int:
    from condense_cli.check.diagnosis import table
    from condense_cli.output import explain as writer

    if as_json:
        writer.dump(writer.table_object(table()), sys.stdout)
    else:
        writer.write_table(table(), sys.stdout, color=options.coloured(sys.stdout))
    return int(ExitCode.FINE)


def _rule(name: str, session: str | None, *, as_json: bool) -> int:
    from condense_cli.check.diagnosis import sheet
    from condense_cli.output import explain as writer
    from condense_cli.rules.examples import EXAMPLES

    if session is not None:
        raise UsageError("--session goes with an error text", f"`condense check --select {name} SESSION` looks for one rule")
    found, example = sheet(name), EXAMPLES[name]
    if as_json:
        writer.dump(writer.sheet_object(found, example), sys.stdout)
    else:
        writer.write_sheet(found, example, sys.stdout, color=options.coloured(sys.stdout))
    return int(ExitCode.FINE)


def _unknown(text: str, *, as_json: bool) -> int:
    from condense_cli.check.diagnosis import near_rule
    from condense_cli.check.positions import named_indexes
    from condense_cli.output import explain as writer
    from condense_cli.output.plain import one_line

    if as_json:
        writer.dump(writer.matches_object(()), sys.stdout)
    near = near_rule(text.strip())
    if near:
        print(f"condense: there is no rule {one_line(text.strip())!r}; did you mean {near}?", file=sys.stderr)
    else:
        print("condense: this is none of the known errors of broken sessions", file=sys.stderr)
        if named := named_indexes(text):
            print(f"  with --session SESSION it is told on which line {named[0]} is", file=sys.stderr)
        print("  `condense check --contract all SESSION` looks for whatever is wrong with the session", file=sys.stderr)
    return int(ExitCode.FOUND)


def _matches(matches: tuple[Match, ...], *, as_json: bool) -> int:
    from condense_cli.check import diagnosis as known
    from condense_cli.output import explain as writer
    from condense_cli.output.positions import write_compact

    color = options.coloured(sys.stdout)
    if as_json:
        writer.dump(writer.matches_object(matches), sys.stdout)
        return int(ExitCode.FINE)
    writer.write_matches(matches, sys.stdout, color=color)
    writer.write_next(matches, known.provider_of(matches[0]), "SESSION", sys.stdout, color=color)
    if any(match.remedy for match in matches):
        write_compact("SESSION", sys.stdout, color=color)
    return int(ExitCode.FINE)


def _in_session(
    text: str, matches: tuple[Match, ...], session: str, format_name: str, leaf: str | None, *, as_json: bool
) -> int:
    """Show where in a session the matches and the indexes of a text are. Exit 1 if nothing of them is there."""
    from condense_cli.check import diagnosis as known
    from condense_cli.check import positions as place
    from condense_cli.check.engine import check
    from condense_cli.output import explain as writer
    from condense_cli.output import positions as shown
    from condense_cli.session.opened import open_session

    color = options.coloured(sys.stdout)
    with open_session(session, format_name) as opened:
        view = opened.view(leaf)
        positions = place.positions(text, opened.document, view)
        heavy = any(match.remedy == "heaviest" for match in matches)
        weights = place.heaviest(opened.document, view) if heavy else ()
        mentions = known.mentions(matches, opened.document)
        contracts = known.contracts_to_check(matches, opened.format.contract)
        report = check(opened.document, contracts, leaf=leaf)
        places = known.places(matches, report)
        path = opened.path
    if as_json:
        found = writer.matches_object(matches, path, places, mentions)
        writer.dump(found | shown.positions_object(positions, weights), sys.stdout)
    else:
        writer.write_matches(matches, sys.stdout, color=color)
        if matches:
            print()
        shown.write_positions(positions, path, sys.stdout, color=color)
        if places or any(match.rules for match in matches):
            others = known.others(matches, report)
            writer.write_places(places, mentions, path, sys.stdout, others=others, color=color)
        shown.write_weights(weights, sys.stdout, color=color)
        if places:
            writer.write_next(matches, contracts[0], session, sys.stdout, color=color)
        if any(match.remedy for match in matches):
            shown.write_compact(session, sys.stdout, color=color)
    sound = not any(match.rules for match in matches)
    helped = places or any(match.remedy for match in matches) or (sound and any(one.lines for one in positions))
    return int(ExitCode.FINE if helped else ExitCode.FOUND)
