"""Run `condense compact`: pi-condense's compaction of closed chains, without a model."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from condense_cli.cli import options
from condense_cli.cli.compact.asked import Asked, EffectiveSettings
from condense_cli.cli.compact.blob_files import blobs_first, prove, write_blobs
from condense_cli.cli.compact.fitting import Try, fitting_window
from condense_cli.cli.compact.new_file import compact_into
from condense_cli.cli.options import TextOrJson
from condense_cli.cli.sessions import session_of
from condense_cli.document.views import Compacts
from condense_cli.errors import ExitCode, RefusedError, UsageError
from condense_cli.formats import FORMATS
from condense_cli.jsonbytes import jsonread
from condense_cli.jsonbytes.javascript import is_number
from condense_cli.model.plan import apply
from condense_cli.output.compacted import Outcome, document, write_rows
from condense_cli.output.shell import command, path_word
from condense_cli.output.tables import diagnostics_table
from condense_cli.pi_condense.compact.blobs import BlobFolder
from condense_cli.pi_condense.compact.branch import MessageWatch, Reading, read
from condense_cli.pi_condense.compact.chains import Standing
from condense_cli.pi_condense.compact.compaction import Compaction, capture
from condense_cli.pi_condense.compact.compaction import compact as compaction_of
from condense_cli.pi_condense.compact.run import AppendPoint, Terms
from condense_cli.pi_condense.prune.protect import protection
from condense_cli.pi_condense.prune.settings import read_settings
from condense_cli.recall.find import session_id
from condense_cli.session.opened import Session, open_session
from condense_cli.storage.files import replace_in_place
from condense_cli.storage.journal_record import Repair
from condense_cli.storage.new_file import write_new, write_stream

DEFAULT_WINDOW = 3
_LATEST = 8_640_000_000_000_000


def run(
    session: str | None,
    output: str | None,
    in_place: bool,
    dry_run: bool,
    window: int | None,
    target_tokens: int | None,
    settings: str | None,
    now: int | None,
    only_gain: bool,
    force: bool,
    no_backup: bool,
    output_format: TextOrJson,
    with_text: bool,
    sidecar: str | None,
    format_name: str,
) -> int:
    """Compact one session, or say what that would change; return the exit code."""
    if output is not None and in_place:
        raise UsageError("-o and -i exclude each other", "-o writes a new file, -i replaces the session")
    if dry_run:
        output, in_place = None, False
    if target_tokens is not None and window is not None:
        raise UsageError(
            "--target-tokens and --window exclude each other", "--target-tokens finds out how many chains can stay"
        )
    asked = Asked(
        output,
        in_place,
        window,
        settings,
        now,
        only_gain,
        force,
        not no_backup,
        output_format,
        format_name,
        sidecar,
        with_text,
        target_tokens,
    )

    choice = _choice(asked)
    watch = MessageWatch(protection(choice.settings))
    path = session_of(session, writes=output is not None or in_place)
    with open_session(path, asked.format, watch=watch) as opened:
        if opened.format.compaction is not Compacts.APPEND:
            return _compact_into(opened, asked, choice)
        if sidecar is not None:
            raise UsageError(
                f"--sidecar has no meaning for {opened.format.name} sessions",
                "their outputs stay in the session, or in its blob folder",
            )
        return _compact(opened, asked, choice, watch)


def _compact_into(session: Session, asked: Asked, choice: EffectiveSettings) -> int:

    if session.format.compaction is not Compacts.REWRITE:
        known = sorted(fmt.name for fmt in FORMATS if fmt.compaction is not Compacts.NONE)
        raise UsageError(f"{session.format.name} sessions cannot be compacted", f"compact knows {', '.join(known)}")
    return compact_into(session, asked, choice)


def _compact(session: Session, asked: Asked, choice: EffectiveSettings, watch: MessageWatch) -> int:

    _must_be_possible(session, asked)
    reading = read(session.branch(), session.loader(), watch.protected, () if session.migrates else watch.seen)
    if asked.target is not None:

        def tried(window: int) -> Try:
            made = _made(session, reading, choice._replace(window=window), asked)
            rows = sum(row.standing is Standing.ELIGIBLE for row in made.run.rows)
            source = session.source
            return Try(rows, tuple(made.segments(source.size, ended=source.ends_line(source.size))))

        choice = choice._replace(window=fitting_window(session, asked.target, tried, choice.settings))
    compaction = _made(session, reading, choice, asked)
    write = asked.output is not None or (asked.in_place and compaction.changes)
    if asked.report is TextOrJson.TEXT:
        _show(compaction, asked)
    sys.stdout.flush()  # before anything is written: a full disk must not hide what was done
    if asked.output is not None:
        _write(session, compaction, asked.output)
    elif write:
        _replace(session, compaction, asked)
    if asked.report is TextOrJson.JSON:
        _print(session, reading, compaction, choice, asked, written=write)
    if write or not compaction.changes:
        return int(ExitCode.FINE)
    if not compaction.gains:
        options.note(f"{session.path}: nothing was written; a compaction would save nothing")
        return int(ExitCode.FINE)
    if asked.report is TextOrJson.TEXT:
        _next(session, asked)
    return int(ExitCode.FOUND)


def _choice(asked: Asked) -> EffectiveSettings:

    settings = read_settings(asked.settings)
    raw = _raw_settings(asked.settings)
    window = asked.window
    if window is None:
        window = int(min(max(settings.window, 0), 1 << 53)) if is_number(settings.window) else DEFAULT_WINDOW
    dedup = raw.get("dedupByContentHash")
    return EffectiveSettings(settings, window, str(raw.get("batchingMode")), dedup if isinstance(dedup, bool) else True)


def _raw_settings(path: str | None) -> dict[str, Any]:
    if path is None:
        return {}

    with open(path, "rb") as file:
        data = jsonread.loads(file.read())
    own = data.get("contextPrune") if isinstance(data, dict) else None
    return own if isinstance(own, dict) else {}


def _must_be_possible(session: Session, asked: Asked) -> None:
    reason = session.document.refusal() if asked.in_place else None
    if reason:
        raise RefusedError(f"{session.path}: {reason[0]}", reason[1])
    said = session.document.notice()
    if said:
        options.note(f"{session.path}: {said}")


def _made(session: Session, reading: Reading, choice: EffectiveSettings, asked: Asked) -> Compaction:

    now = int(time.time() * 1000) if asked.now is None else asked.now
    leaf = reading.load(reading.leaf).get("id") if reading.leaf is not None else None
    if reading.leaf is not None and not (isinstance(leaf, str) and leaf):
        raise RefusedError(
            f"{session.path}: the last entry has no id that could be a parent",
            "`condense check` says what is wrong; `condense repair` repairs it",
        )
    place = AppendPoint(leaf, [record.id for record in session.records], len(session.records))
    ident = session_id(session.records, session.document.value)
    folder = _folder(session, asked.output)
    try:
        return compaction_of(
            reading,
            Terms(choice.settings, choice.window, now),
            place,
            lambda: BlobFolder(folder, ident),
            only_gain=asked.only_gain,
        )
    except RefusedError as problem:
        raise RefusedError(f"{session.path}: {problem.problem}", problem.advice) from problem


def _folder(session: Session, output: str | None) -> str | None:
    """Return the folder that the compacted session will lie in: blobs are found beside it."""
    if output is not None and output != "-":
        return os.path.dirname(os.path.realpath(output))
    real = session.source.real
    return os.path.dirname(real) if real else None


def _show(compaction: Compaction, asked: Asked) -> None:
    if options.quiet():
        return

    write_rows(compaction, asked.stream, color=options.coloured(asked.stream))
    diagnostics_table(compaction.run.diagnostics, sys.stderr, color=options.coloured(sys.stderr))


def _print(
    session: Session,
    reading: Reading,
    compaction: Compaction,
    choice: EffectiveSettings,
    asked: Asked,
    *,
    written: bool,
) -> None:

    captured = capture(reading, choice.batching, find_duplicates=choice.dedup) if asked.with_text else None
    write_stream(
        document(compaction, captured, Outcome(session.path, session.format.name, written), reading.load), asked.stream
    )


def _next(session: Session, asked: Asked) -> None:

    if session.source.real is None:
        options.note(f"to write it: {command('condense', 'compact', *asked.words, '-', '-o', 'FILE')}")
    else:
        options.note(
            f"nothing was written; to apply it: {command('condense', 'compact', *asked.words, '-i', path_word(session.path))}"  # noqa: E501 - a sentence is one text
        )


def _write(session: Session, compaction: Compaction, output: str) -> None:

    source = session.source
    pieces = apply(compaction.segments(source.size, ended=source.ends_line(source.size)), source)
    write_new(output, blobs_first(compaction.blobs, pieces), source=source)


def _replace(session: Session, compaction: Compaction, asked: Asked) -> None:

    source = session.source
    segments = tuple(compaction.segments(source.size, ended=source.ends_line(source.size)))

    options.before_replacing(source, force=asked.force)

    def prepare(path: str) -> None:
        # Here the session is known to be at rest, and not replaced yet.
        write_blobs(compaction.blobs)
        prove(path, source, segments, compaction.blobs)

    replace_in_place(
        source,
        segments,
        prepare,
        repair=Repair(session.format.name, "condense compact -i", ()),
        sha256=source.sha256(),
        force=asked.force,
        backup=asked.backup,
        report=lambda done: options.note_replaced(session.path, done, "compacted"),
    )
