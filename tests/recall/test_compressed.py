"""Looking references up in the sidecar of a compacted session."""

import os
import shutil

import pytest
from condense_cli.cli import run
from condense_cli.recall.compressed import Compressed
from condense_cli.session.opened import open_session
from tests import conversations
from tests.conversations import chains


@pytest.fixture
def new(tmp_path):
    session = conversations.written(tmp_path, "claude-code", chains(3))
    path = tmp_path / "new.jsonl"
    run(["-q", "compact", str(session), "--window", "1", "-o", str(path)])
    return path


def look(path, ask):
    with open_session(os.fspath(path)) as session:
        return ask(Compressed(session))


def test_outputs_are_found_by_reference_id_and_line(new):
    """The line is the one of the message that stands for them."""
    assert [output.call_id for output in look(new, lambda c: c.by_ref("t3"))] == ["call_1_0"]
    assert [(place, output.text[:10], output.line) for place, output in look(new, lambda c: c.by_id("call_1_1"))] == [(4, "output 1 1", 5)]
    assert [output.call_id for output in look(new, lambda c: c.on_line(5))] == ["call_1_0", "call_1_1"]


@pytest.mark.parametrize("ref", ["t5", "t0", "t01", "T1", "t1 ", "1", "t"])
def test_what_is_no_reference_names_nothing(new, ref):
    """Numbers from 1 without zeros in front, and only those that the session mentions."""
    assert look(new, lambda c: c.by_ref(ref)) == ()


def test_what_the_session_does_not_mention_is_not_its_own(new):
    """The original session has nothing compressed, whatever lies beside it."""
    shutil.copy(new.with_name("new.jsonl.condense"), new.with_name("session.jsonl.condense"))

    assert look(new.with_name("session.jsonl"), lambda c: (c.by_ref("t1"), c.by_id("call_0_0"), c.on_line(1))) == ((), [], ())


def test_a_link_to_a_session_finds_its_sidecar(new, tmp_path):
    """It lies beside the file that the link names."""
    (tmp_path / "links").mkdir()
    os.symlink(new, tmp_path / "links" / "linked.jsonl")

    assert len(look(tmp_path / "links" / "linked.jsonl", lambda c: c.by_ref("t1"))) == 1


def test_a_broken_sidecar_is_told(new):
    """What is wrong with it can be said, and nothing is found."""
    new.with_name("new.jsonl.condense").write_text("no\n")

    assert "is not what condense keeps outputs in" in look(new, lambda c: c.problem)
    assert look(new, lambda c: c.by_ref("t1")) == ()
