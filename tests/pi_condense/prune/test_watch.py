"""The facts of a branch are the same whether they are taken while the file is read for the first time or loaded later."""

import os
from pathlib import Path

import pytest
from condense_cli.pi_condense.prune.context import BriefWatch
from condense_cli.pi_condense.prune.settings import Settings
from condense_cli.pi_condense.prune.views import render
from condense_cli.session.opened import open_session

ROOT = Path(__file__).parents[3] / "fixtures" / "prune"


@pytest.mark.parametrize("case", sorted(p.name for p in ROOT.iterdir() if p.name != "version-1"))
def test_a_watch_takes_what_a_second_reading_finds(case):
    """Message entries are not loaded for their facts once a watch has seen them, and nothing else differs."""
    watch = BriefWatch()
    loaded = []

    def load(record):
        loaded.append(record.kind)
        return session.load(record)

    with open_session(os.fspath(ROOT / case / "session.jsonl"), watch=watch) as session:
        again = render(session.branch(), session.load, Settings())
        taken = render(session.branch(), load, Settings(enabled=False), seen=watch.seen)
        edited = {place.record.line for place in taken.branch.places if place.edit is not None}

    assert taken.branch.places == again.branch.places
    assert taken.branch.records.records == again.branch.records.records
    assert loaded.count("message") <= len(edited)


def test_what_is_migrated_is_loaded():
    """The facts of a version 1 file are those of the migrated entries."""
    with open_session(os.fspath(ROOT / "version-1" / "session.jsonl")) as session:
        assert session.migrates


def test_a_watch_that_is_alone_takes_the_messages():
    """Their facts are kept once, in the places of the branch, and what is rendered is the same; messages are counted."""
    path = os.fspath(ROOT / "barriers" / "session.jsonl")
    alone = BriefWatch(alone=True)
    with open_session(path) as session:
        kept = list(render(session.branch(), session.load, Settings()).rendered())
        counted = sum(record.message is not None for record in session.records if record.kind == "message")
    with open_session(path, watch=alone) as session:
        assert list(render(session.branch(), session.load, Settings(), seen=alone.seen).rendered()) == kept
        assert not any(record.message for record in session.records if record.kind == "message")
        assert session.document.passed.messages == counted
