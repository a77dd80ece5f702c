"""The session as it is after a repair."""

from __future__ import annotations

import os

from condense_cli.repair.engine import Choice, make_plan
from condense_cli.session.after import document_after
from condense_cli.session.opened import open_session
from tests.strategies import calls, pi_file


def test_it_is_read_back_and_nothing_is_written(tmp_path):
    """The document has the bytes of the plan; the folder and the session stay as they were."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(pi_file([("user",), calls(["a"]), ("result", "a"), ("result", "b"), ("text",)]))
    before = path.read_bytes()
    with open_session(str(path)) as session:
        plan = make_plan(session.document, Choice())
        with document_after(session, plan) as new:
            assert len(new.records) == len(session.records) - 1
            assert new.format is session.format
        assert os.listdir(tmp_path) == ["s.jsonl"]
    assert path.read_bytes() == before


def test_a_sound_session_is_itself(tmp_path):
    """Nothing is copied where nothing changes."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(pi_file([("user",), ("text",)]))
    with open_session(str(path)) as session, document_after(session, make_plan(session.document, Choice())) as new:
        assert new is session.document
