"""Cases: a folder holds an input, what is found in it, and what a repair makes of it. Adding a test is adding a folder.

    fixtures/cases/<format>/<what-it-shows>/
        case.json       {"why", "args": [...], "exit", "findings": [[rule, severity, line or message]], "remaining": [...]}
        input.*         the session; the name that a client would give it stands in case.json as "as"
        expected.*      the repaired session; absent: it must equal the input

`python tests/test_cases.py` writes findings and expected anew, to be looked at before they are kept.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from condense_cli.check.engine import check
from condense_cli.cli.repair import planned
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Finding
from condense_cli.model.plan import apply
from condense_cli.model.policies import Displaced, Ids, Orphan, Policies, Trailing, Unanswered
from condense_cli.repair.engine import make_plan
from condense_cli.repair.proof import prove
from condense_cli.session.opened import open_session
from condense_cli.storage.source import open_source

CASES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fixtures", "cases")
POLICIES = {"displaced": Displaced, "unanswered": Unanswered, "trailing": Trailing, "orphan": Orphan, "ids": Ids}


def folders() -> list[str]:
    return sorted(os.path.relpath(place, CASES) for place, _, names in os.walk(CASES) if "case.json" in names)


def load(folder: str) -> tuple[dict[str, Any], str, bytes]:
    """Return the case, the name of its input, and the expected bytes."""
    with open(os.path.join(CASES, folder, "case.json"), encoding="utf-8") as handle:
        case = json.load(handle)
    for found in ("findings", "remaining"):  # a new case says why; the rest is written by this module
        case.setdefault(found, [])
    names = os.listdir(os.path.join(CASES, folder))
    source = next(name for name in names if name.startswith("input."))
    expected = next((name for name in names if name.startswith("expected.")), source)
    with open(os.path.join(CASES, folder, expected), "rb") as handle:
        return case, source, handle.read()


def place(finding: Finding) -> list[Any]:
    return [finding.rule, str(finding.severity), finding.line if finding.index is None else finding.index]


def run(folder: str, case: dict[str, Any], source: str, work: str) -> tuple[list[Any], list[Any], bytes]:
    """Check and repair a copy of the input under the name that its client would give it; prove the outcome."""
    path = os.path.join(work, case.get("as", source))
    with open(os.path.join(CASES, folder, source), "rb") as old, open(path, "wb") as copy:
        copy.write(old.read())
    args = dict(zip(case.get("args", [])[::2], case.get("args", [])[1::2], strict=True))
    contract = [args["--contract"]] if "--contract" in args else None
    with open_session(path) as session:
        report = check(session.document, contract or [session.format.contract])
    policies = Policies(**{key: kind(args[f"--{key}"]) for key, kind in POLICIES.items() if f"--{key}" in args})
    select = [args["--select"]] if "--select" in args else None
    with open_session(path) as session:
        plan = make_plan(session.document, planned.choice_of(contract, select, None, policies, None))
        new = b"".join(apply(plan.segments, session.source))
        if plan.changes:
            out = os.path.join(work, "new")
            with open(out, "wb") as handle:
                handle.write(new)
            with open_source(out) as made:
                prove(plan, session.document, read_document(path, made, plan.format))
    left = [place(f) for f in plan.remaining if str(f.severity) != "info"]
    return [place(f) for f in report.findings], left, new


@pytest.mark.parametrize("folder", folders())
def test_case(folder: str, tmp_path: Any) -> None:
    """What is found is what the case says, and the repaired session is its expected one, byte for byte."""
    case, source, expected = load(folder)

    findings, left, new = run(folder, case, source, str(tmp_path))

    assert case["findings"] == findings
    assert case["remaining"] == left
    assert expected == new


OF_ANOTHER_API = {"vercel-model/orphan-result"}  # without the one block that only its API has, it looks like Anthropic's
REPAIRED = [folder for folder in folders() if not load(folder)[0]["remaining"] and not load(folder)[0].get("args") and folder not in OF_ANOTHER_API]


@pytest.mark.parametrize("folder", REPAIRED)
def test_what_was_repaired_is_sound(folder: str, tmp_path: Any) -> None:
    """Whoever checks the repaired session, and knows nothing of the one that was broken, finds nothing to repair."""
    case, source, expected = load(folder)
    path = tmp_path / case.get("as", source)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(expected)

    with open_session(str(path)) as session:
        report = check(session.document, [session.format.contract])

    assert [place(finding) for finding in report.findings if str(finding.severity) != "info"] == []


def test_there_are_cases() -> None:
    """The walk finds the cases of every format that can be repaired."""
    assert {folder.split(os.sep)[0] for folder in folders()} >= {"pi", "openclaw", "claude-code", "codex", "openai-chat", "anthropic"}


if __name__ == "__main__":
    import tempfile

    for name in folders():
        one, its_source, _ = load(name)
        with tempfile.TemporaryDirectory() as folder_of_work:
            one["findings"], one["remaining"], made_bytes = run(name, one, its_source, folder_of_work)
        with open(os.path.join(CASES, name, "case.json"), "w", encoding="utf-8") as model_in_use:
            model_in_use.write(json.dumps(one, ensure_ascii=False, indent=1) + "\n")
        target = os.path.join(CASES, name, its_source.replace("input", "expected"))
        with open(os.path.join(CASES, name, its_source), "rb") as reader:
            same = reader.read() == made_bytes
        if same and os.path.exists(target):
            os.unlink(target)
        elif not same:
            with open(target, "wb") as writer_of_bytes:
                writer_of_bytes.write(made_bytes)
