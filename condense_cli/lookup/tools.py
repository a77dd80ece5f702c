"""What the tools answer, as text. What comes out of a session is data: it is given back as it was recorded."""

from __future__ import annotations

from typing import NamedTuple

from condense_cli.check.engine import check
from condense_cli.errors import UsageError
from condense_cli.lookup.scope import Scope
from condense_cli.output.json import ascii_json, file
from condense_cli.recall.find import Finder
from condense_cli.recall.listing import listed, near
from condense_cli.recall.output import SEPARATOR, answer_text

MOST_REFS = 50
MOST_CHARS = 400_000
MOST_ROWS = 1000
_MOST_REF = 1000


class ToolAnswer(NamedTuple):
    """The text of an answer, and whether everything that was asked for is in it."""

    text: str
    found: bool = True


def query(scope: Scope, refs: list[str], session: str | None) -> ToolAnswer:
    """Return outputs by reference, each under a heading. Raises UsageError for too many, and what Scope.open raises."""
    if not refs or len(refs) > MOST_REFS or any(len(ref) > _MOST_REF for ref in refs):
        raise UsageError(
            f"between 1 and {MOST_REFS} references, of at most {_MOST_REF} characters", "`list_outputs` lists them"
        )
    with scope.open(session) as opened:
        finder = Finder(opened)
        answers = [finder.answer(ref) for ref in dict.fromkeys(refs)]
        texts = [answer_text(answer) for answer in answers]
        missing = [answer.ref for answer in answers if not answer.outputs]
        known = [one.ref for one in listed(finder)] if missing else []
    close = dict.fromkeys(ref for one in missing for ref in near(one, known))
    if close:
        texts.append(f"Near to what was not found: {', '.join(close)}")
    return ToolAnswer(_within(SEPARATOR.join(texts), "ask for fewer references at once"), not missing)


def list_outputs(scope: Scope, session: str | None) -> ToolAnswer:
    """Return a line for each output: reference, line in the file, tool, characters, where it is kept; tabs between
    them.
    """
    with scope.open(session) as opened:
        found = listed(Finder(opened))
        rows = [
            (one.ref, str(one.output.line), str(one.output.tool), str(len(one.output.text)), one.where)
            for one in found[:MOST_ROWS]
        ]
    lines = ["\t".join(_plain(cell) for cell in row) for row in [("ref", "line", "tool", "chars", "where"), *rows]]
    if len(found) > MOST_ROWS:
        lines.append(f"({len(found) - MOST_ROWS} more; a reference that is not in this list can be asked for as well)")
    return ToolAnswer(_within("\n".join(lines), "ask for references by name"))


def check_session(scope: Scope, session: str | None) -> ToolAnswer:
    """Return what is wrong with a session, as `condense check --json` has it, at most 1000 findings."""
    with scope.open(session) as opened:
        report = check(opened.document, [opened.format.contract])
    return ToolAnswer(ascii_json(file(report._replace(findings=report.findings[:MOST_ROWS]))))


def _within(text: str, advice: str) -> str:
    return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]}\n\n[cut after {MOST_CHARS} characters: {advice}]"


def _plain(cell: str) -> str:
    return " ".join(cell.split())[:_MOST_REF]
