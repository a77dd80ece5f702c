"""condense query: the outputs that references name, pruned or not."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from condense_cli.cli import options
from condense_cli.cli.options import TextOrJson
from condense_cli.errors import ExitCode, UnreadableError, UsageError

if TYPE_CHECKING:
    from condense_cli.recall.output import Answer
    from condense_cli.session.opened import Session


def query(
    refs: Annotated[list[str], typer.Argument(metavar="REF...", help="t5, bash_23, bash_23@1786500002150, bash_23#2, or L120 for a line.")],
    *,
    session: Annotated[str | None, typer.Option("--session", metavar="SESSION", help="Default: $CONDENSE_SESSION, else the newest session of this folder.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="The bytes of the output and nothing else.")] = False,
    shape: Annotated[TextOrJson, typer.Option("--output-format", help="How to write them.")] = TextOrJson.TEXT,
    grep: Annotated[str | None, typer.Option("--grep", metavar="REGEX", help="Only the lines that match.")] = None,
    no_truncate: Annotated[bool, typer.Option("--no-truncate", help="Whole outputs, not 2000 lines or 50 KB of each.")] = False,
    index_only: Annotated[bool, typer.Option("--index-only", help="What pi-condense recorded, not the transcript.")] = False,
    outside: Annotated[bool, typer.Option("--allow-outside-blobs", help="Read spilled outputs outside the session's folder too.")] = False,
    leaf: options.Leaf = None,
    format_name: options.Format = "auto",
) -> int:
    """Give back tool outputs by reference. Exit code 1 if one is not found."""
    if raw and shape is TextOrJson.JSON:
        raise UsageError("--raw and --output-format json contradict each other", "leave one of them out")
    pattern = _pattern(grep)
    from condense_cli.recall.find import Finder
    from condense_cli.session.opened import open_session

    with open_session(session or _session(), format_name, leaf) as opened:
        finder = Finder(opened, leaf, index_only=index_only, outside_blobs=outside)
        answers = [finder.answer(ref) for ref in refs]
        if not index_only:
            answers = [answer if answer.outputs else _in_journal(opened, answer) for answer in answers]
        if finder.compressed.problem:
            options.note(f"condense: {finder.compressed.problem}")
        for note in dict.fromkeys(output.note for answer in answers for output in answer.outputs if output.note):
            options.note(f"condense: {note}")
        if raw:
            _write_raw(answers, pattern)
        else:
            _write(answers, shape, pattern, whole=no_truncate)
    return int(ExitCode.FINE if all(answer.outputs for answer in answers) else ExitCode.FOUND)


def _in_journal(opened: Session, answer: Answer) -> Answer:
    """Look into what repairs in place took out of the session."""
    if opened.source.real is None:
        return answer
    from condense_cli.recall.removed import Removed
    from condense_cli.storage import journal

    for entry, data in journal.removed(opened.source.real):
        found = Removed(opened, data, entry.format).find(answer.ref)
        if found:
            note = f"{answer.ref}: no longer in the session; the repair {entry.id} took it out (`condense undo {entry.id}` puts it back)"
            return answer._replace(outputs=tuple(output._replace(note=note, line=0) for output in found))
    return answer


def _pattern(grep: str | None) -> re.Pattern[str] | None:
    try:
        return None if grep is None else re.compile(grep)
    except re.error as problem:
        raise UsageError(f"--grep: {problem}", "it takes a regular expression in Python's syntax") from problem


def _session() -> str:
    from condense_cli.storage.newest import newest

    named = os.environ.get("CONDENSE_SESSION")
    if named:
        options.note(f"condense: session {named} ($CONDENSE_SESSION)")
        return named
    found = newest(os.getcwd(), os.environ)
    if found is None:
        raise UnreadableError("no session of this folder was found", "name one: `condense query --session FILE REF`")
    options.note(f"condense: session {found.path} ({found.client}, the newest of this folder)")
    return found.path


def _write_raw(answers: list[Answer], pattern: re.Pattern[str] | None) -> None:
    from condense_cli.jsonbytes.javascript import replaced_halves
    from condense_cli.recall.output import matching

    outputs = [output for answer in answers for output in answer.outputs]
    if len(outputs) > 1:
        options.note(f"condense: {len(outputs)} outputs, one behind the other; name one with `#1`, `#2`, …")
    for answer in answers:
        if not answer.outputs:
            options.note(f"condense: {answer.ref}: not found")
        for output in answer.outputs:
            lines = matching(output.text, pattern) if pattern else ""
            sys.stdout.buffer.write(replaced_halves(f"{lines}\n" if lines else "") if pattern else output.bytes())
    sys.stdout.buffer.flush()


def _write(answers: list[Answer], shape: TextOrJson, pattern: re.Pattern[str] | None, *, whole: bool) -> None:
    from condense_cli.jsonbytes.javascript import replaced_halves, stringify
    from condense_cli.output.plain import visible
    from condense_cli.recall.output import SEPARATOR, answer_text, as_json

    if shape is TextOrJson.JSON:
        sys.stdout.buffer.write(stringify(as_json(answers, whole=whole, pattern=pattern)) + b"\n")
    else:
        text = SEPARATOR.join(answer_text(answer, whole=whole, pattern=pattern) for answer in answers) + "\n"
        # A pipe gets the text as it is; on a terminal nothing in it may steer.
        sys.stdout.buffer.write(replaced_halves(visible(text) if sys.stdout.isatty() else text))
    sys.stdout.buffer.flush()
