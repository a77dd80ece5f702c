"""Compaction of every format but pi's, into a new file or in place: the outputs go to a file beside it first."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import NamedTuple

from condense_cli.cli import options
from condense_cli.cli.compact.asked import Asked, EffectiveSettings
from condense_cli.cli.compact.fitting import Try, fitting_window
from condense_cli.cli.options import TextOrJson
from condense_cli.document.document import Document
from condense_cli.errors import ExitCode, RefusedError, UsageError
from condense_cli.formats.read import read_document
from condense_cli.model.messages import Record, Result
from condense_cli.model.plan import Segment, apply
from condense_cli.output import rewritten
from condense_cli.output.shell import command, path_word
from condense_cli.pi_condense.compact.chains import Standing
from condense_cli.pi_condense.compact.reread import prove
from condense_cli.pi_condense.compact.rewrite import Rewriting, Said, Terms, rewrite
from condense_cli.pi_condense.prune.protect import protection
from condense_cli.recall import sidecar
from condense_cli.recall.compressed import Compressed
from condense_cli.recall.sidecar import ResultTexts, Sidecar
from condense_cli.session.opened import Session
from condense_cli.storage.files import guard, replace_in_place
from condense_cli.storage.journal_record import Repair
from condense_cli.storage.new_file import write_new, write_stream
from condense_cli.storage.source import Source, open_source

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class _Work(NamedTuple):
    """One compaction, with what its files are made of."""

    session: Session
    rewriting: Rewriting
    document: Document
    result_texts: ResultTexts
    before: Sidecar | None  # of the session itself: what was compressed before
    now: int

    def head(self) -> bytes:
        """Return the new sidecar's first line: that of the old one where nothing leaves now."""
        return (
            self.before.head()
            if self.before is not None and not self.rewriting.compressed
            else sidecar.head_line(self.now)
        )

    def body(self) -> Iterator[bytes]:
        """Yield the lines after it: those of the old one, then what leaves now."""
        source = self.session.source

        def raw(record: Record) -> bytes:
            return source.read(record.start, record.end)

        if self.before is not None and self.before.entries:
            yield from self.before.body()
        yield from sidecar.lines(self.rewriting, self.result_texts.output, raw)


def compact_into(session: Session, asked: Asked, choice: EffectiveSettings) -> int:
    """Compact a session into a new file or in place; else show what that would do.

    Raises UsageError and RefusedError.
    """
    _must_be_possible(session, asked)
    if asked.target is not None:

        def tried(window: int) -> Try:
            made = _made(session, asked, choice._replace(window=window), notes=False)
            return Try(sum(row.standing is Standing.ELIGIBLE for row in made.rewriting.rows), made.document.segments())

        choice = choice._replace(window=fitting_window(session, asked.target, tried, choice.settings))
    made = _made(session, asked, choice)
    changes = bool(made.rewriting.compressed)
    replaces = asked.in_place and changes
    if replaces:
        guard(session.source, force=asked.force)
    if asked.report is TextOrJson.TEXT:
        _show(made.rewriting, asked)
    sys.stdout.flush()  # before anything is written: a full disk must not hide what was done
    beside = _write(made, asked) if asked.output is not None else _replace(made, asked) if replaces else None
    written = asked.output is not None or replaces
    if asked.report is TextOrJson.JSON:
        outcome = rewritten.Outcome(session.path, session.format.name, written, beside)
        write_stream((rewritten.document(made.rewriting, outcome),), asked.stream)
    if written or not changes:
        return int(ExitCode.FINE)
    if not made.rewriting.gains:
        options.note(f"{session.path}: nothing was written; a compaction would save nothing")
        return int(ExitCode.FINE)
    if asked.report is TextOrJson.TEXT:
        _next(session, asked)
    return int(ExitCode.FOUND)


def _must_be_possible(session: Session, asked: Asked) -> None:
    stream = asked.output is not None and _is_stream(asked.output)
    if stream and asked.sidecar is None:
        raise UsageError(
            f"beside -o {asked.output} there is no place for the outputs that leave the session",
            "name a file for them: --sidecar FILE",
        )
    if asked.sidecar is not None and not stream:
        raise UsageError(
            "--sidecar has no meaning without -o -", f"the outputs go to FILE{sidecar.SUFFIX} beside the new session"
        )
    real = session.source.real
    targets = [os.path.realpath(path) for path in (asked.output, asked.sidecar) if path is not None and path != "-"]
    if real is not None and (sidecar.path_of(real) in targets or (asked.sidecar is not None and real in targets)):
        raise UsageError(f"{targets[-1]}: is the input itself, or belongs to it", "name another file")
    if session.document.fixed:
        raise RefusedError(
            f"{session.path}: its client keeps offsets into paginated rollouts, so no line of it may go",
            "nothing was written; Codex compacts such a session itself (`/compact`)",
        )
    refusal = session.document.refusal()
    if refusal is not None:
        raise RefusedError(f"{session.path}: {refusal[0]}", refusal[1])
    said = session.document.notice()
    if said:
        options.note(f"{session.path}: {said}")


def _is_stream(path: str) -> bool:
    """Say whether an output is standard output or a device: nothing can lie beside it."""
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path))


def _made(session: Session, asked: Asked, choice: EffectiveSettings, *, notes: bool = True) -> _Work:

    compressed = Compressed(session)
    if compressed.problem and notes:
        options.note(f"condense: {compressed.problem}")
    views = list(session.format.views(session.document, None, every=False))
    arrays = session.format.conversations
    result_texts = ResultTexts(session, [view.path for view in views] if arrays else [session.branch()])

    def said(result: Result) -> Said:
        output = result_texts.output(result)
        return Said(output.tool, output.arguments, output.time)

    before = compressed.sidecar
    taken = before.highest if before is not None else 0
    rewriting, document = rewrite(
        session.document, views, Terms(choice.window, protection(choice.settings), asked.only_gain, taken), said
    )
    lost = {ref for mark in rewriting.marks for ref in mark.refs} - (
        {entry.ref for entry in before.entries} if before is not None else set()
    )
    if lost and notes:
        options.note(
            f"{session.path}: {len(lost)} outputs that were compressed before are not in {sidecar.path_of(session.path)}; the new session cannot give them back either"  # noqa: E501 - a sentence is one text
        )
    now = int(time.time() * 1000) if asked.now is None else asked.now
    return _Work(session, rewriting, document, result_texts, before, now)


def _show(rewriting: Rewriting, asked: Asked) -> None:
    if not options.quiet():
        rewritten.write_rows(rewriting, asked.stream, color=options.coloured(asked.stream))


def _next(session: Session, asked: Asked) -> None:

    if session.source.real is None or session.source.packing is not None:
        path = "-" if session.source.real is None else path_word(session.path)
        options.note(
            f"nothing was written; to write it: {command('condense', 'compact', *asked.words, path, '-o', 'FILE')}"
        )
    else:
        options.note(
            f"nothing was written; to apply it: {command('condense', 'compact', *asked.words, '-i', path_word(session.path))}"  # noqa: E501 - a sentence is one text
        )


# ---------------------------------------------------------------------- writing
def _write(made: _Work, asked: Asked) -> str | None:
    """Write both files, the outputs first; return the name of the one that holds them, or None where there are none."""
    output = asked.output
    assert output is not None
    session = made.session
    segments = made.document.segments()
    if made.rewriting.compressed:
        _prove(made, segments)
    # Beside the file that is written, not beside a link to it.
    beside = asked.sidecar if asked.sidecar is not None else sidecar.path_of(os.path.realpath(output))
    needed = bool(made.rewriting.compressed or (made.before is not None and made.before.entries))

    def pieces() -> Iterator[bytes]:
        # What the session names is on the disk before the session is.
        if needed:
            _keep(made, beside)
        yield from apply(segments, session.source)

    write_new(output, pieces(), source=session.source)
    _say_name(session, output)
    return beside if needed else None


def _replace(made: _Work, asked: Asked) -> str:
    """Put the new session in the place of the old one, after the outputs that leave it; return the name of their
    file.
    """
    source = made.session.source
    assert source.real is not None
    segments = made.document.segments()
    beside = sidecar.path_of(source.real)

    def prepare(path: str) -> None:
        # Here the session is known to be at rest, and not replaced yet.
        with open_source(path) as new:
            _prove_read(made, new)
        _keep(made, beside)

    options.before_replacing(source, force=asked.force)
    replace_in_place(
        source,
        segments,
        prepare,
        repair=Repair(made.session.format.name, "condense compact -i", ()),
        sha256=source.sha256(),
        force=asked.force,
        backup=asked.backup,
        report=lambda done: options.note_replaced(made.session.path, done, "compacted"),
    )
    return beside


def _keep(made: _Work, path: str) -> None:
    """Write the sidecar, unless one is there that holds the same and more; never lose an output of another one."""
    if os.path.lexists(path):
        if not os.path.isfile(path) or os.path.islink(path):
            raise RefusedError(
                f"{path}: is no regular file", "nothing was written; move it away, or name another output"
            )
        there = sidecar.read(path)
        if there is None or there.problem:
            raise RefusedError(
                f"{path}: is there and cannot be read", "nothing was written; move it away, or name another output"
            )
        for old, new in zip_longest(there.body(), made.body()):
            if new is None:
                return
            if old is None:
                break
            if old != new:
                raise RefusedError(
                    f"{path}: holds the outputs of another compaction",
                    "nothing was written; name another output, or remove it if its session is gone",
                )
    write_new(path, chain([made.head()], made.body()), source=made.session.source)


def _prove(made: _Work, segments: tuple[Segment, ...]) -> None:
    """Read the new session back from an unnamed file. Raises RefusedError."""

    session = made.session
    with tempfile.TemporaryFile(prefix="condense-", buffering=0) as spool:
        for piece in apply(segments, session.source):
            left = memoryview(piece)
            while left:
                left = left[spool.write(left) :]
        with Source(session.path, spool) as new:
            _prove_read(made, new)


def _prove_read(made: _Work, new: Source) -> None:
    """Raise RefusedError unless the new session says what the old one says, but for what left it."""
    session = made.session
    name = session.format.name
    prove(read_document(session.path, session.source, name), read_document(session.path, new, name), made.rewriting)


def _say_name(session: Session, output: str) -> None:
    """Claude Code finds a session by its file's name, which is the id that its records have."""
    stem = os.path.basename(output).removesuffix(".jsonl")
    own = session.format.session_ids(session.document) if _UUID.fullmatch(stem) else frozenset()
    if own and stem not in own:
        options.note(
            f"{output}: its records keep their session id ({', '.join(sorted(own))}); Claude Code resumes a session under the name that is its id"  # noqa: E501 - a sentence is one text
        )
