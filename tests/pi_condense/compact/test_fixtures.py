"""Whole sessions with what is expected of them: fixtures/compact/<what it shows>/."""

import json
from pathlib import Path

import pytest
from condense_cli.jsonbytes.javascript import stringify
from condense_cli.output.compacted import Outcome, document
from condense_cli.pi_condense.compact.blobs import BlobFolder
from condense_cli.pi_condense.compact.branch import read
from condense_cli.pi_condense.compact.compaction import capture, compact
from condense_cli.pi_condense.compact.run import AppendPoint, Terms
from condense_cli.pi_condense.prune.protect import protection
from condense_cli.pi_condense.prune.settings import Settings, read_settings
from condense_cli.recall.find import session_id
from condense_cli.session.opened import open_session

ROOT = Path(__file__).parents[3] / "fixtures" / "compact"
CASES = sorted(p.name for p in ROOT.iterdir())


def ordered(data):
    """Read JSON with the order of keys as part of the value."""
    return json.loads(data, object_pairs_hook=list, parse_int=float)


def _mode(settings):
    return json.loads(settings.read_bytes())["contextPrune"].get("batchingMode", "turn") if settings.exists() else "turn"


@pytest.mark.parametrize("case", CASES)
def test_a_session_is_compacted_as_expected(case, tmp_path):
    """The entries in order and key order, the diagnostics, what was detected, and what a rescan would capture."""
    expected = dict(ordered((ROOT / case / "expected.json").read_bytes()))
    settings = ROOT / case / "settings.json"
    chosen = read_settings(str(settings)) if settings.exists() else Settings()

    with open_session(str(ROOT / case / "session.jsonl")) as session:
        reading = read(session.branch(), session.load, protection(chosen))
        ident = session_id(session.records, session.document.value)
        place = AppendPoint("leaf", [record.id for record in session.records], len(session.records))
        terms = Terms(chosen, int(expected["window"]), 1_790_000_000_000)
        made = compact(reading, terms, place, lambda: BlobFolder(str(tmp_path), ident))
        told = dict(ordered(b"".join(document(made, capture(reading, _mode(settings), find_duplicates=True), Outcome("s", "pi", False), session.load))))

    lines = [line.data.replace(stringify(str(tmp_path))[1:-1], b"@DIR@") for line in made.run.lines]
    assert [[pair for pair in ordered(line) if pair[0] not in ("id", "parentId", "timestamp")] for line in lines] == expected["appended"]
    assert {key: told[key] for key in ("diagnostics", "skipped", "detect", "capture")} == {k: expected[k] for k in ("diagnostics", "skipped", "detect", "capture")}
