"""Repaired rows as files: each part is written by the worker that judged it, and put together at the end.

A part that is done leaves its outcome beside its rows, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import orjson

from condense_cli.dataset.flaw import Flaw
from condense_cli.dataset.task import Found, Outcome, Work, run
from condense_cli.storage.rows import Part
from condense_cli.storage.rows_out import join_parts, write_part

PARTS = ".condense-scan"
"""Folder inside the output folder that holds the parts until the end."""


class Saved(NamedTuple):
    """Where one part of the output is, and what made it: another input or another work makes it anew."""

    rows: str
    outcome: str


def run_saved(part: Part, work: Work, folder: str) -> Outcome:
    """Judge a part and write its rows below the folder, or take the outcome of an earlier run.

    Outcome.written is empty.
    """
    saved = _saved(part, work, folder)
    done = _read(saved)
    if done is not None:
        return done
    outcome = run(part, work)
    write_part(saved.rows, part, outcome.written)
    outcome = outcome._replace(written=())
    _write(saved, outcome)
    return outcome


def assemble(parts: Sequence[Part], work: Work, folder: str) -> Iterator[str]:
    """Put the parts of each file together under the file's name and yield the paths; the parts are removed at the
    end.
    """
    names = output_names(list(dict.fromkeys(part.path for part in parts)))
    for path, name in names.items():
        mine = [part for part in parts if part.path == path]
        target = os.path.join(folder, name)
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        join_parts(target, mine, [_saved(part, work, folder).rows for part in mine])
        yield target
    shutil.rmtree(os.path.join(folder, PARTS), ignore_errors=True)


def output_names(paths: Sequence[str]) -> dict[str, str]:
    """Return path -> its name below the output folder: what follows the folder that all paths share."""
    shared = os.path.commonpath([os.path.dirname(os.path.abspath(p)) for p in paths]) if paths else ""
    return {path: os.path.relpath(os.path.abspath(path), shared) for path in paths}


def _saved(part: Part, work: Work, folder: str) -> Saved:
    facts = os.stat(part.path) if os.path.exists(part.path) else None
    stamp = (facts.st_size, facts.st_mtime_ns) if facts else ()
    key = hashlib.sha256(repr((tuple(part), tuple(work), stamp)).encode()).hexdigest()[:32]
    base = os.path.join(folder, PARTS, key)
    return Saved(f"{base}.rows", f"{base}.json")


def _read(saved: Saved) -> Outcome | None:
    try:
        with open(saved.outcome, "rb") as handle:
            value: dict[str, Any] = orjson.loads(handle.read())
        found = tuple(Found(row, ident, Flaw(*flaw)) for row, ident, flaw in value["found"])
        return Outcome(value["rows"], value["broken"], value["unreadable"], value["rules"], found, ())
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(saved: Saved, outcome: Outcome) -> None:
    temporary = f"{saved.outcome}.{os.getpid()}"
    with open(temporary, "wb") as handle:
        handle.write(
            orjson.dumps(
                {**outcome._asdict(), "found": [[f.row, f.id, list(f.flaw)] for f in outcome.found], "written": []}
            )
        )
    os.replace(temporary, saved.outcome)
