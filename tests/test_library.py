"""The public library: it agrees with the command line, prints nothing and changes nothing that it was given."""

import copy
import json
from pathlib import Path

import condense_cli
import pytest
from condense_cli import Session, check, repair
from condense_cli.errors import RefusedError, UnreadableError, UsageError
from condense_cli.storage.files import undo
from condense_cli.storage.journal import records
from hypothesis import given
from tests.strategies import anthropic_array, broken_lists, chat_array, condense, law

ROOT = Path(__file__).parents[1]
SESSIONS = sorted((ROOT / "fixtures" / "sessions").glob("*/*"))
BRICKED = ROOT / "fixtures" / "demo" / "bricked.jsonl"
PRUNED = ROOT / "fixtures" / "demo" / "pruned.jsonl"


@pytest.fixture
def bricked(tmp_path):
    """A copy of a session with an orphan."""
    path = tmp_path / "bricked.jsonl"
    path.write_bytes(BRICKED.read_bytes())
    return path


@pytest.mark.parametrize("name", condense_cli.PUBLIC)
def test_public_names_have_a_docstring(name):
    """Everything public is there, and says what it does."""
    assert getattr(condense_cli, name).__doc__


def test_a_name_that_is_not_there():
    """A wrong name is an AttributeError, as of any module."""
    with pytest.raises(AttributeError, match="nothing"):
        condense_cli.nothing  # noqa: B018


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.parent.name)
def test_it_agrees_with_the_command_line(path, capsys):
    """Findings, messages and the format of a session of each client."""
    with Session.open(path) as session:
        found = [(f.rule, f.line, str(f.severity)) for f in session.findings()]
        shown, name = session.messages(), session.format
    report = json.loads(condense("check", "--output-format", "json", path).out)["files"][0]

    assert [(f["rule"], f["line"], f["severity"]) for f in report["findings"]] == found
    assert report["format"] == name
    assert {message["role"] for message in shown} >= {"user", "assistant"}
    assert capsys.readouterr() == ("", "")


def test_findings_of_another_contract(bricked):
    """One or several contracts; a name that is none is a usage error."""
    with Session.open(bricked) as session:
        assert {f.contract for f in session.findings(contract=["anthropic", "pi"])} <= {"anthropic", "pi"}
        with pytest.raises(UsageError, match="no contract"):
            session.findings(contract="nobody")


def test_a_plan_is_shown_and_applied(bricked, tmp_path, capsys):
    """Looking at a plan writes nothing; applying it writes what the command line would."""
    before = bricked.read_bytes()
    with Session.open(bricked) as session:
        found = session.findings()
        plan = session.plan()
        assert plan.changes
        assert plan.edits
        assert plan.edits[0].rule in plan.diff()
        plan.apply(tmp_path / "new.jsonl")
        assert session.findings() == found
    condense("repair", bricked, "-o", tmp_path / "by-command.jsonl")

    assert bricked.read_bytes() == before
    assert (tmp_path / "new.jsonl").read_bytes() == (tmp_path / "by-command.jsonl").read_bytes()
    assert capsys.readouterr() == ("", "")


def test_a_repair_in_place_can_be_undone(bricked, tmp_path, monkeypatch):
    """The id that is returned is the one that `condense undo` takes; a sound session is left alone."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    before = bricked.read_bytes()
    with Session.open(bricked) as session:
        undo_id = session.plan().apply_in_place(force=True)
    with Session.open(bricked) as session:
        assert session.plan().apply_in_place(force=True) is None
    assert bricked.read_bytes() != before
    undo(next(record for record in records() if record.id == undo_id), force=True)
    assert bricked.read_bytes() == before


def test_a_session_in_use_is_refused(bricked):
    """A session that was written a moment ago is not replaced."""
    with Session.open(bricked) as session, pytest.raises(RefusedError):
        session.plan().apply_in_place()


def test_policies_are_those_of_the_command_line(bricked):
    """Their words are checked."""
    with Session.open(bricked) as session, pytest.raises(UsageError, match="burn"):
        session.plan(orphan="burn")


def test_query_and_render():
    """Outputs by reference, and the messages after pruning as `condense render` writes them."""
    with Session.open(PRUNED) as session:
        assert session.query("t1")[0].text
        assert session.query("t999") == []
        assert session.render() == condense("render", "--output-format", "jsonl", PRUNED).records
        assert session.render("context") == condense("render", "--view", "context", "--output-format", "jsonl", PRUNED).records
        with pytest.raises(UsageError):
            session.render("everything")


def test_what_is_no_session_is_an_error(tmp_path):
    """The errors are those of condense_cli.errors."""
    with pytest.raises(UnreadableError):
        Session.open(tmp_path / "nothing.jsonl")


@law()
@given(broken_lists())
def test_lists_are_repaired_and_never_changed(messages):
    """The list that was given stays as it is; the repaired one breaks no rule that is fixed."""
    for array in (chat_array(messages), anthropic_array([m for m in messages if m[0] != "system"])):
        given_list = json.loads(array)
        if not given_list:
            continue
        before = copy.deepcopy(given_list)
        new = repair(given_list)
        check(given_list)
        assert given_list == before
        assert repair(new) == new
