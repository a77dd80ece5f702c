"""Run `condense undo`: put the bytes of an in-place repair back, or list what could be put back."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from condense_cli.cli import options
from condense_cli.cli.options import TextOrJson, size_of
from condense_cli.errors import ExitCode, UsageError
from condense_cli.output.plain import one_line
from condense_cli.storage import files, journal, pruning
from condense_cli.storage.journal_record import JournalRecord


def run(
    repair: str | None,
    last: bool,
    prune: bool,
    max_days: float,
    max_size: str,
    force: bool,
    output_format: TextOrJson,
) -> int:
    """Take one repair back, or list all; return the exit code."""
    if repair is not None and last:
        raise UsageError("ID and --last contradict each other", "name the repair, or take the last one")
    as_json = output_format is TextOrJson.JSON
    if prune:
        if repair is not None or last:
            raise UsageError("--prune goes with neither ID nor --last", "undo first, then prune")
        return _prune(max_days, size_of("--max-size", max_size), as_json=as_json)

    files.finish_interrupted()
    if repair is None and not last:
        return _list(as_json=as_json)
    record = journal.latest() if repair is None else journal.find(repair)
    if record is None:
        options.note(
            "there is no repair to undo"
            if repair is None
            else f"{repair}: no repair has this id; `condense undo` lists them"
        )
        return ExitCode.FOUND
    outcome = files.undo(record, force=force)
    if as_json:
        print(
            json.dumps(
                {
                    "version": 1,
                    "id": record.id,
                    "path": record.path,
                    "already": outcome.already,
                    "kept_bytes": outcome.kept,
                }
            )
        )
    elif outcome.already:
        options.note(f"{record.path}: has the bytes from before repair {record.id} already")
    else:
        kept = f"; {outcome.kept} bytes of lines that were appended since are kept" if outcome.kept else ""
        options.note(f"{record.path}: as before repair {record.id}{kept}")
    return ExitCode.FINE


def _prune(max_days: float, max_bytes: int, *, as_json: bool) -> ExitCode:
    done = pruning.prune(max_days=max_days, max_bytes=max_bytes)
    if as_json:
        print(
            json.dumps(
                {"version": 1, "removed": [one.id for one in done.removed], "bytes": done.bytes, "left": done.left}
            )
        )
        return ExitCode.FINE
    for record in done.removed:
        _print(record)
    options.note(f"{len(done.removed)} repairs removed for good, {done.bytes} bytes; {done.left} can still be undone")
    return ExitCode.FINE


def _list(*, as_json: bool) -> ExitCode:

    found = journal.records()
    if as_json:
        print(json.dumps({"version": 1, "repairs": [_facts(record) for record in found]}, indent=1))
        return ExitCode.FINE
    for record in found:
        _print(record)
    if found:
        options.note("`condense undo ID` puts the bytes back")
    else:
        options.note("no in-place repair is on record")
    return ExitCode.FINE


def _print(record: JournalRecord) -> None:

    when = datetime.fromtimestamp(record.time).astimezone()
    fields = (record.id, f"{when:%Y-%m-%d %H:%M}", f"{record.status:<8}", record.path, ", ".join(record.rules))
    print(one_line("  ".join(fields)).rstrip())


def _facts(record: JournalRecord) -> dict[str, object]:
    when = datetime.fromtimestamp(record.time, UTC)
    return {
        **record._asdict(),
        "time": f"{when:%Y-%m-%dT%H:%M:%S}.{when.microsecond // 1000:03d}Z",
        "mode": f"{record.mode:04o}",
    }
