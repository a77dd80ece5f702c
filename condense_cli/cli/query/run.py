"""Run `condense query`: the outputs that references name, pruned or not."""

from __future__ import annotations

import os
import sys

from condense_cli.cli import options
from condense_cli.cli.options import TextOrJson
from condense_cli.cli.query.words import parted
from condense_cli.cli.query.write import write_list
from condense_cli.cli.sessions import session_of
from condense_cli.errors import ExitCode, UsageError
from condense_cli.jsonbytes.javascript import replaced_halves, stringify
from condense_cli.output.plain import visible
from condense_cli.recall.find import Finder
from condense_cli.recall.grep import LinePattern
from condense_cli.recall.lines import LINE, on_line
from condense_cli.recall.listing import listed, matching_refs, near
from condense_cli.recall.output import SEPARATOR, Answer, Output, answer_text, as_json, matching, pictures
from condense_cli.recall.removed import Removed
from condense_cli.rules.content.media import media_removed
from condense_cli.session.opened import Session, open_session
from condense_cli.storage import journal
from condense_cli.storage.journal_record import Status
from condense_cli.storage.new_file import write_new


def run(
    refs: list[str] | None,
    *,
    session: str | None,
    raw: bool,
    output_format: TextOrJson,
    grep: str | None,
    no_truncate: bool,
    index_only: bool,
    outside: bool,
    images: str | None,
    leaf: str | None,
    format_name: str,
) -> int:
    """Give back the outputs; return 1 if one is not found."""
    if raw and output_format is TextOrJson.JSON:
        raise UsageError("--raw and --output-format json contradict each other", "leave one of them out")
    refs, session = parted(refs, session)
    if images is not None and not refs:
        raise UsageError("--images writes the pictures of outputs", "name an output: `condense query REF --images DIR`")
    pattern = _pattern(grep)

    with open_session(session_of(session) if session else _session(), format_name, leaf) as opened:
        finder = Finder(opened, leaf, index_only=index_only, outside_blobs=outside)
        if not refs:
            return write_list(listed(finder), pattern, as_json=output_format is TextOrJson.JSON)
        answers = _answers(finder, refs)
        if not index_only:
            answers = [_with_removed(opened, answer) for answer in answers]
        _note_near(finder, answers)
        if finder.compressed.problem:
            options.note(f"condense: {finder.compressed.problem}")
        for note in dict.fromkeys(output.note for answer in answers for output in answer.outputs if output.note):
            options.note(f"condense: {note}")
        if images is not None:
            _write_pictures(answers, images)
        if raw:
            _write_raw(answers, pattern)
        else:
            _write(answers, output_format, pattern, whole=no_truncate)
    return int(ExitCode.FINE if all(answer.outputs for answer in answers) else ExitCode.FOUND)


def _answers(finder: Finder, refs: list[str]) -> list[Answer]:
    """Answer every reference; one that names nothing may be a glob, or the start of references."""
    found: list[Answer] = []
    for ref in refs:
        answer = finder.answer(ref)
        # The index alone answers as pi-condense does: a reference is exact.
        more = [] if answer.outputs or finder.index_only else matching_refs(ref, [one.ref for one in listed(finder)])
        found += [finder.answer(one) for one in more] if more else [answer]
    return found


def _note_near(finder: Finder, answers: list[Answer]) -> None:
    missing = [answer.ref for answer in answers if not answer.outputs]
    refs = [one.ref for one in listed(finder)] if missing else []
    for ref in missing:
        if LINE.fullmatch(ref) and on_line(finder.session, int(ref[1:])):
            options.note(f"condense: {ref}: the message on this line has neither a call nor an output")
        elif close := near(ref, refs):
            options.note(f"condense: {ref}: not found; near it: {', '.join(close)}")


def _with_removed(opened: Session, answer: Answer) -> Answer:
    """Look into what repairs took out, where the session has nothing of it, or a note where an image or document
    was.
    """
    if not answer.outputs:
        return answer._replace(outputs=_in_journal(opened, answer.ref, "no longer in the session"))
    if not any(media_removed(output.text) for output in answer.outputs):
        return answer
    return answer._replace(
        outputs=(
            *answer.outputs,
            *_in_journal(opened, answer.ref, "an image or document of it is no longer in the session"),
        )
    )


def _in_journal(opened: Session, ref: str, why: str) -> tuple[Output, ...]:
    """Return the outputs of a reference that the newest repair took out of the session, in place or on the way into
    this file.
    """
    if opened.source.real is None:
        return ()
    for entry, data in journal.removed(opened.source.real):
        found = Removed(opened, data, entry.format).find(ref)
        if found:
            back = (
                "the session it was made of still has it"
                if entry.status is Status.COPIED
                else f"`condense undo {entry.id}` puts it back"
            )
            note = f"{ref}: {why}; the repair {entry.id} took it out ({back})"
            return tuple(output._replace(note=note, line=0) for output in found)
    return ()


def _pattern(grep: str | None) -> LinePattern | None:
    return None if grep is None else LinePattern(grep)


def _session() -> str:

    named = os.environ.get("CONDENSE_SESSION")
    if named:
        options.note(f"condense: session {named} ($CONDENSE_SESSION)")
        return session_of(named)
    return session_of(None)


def _write_pictures(answers: list[Answer], folder: str) -> None:
    """Write every picture of the outputs once, under a name made of its digest.

    Raises UsageError for what is no folder.
    """
    found = {one.file_name: one for answer in answers for output in answer.outputs for one in pictures(output)}
    if found:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as problem:
            raise UsageError(f"{folder}: {problem.strerror or problem}", "name a folder for the pictures") from problem
    for name, picture in found.items():
        write_new(os.path.join(folder, name), (picture.data,))
    word = "picture" if len(found) == 1 else "pictures"
    options.note(
        f"condense: {len(found)} {word} written to {folder}" if found else "condense: no picture is in what was found"
    )


def _write_raw(answers: list[Answer], pattern: LinePattern | None) -> None:

    outputs = [output for answer in answers for output in answer.outputs]
    if len(outputs) > 1:
        options.note(f"condense: {len(outputs)} outputs, one after the other; name one with `#1`, `#2`, …")
    for answer in answers:
        if not answer.outputs:
            options.note(f"condense: {answer.ref}: not found")
        for output in answer.outputs:
            lines = matching(output.text, pattern) if pattern else ""
            sys.stdout.buffer.write(replaced_halves(f"{lines}\n" if lines else "") if pattern else output.bytes())
    sys.stdout.buffer.flush()


def _write(answers: list[Answer], shape: TextOrJson, pattern: LinePattern | None, *, whole: bool) -> None:

    if shape is TextOrJson.JSON:
        sys.stdout.buffer.write(stringify(as_json(answers, whole=whole, pattern=pattern)) + b"\n")
    else:
        text = SEPARATOR.join(answer_text(answer, whole=whole, pattern=pattern) for answer in answers) + "\n"
        # A pipe gets the text as it is; on a terminal nothing in it may steer.
        sys.stdout.buffer.write(replaced_halves(visible(text) if sys.stdout.isatty() else text))
    sys.stdout.buffer.flush()
