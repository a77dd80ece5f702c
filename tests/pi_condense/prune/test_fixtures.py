"""Whole sessions with what is expected of them: fixtures/prune/<what it shows>/."""

import json
import os
from pathlib import Path

import pytest
from condense_cli.jsonbytes.javascript import stringify
from condense_cli.output.messages import rendered_document
from condense_cli.pi_condense.prune.settings import Settings, read_settings
from condense_cli.pi_condense.prune.views import render
from condense_cli.recall.find import Finder
from condense_cli.recall.output import answer_text
from condense_cli.session.opened import open_session

ROOT = Path(__file__).parents[3] / "fixtures" / "prune"
CASES = sorted(p.name for p in ROOT.iterdir())


def ordered(data):
    """Read JSON with the order of keys as part of the value."""
    return json.loads(data, object_pairs_hook=list, parse_int=float)


def made_up_without_clock(messages):
    """The time of a result that pi makes up is its clock."""
    content = ("content", [[("type", "text"), ("text", "No result provided")]])
    return [[(key, 0 if key == "timestamp" and content in message else value) for key, value in message] for message in messages]


@pytest.mark.parametrize("case", CASES)
def test_a_session_is_rendered_as_expected(case):
    """Messages, sizes and diagnostics are those recorded, in the recorded key order; so is what goes over the wire."""
    folder = ROOT / case
    settings = folder / "settings.json"
    expected = dict(ordered((folder / "expected.json").read_bytes()))

    with open_session(os.fspath(folder / "session.jsonl")) as session:
        chosen = read_settings(os.fspath(settings)) if settings.exists() else Settings()
        rendering = render(session.branch(), session.load, chosen)
        rendered = ordered(b"".join(rendered_document(rendering)))
        wire = ordered(stringify(list(rendering.wire())))

    assert rendered == expected["render"]
    assert made_up_without_clock(wire) == made_up_without_clock(expected["wire"])


@pytest.mark.parametrize("case", CASES)
def test_references_are_answered_as_expected(case):
    """Each recorded reference gives the recorded text from the index."""
    expected = json.loads((ROOT / case / "expected.json").read_bytes())

    with open_session(os.fspath(ROOT / case / "session.jsonl")) as session:
        finder = Finder(session, index_only=True)
        answers = {ref: answer_text(finder.answer(ref)) for ref in expected["queries"]}

    assert answers == expected["queries"]
