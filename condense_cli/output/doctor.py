"""What `condense doctor` found: sessions with problems, those of this folder first, then each store in numbers."""

from __future__ import annotations

import os
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from condense_cli.model.findings import Severity
from condense_cli.output.json import ascii_json, file
from condense_cli.output.lines import line_writer
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import counted, problem
from condense_cli.output.shell import command, path_word
from condense_cli.output.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from condense_cli.model.findings import Report
    from condense_cli.output.lines import Say
    from condense_cli.storage.clients.client import Unread
    from condense_cli.storage.clients.indexes import Lost
    from condense_cli.storage.clients.table import Store

_MOST_RULES = 3
_MOST_LOST = 20
_MOST_MOVED = 5
_UNITS = (("year", 365 * 86400), ("month", 30 * 86400), ("day", 86400), ("hour", 3600), ("minute", 60))
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


class Patient(NamedTuple):
    """One session: its client, when it was written (seconds), and what was found in it."""

    client: str
    modified: float
    report: Report
    title: str = ""  # the first words of its user; not for programs
    folder: str = ""  # the working folder that it names
    here: bool = False  # that is the current one

    @property
    def worst(self) -> Severity | None:
        """Return the worst severity; a file that cannot be read counts as an error."""
        if self.report.error is not None:
            return Severity.ERROR
        found = [f.severity for f in self.report.findings if f.severity is not None]
        return max(found, key=lambda severity: severity.rank) if found else None

    @property
    def rank(self) -> int:
        """Return the rank of the worst severity, 0 for none."""
        return self.worst.rank if self.worst is not None else 0


class Practice(NamedTuple):
    """Everything: the stores, what is not read, and all sessions."""

    stores: Sequence[Store]
    unread: Sequence[Unread]
    patients: Sequence[Patient]
    least: int  # rank from which on a session has a problem
    lost: Sequence[Lost] = ()
    moved: Sequence[str] = ()  # working folders of sessions that do not exist

    def ill(self) -> list[Patient]:
        """Return the sessions with problems, those of this folder first, then worst, then newest."""
        return sorted(
            (p for p in self.patients if p.rank >= self.least),
            key=lambda p: (not p.here, -p.rank, -p.modified, p.report.path),
        )

    def numbers(self, store: Store) -> dict[str, int]:
        """Return how many sessions of a store there are, are sound, and have what as their worst."""
        here = set(store.sessions)
        mine = [p for p in self.patients if p.report.path in here]
        worst = Counter(p.worst if p.rank >= self.least else None for p in mine)
        broken = {severity.value: worst[severity] for severity in (Severity.ERROR, Severity.WARNING)}
        return {"sessions": len(mine), "sound": len(mine) - sum(worst[s] for s in Severity), **broken}


# ---------------------------------------------------------------------- text
def write(practice: Practice, stream: TextIO, *, color: bool = False) -> None:
    """Write one line per session with problems, the stores in numbers, and the one command that comes next."""
    say = line_writer(stream, color=color)
    ill = practice.ill()
    for patient in ill:
        say(*_line(patient))
    if ill:
        say(("", ""))
    rows = []
    for store in practice.stores:
        numbers = practice.numbers(store)
        rows.append((store.client, _short(store.folder), *map(str, numbers.values())))
    table(
        ("client", "folder", "sessions", "sound", "errors", "warnings"), rows, stream, color=color, right=(2, 3, 4, 5)
    )
    for other in practice.unread:
        say((f"{other.client}: {one_line(_short(other.path))} is not read; {other.advice}", "dim"))
    _write_lost(practice, say)
    say((f"{counted(len(practice.patients), 'session')}, {len(ill)} with problems", "bold"))
    if ill:
        say(("next: ", "dim"), (_next(ill), "bold"))


def _line(patient: Patient) -> tuple[tuple[str, str], ...]:
    """Return one session: its file, what is wrong, its client and age, what it is about."""
    return (
        (f"{one_line(patient.report.path)}:", "bold"),
        (" ", ""),
        (_summary(patient.report), _STYLES[patient.worst] if patient.worst is not None else "green"),
        (f" ({patient.client}, {age(patient.modified)}{', this folder' if patient.here else ''})", "dim"),
        (f" {one_line(patient.title)}" if patient.title else "", ""),
    )


def _write_lost(practice: Practice, say: Say) -> None:
    """Write what a client's picker does not show, and which working folders are gone."""
    for one in practice.lost[:_MOST_LOST]:
        what = "is in the index of its client, but does not exist" if one.gone else "is not in the index of its client"
        say((f"{one_line(one.path)}: {what} ({one_line(_short(one.index))}); {one_line(one.advice)}", ""))
    if len(practice.lost) > _MOST_LOST:
        say(
            (
                f"and {counted(len(practice.lost) - _MOST_LOST, 'more session')} like that; --output-format json has all",  # noqa: E501 - a sentence is one text
                "dim",
            )
        )
    for folder in practice.moved[:_MOST_MOVED]:
        number = sum(patient.folder == folder for patient in practice.patients)
        say(
            (
                f"{one_line(folder)}: does not exist, and {counted(number, 'session')} can only be resumed in it: move the project back, or make the folder",  # noqa: E501 - a sentence is one text
                "dim",
            )
        )
    if len(practice.moved) > _MOST_MOVED:
        say((f"and {counted(len(practice.moved) - _MOST_MOVED, 'more folder')} like that", "dim"))


def write_changes(before: Practice, now: Practice, stream: TextIO, *, color: bool = False) -> None:
    """Write one line for each session that has become better or worse, or is new and has a problem."""
    say = line_writer(stream, color=color)
    old = {patient.report.path: _summary(patient.report) for patient in before.patients}
    for patient in now.patients:
        was, has = old.get(patient.report.path), _summary(patient.report)
        if has != was and (was is not None or patient.rank >= now.least):
            say((time.strftime("%H:%M:%S "), "dim"), *_line(patient))


def _summary(report: Report) -> str:
    """Return what is wrong in a few words: how many findings, and of which rules."""
    if report.error is not None:
        return f"error: {problem(report)}"
    severities = Counter(f.severity for f in report.findings)
    numbers = ", ".join(
        counted(severities[s], s.value) for s in (Severity.ERROR, Severity.WARNING, Severity.INFO) if severities[s]
    )
    ranked = sorted(report.findings, key=lambda f: -(f.severity.rank if f.severity else 0))
    rules = list(dict.fromkeys(f.rule for f in ranked))
    if not rules:
        return "sound"
    more = f" and {len(rules) - _MOST_RULES} more" if len(rules) > _MOST_RULES else ""
    return f"{numbers}: {', '.join(rules[:_MOST_RULES])}{more}"


def _next(ill: Sequence[Patient]) -> str:
    """Return the command for the worst session that can be repaired, else for the worst one."""
    fixable = next((p for p in ill if any(f.fixable for f in p.report.findings)), None)
    worst = fixable or ill[0]
    return command("condense", "repair" if fixable else "check", path_word(worst.report.path))


def age(seconds: float, now: float | None = None) -> str:
    """Return how long ago a moment (seconds) was, in its largest unit."""
    past = max(0.0, (time.time() if now is None else now) - seconds)
    for unit, size in _UNITS:
        if past >= size:
            return f"{counted(int(past // size), unit)} ago"
    return "now"


def _short(path: str) -> str:
    """Write the home folder as `~`."""
    own = os.path.expanduser("~")
    return "~" + path[len(own) :] if own != "~" and path.startswith(own + os.sep) else path


# ---------------------------------------------------------------------- json
def as_json(practice: Practice, stream: TextIO) -> None:
    """Write `{"version", "stores", "unread", "sessions", "summary"}`; sessions are those with problems, times in
    milliseconds.
    """
    ill = practice.ill()
    value = {
        "version": 1,
        "stores": [{"client": s.client, "path": s.folder, **practice.numbers(s)} for s in practice.stores],
        "unread": [{"client": s.client, "path": s.path} for s in practice.unread],
        "sessions": [_session(patient) for patient in ill],
        "lost": [
            {"client": one.client, "path": one.path, "index": one.index, "exists": not one.gone}
            for one in practice.lost
        ],
        "moved": [
            {"folder": folder, "sessions": sum(p.folder == folder for p in practice.patients)}
            for folder in practice.moved
        ],
        "summary": {"sessions": len(practice.patients), "sound": len(practice.patients) - len(ill), **_worst(ill)},
    }
    stream.write(ascii_json(value) + "\n")


def _session(patient: Patient) -> dict[str, Any]:
    return {"client": patient.client, "modified": int(patient.modified * 1000), **file(patient.report)}


def _worst(ill: Iterable[Patient]) -> dict[str, int]:
    worst = Counter(patient.worst for patient in ill)
    return {severity.value: worst[severity] for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)}
