"""Real session files of every client: detected, counted, judged, rendered and repaired as an independent index says."""

from __future__ import annotations

import csv
import os
import re
from collections import Counter

import pytest
from condense_cli.cli.check.files import Job, check_file
from condense_cli.cli.targets import Target
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Severity
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.repair.proof import prove
from condense_cli.rules.catalogue import RULES
from condense_cli.session.opened import open_session
from condense_cli.storage.source import open_source

REAL = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "shared", "real")
pytestmark = pytest.mark.skipif(not os.path.isdir(REAL), reason="the collection of real sessions is not beside this checkout")
JOB = Job("auto", (), None, every=False, stored=False, rules=frozenset(RULES))
# The index says of a call without a result only that: whether it may be running, or was cut, is ours to tell.
UNANSWERED = {"unanswered-call", "trailing-call", "partial-call"}


def rows() -> list[dict[str, str]]:
    if not os.path.isdir(REAL):
        return []
    with open(os.path.join(REAL, "INDEX.tsv"), encoding="utf-8") as handle:
        return list(csv.DictReader(handle, delimiter="\t"))


def lines(text: str) -> Counter[int]:
    """Read the places of an index cell: `L33(x16)` is sixteen calls on line 33; what stands before a kept window is not read."""
    found: Counter[int] = Counter()
    for part in text.split(";"):
        if "before the kept window" in part:
            continue
        for number, times in re.findall(r"L?(\d+)(?:\(x(\d+)\))?", part.split(":", 1)[-1]):
            found[int(number)] += int(times or 1)
    return found


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["file"])
def test_real_session(row: dict[str, str], tmp_path: os.PathLike[str]) -> None:
    """The file is what the index says it is, and a repair of it is proved and leaves no error."""
    path = os.path.join(REAL, row["file"])
    report = check_file(Target(path, named=True), JOB)
    assert report is not None
    if row["format"] == "lookalike" and report.format in ("qwen", "copilot"):  # formats of their own by now
        assert report.format in row["file"]
        assert report.error is None
        assert report.messages
        return
    if row["format"] == "lookalike":
        assert report.error is not None
        assert "not a session" in report.error
        return
    assert report.error is None
    assert (str(report.calls), str(report.results)) == (row["tool_calls"], row["tool_results"])
    if row["format"] not in ("openai-chat", "anthropic", "gemini"):
        unanswered = Counter(f.line for f in report.findings if f.rule in UNANSWERED)
        assert unanswered == lines(row["pairing_defects_active_thread"]) if row["pairing_defects_active_thread"] != "0" else not unanswered
        dangling = sorted(f.line for f in report.findings if f.rule == "missing-parent")
        known = "toolcall-id" in path  # OpenClaw knows a parent that names a call
        assert dangling == ([] if known or row["dangling_parents"] in ("0", "n/a") else [int(n) for n in row["dangling_parents"].split(",")])
    with open_session(path) as session:
        plan = make_plan(session.document, Choice())
        new = b"".join(apply(plan.segments, session.source))
        sound = not any(f.severity in (Severity.ERROR, Severity.WARNING) for f in report.findings)
        assert plan.changes is not sound
        copy = os.path.join(tmp_path, os.path.basename(path))
        with open(copy, "wb") as out:
            out.write(new)
        with open_source(copy) as source:
            prove(plan, session.document, read_document(path, source, plan.format))
    after = check_file(Target(copy, named=True), JOB)
    assert after is not None
    assert not any(f.severity is Severity.ERROR for f in after.findings)
