"""What `condense doctor` found: sessions with problems, worst first, then each store in numbers."""

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
    from condense_cli.storage.clients.client import Unread
    from condense_cli.storage.clients.table import Store

_MOST_RULES = 3
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


class Patient(NamedTuple):
    """One session: its client, when it was written (seconds), and what was found in it."""

    client: str
    modified: float
    report: Report

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

    def ill(self) -> list[Patient]:
        """Return the sessions with problems, worst first, then newest."""
        return sorted((p for p in self.patients if p.rank >= self.least), key=lambda p: (-p.rank, -p.modified, p.report.path))

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
        report = patient.report
        say(
            (f"{one_line(report.path)}:", "bold"),
            (" ", ""),
            (_summary(report), _STYLES[patient.worst or Severity.INFO]),
            (f" ({patient.client}, {_day(patient.modified)})", "dim"),
        )
    if ill:
        say(("", ""))
    rows = []
    for store in practice.stores:
        numbers = practice.numbers(store)
        rows.append((store.client, _short(store.folder), *map(str, numbers.values())))
    table(("client", "folder", "sessions", "sound", "errors", "warnings"), rows, stream, color=color, right=(2, 3, 4, 5))
    for other in practice.unread:
        say((f"{other.client}: {one_line(_short(other.path))} is not read; {other.advice}", "dim"))
    say((f"{counted(len(practice.patients), 'session')}, {len(ill)} with problems", "bold"))
    if ill:
        say(("next: ", "dim"), (_next(ill), "bold"))


def _summary(report: Report) -> str:
    """Return what is wrong in a few words: how many findings, and of which rules."""
    if report.error is not None:
        return f"error: {problem(report)}"
    severities = Counter(f.severity for f in report.findings)
    numbers = ", ".join(counted(severities[s], s.value) for s in (Severity.ERROR, Severity.WARNING, Severity.INFO) if severities[s])
    ranked = sorted(report.findings, key=lambda f: -(f.severity.rank if f.severity else 0))
    rules = list(dict.fromkeys(f.rule for f in ranked))
    more = f" and {len(rules) - _MOST_RULES} more" if len(rules) > _MOST_RULES else ""
    return f"{numbers}: {', '.join(rules[:_MOST_RULES])}{more}"


def _next(ill: Sequence[Patient]) -> str:
    """Return the command for the worst session that can be repaired, else for the worst one."""
    fixable = next((p for p in ill if any(f.fixable for f in p.report.findings)), None)
    worst = fixable or ill[0]
    return command("condense", "repair" if fixable else "check", path_word(worst.report.path))


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _short(path: str) -> str:
    """Write the home folder as `~`."""
    own = os.path.expanduser("~")
    return "~" + path[len(own) :] if own != "~" and path.startswith(own + os.sep) else path


# ---------------------------------------------------------------------- json
def as_json(practice: Practice, stream: TextIO) -> None:
    """Write `{"version", "stores", "unread", "sessions", "summary"}`; sessions are those with problems, times in milliseconds."""
    ill = practice.ill()
    value = {
        "version": 1,
        "stores": [{"client": s.client, "path": s.folder, **practice.numbers(s)} for s in practice.stores],
        "unread": [{"client": s.client, "path": s.path} for s in practice.unread],
        "sessions": [_session(patient) for patient in ill],
        "summary": {"sessions": len(practice.patients), "sound": len(practice.patients) - len(ill), **_worst(ill)},
    }
    stream.write(ascii_json(value) + "\n")


def _session(patient: Patient) -> dict[str, Any]:
    return {"client": patient.client, "modified": int(patient.modified * 1000), **file(patient.report)}


def _worst(ill: Iterable[Patient]) -> dict[str, int]:
    worst = Counter(patient.worst for patient in ill)
    return {severity.value: worst[severity] for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)}
