"""Run `condense explain`: a rule, or an error and where in a session it comes from."""

from __future__ import annotations

import os
import sys

from condense_cli.check import diagnosis as known
from condense_cli.check import positions as place
from condense_cli.check.engine import check
from condense_cli.check.positions import named_indexes
from condense_cli.cli import options
from condense_cli.cli.options import TextOrJson
from condense_cli.cli.sessions import session_of
from condense_cli.errors import ExitCode, UsageError
from condense_cli.output import explain as writer
from condense_cli.output import positions as shown
from condense_cli.output.plain import one_line
from condense_cli.output.positions import write_compact
from condense_cli.output.sentence import shortened
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.refusals import Match, recognise
from condense_cli.session import named
from condense_cli.session.opened import open_session
from condense_cli.session.stored_error import last_error
from condense_cli.storage.clients.newest import newest

_LONGEST = 400  # characters of a stored error that are shown


def run(
    what: list[str] | None,
    session: str | None,
    contracts: bool,
    output_format: TextOrJson,
    format_name: str,
    leaf: str | None,
) -> int:
    """Explain what was asked for, and return the exit code."""
    as_json = output_format is TextOrJson.JSON
    if contracts:
        if what or session:
            raise UsageError(
                "--contracts takes nothing else", "`condense explain RULE` shows one rule with its evidence"
            )
        return _table(as_json=as_json)
    text = _text(what, session)

    if name := known.rule_name(text):
        return _rule(name, session, as_json=as_json)

    if session is not None or (not what and not sys.stdin.isatty()):
        session = session_of(session)
    matches = known.by_code(text) or recognise(text)
    if session is not None and (matches or named_indexes(text)):
        return _in_session(text, matches, session, format_name, leaf, as_json=as_json)
    if not matches:
        return _unknown(text, as_json=as_json)
    return _matches(matches, as_json=as_json)


def _text(what: list[str] | None, session: str | None) -> str:
    if not what:
        return _asked_for() if session is None and sys.stdin.isatty() else _stored(session)
    if what != ["-"]:
        return " ".join(what)
    if session == "-":
        raise UsageError("the error and the session cannot both come from stdin", "give the session's path")
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _asked_for() -> str:
    print("Paste the error, then Ctrl-D", file=sys.stderr)
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _stored(session: str | None) -> str:
    """Return the error that the client stored last in a session. Raises UsageError where there is none."""
    path = session_of(session)
    with open_session(path) as opened:
        found = last_error(opened.document)
    if found is None:
        raise UsageError(f"{path}: its client stored no error", 'paste the error: condense explain "ERROR TEXT"')
    options.note(f"condense: the error on line {found.line}: {shortened(found.text, _LONGEST)}")
    return found.text


def _table(*, as_json: bool) -> int:

    if as_json:
        writer.dump(writer.table_object(known.table()), sys.stdout)
    else:
        writer.write_table(known.table(), sys.stdout, color=options.coloured(sys.stdout))
    return int(ExitCode.FINE)


def _rule(name: str, session: str | None, *, as_json: bool) -> int:

    if session is not None:
        raise UsageError(
            "--session goes with an error text", f"`condense check --select {name} SESSION` looks for one rule"
        )
    found, example = known.sheet(name), RULES[name].example
    if as_json:
        writer.dump(writer.sheet_object(found, example), sys.stdout)
    else:
        writer.write_sheet(found, example, sys.stdout, color=options.coloured(sys.stdout))
    return int(ExitCode.FINE)


def _unknown(text: str, *, as_json: bool) -> int:

    if as_json:
        writer.dump(writer.matches_object(()), sys.stdout)
    near = known.near_rule(text.strip())
    if near:
        print(f"condense: there is no rule {one_line(text.strip())!r}; did you mean {near}?", file=sys.stderr)
    else:
        print("condense: this is none of the known errors of broken sessions", file=sys.stderr)
        if named := named_indexes(text):
            print(f"  with --session SESSION it is told on which line {named[0]} is", file=sys.stderr)
        print("  `condense check --contract all SESSION` looks for whatever is wrong with the session", file=sys.stderr)
    return int(ExitCode.FOUND)


def _matches(matches: tuple[Match, ...], *, as_json: bool) -> int:

    color = options.coloured(sys.stdout)
    if as_json:
        writer.dump(writer.matches_object(matches), sys.stdout)
        return int(ExitCode.FINE)
    writer.write_matches(matches, sys.stdout, color=color)
    session = named.LAST if newest(os.getcwd(), os.environ) is not None else "SESSION"
    writer.write_next(matches, known.provider_of(matches[0]), session, sys.stdout, color=color)
    if any(match.remedy for match in matches):
        write_compact(session, sys.stdout, color=color)
    return int(ExitCode.FINE)


def _in_session(
    text: str, matches: tuple[Match, ...], session: str, format_name: str, leaf: str | None, *, as_json: bool
) -> int:
    """Show where in a session the matches and the indexes of a text are. Exit 1 if nothing of them is there."""
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
