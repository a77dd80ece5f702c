"""`condense minimize` from the command line."""

import os

import pytest
from tests.conversations import chains, written
from tests.strategies import condense


@pytest.fixture
def session(tmp_path):
    path = written(tmp_path, "claude-code", chains(2))
    path.write_bytes(path.read_bytes()[:-40])
    return path


def test_the_file_is_written_and_the_report_printed(session, tmp_path):
    """The session keeps its bytes; a check of the new file finds the same."""
    before = session.read_bytes()
    new = tmp_path / "new.jsonl"
    done = condense("minimize", str(session), "-o", str(new))
    assert done.code == 0
    assert b"`torn-tail`" in done.out
    assert b"torn-tail" in condense("check", str(new)).out
    assert session.read_bytes() == before
    assert new.stat().st_size < len(before)


def test_without_an_output_nothing_is_written(session, tmp_path):
    """The report alone."""
    there = set(os.listdir(tmp_path))
    assert condense("minimize", str(session)).code == 0
    assert set(os.listdir(tmp_path)) == there


def test_standard_output_is_the_file(session):
    """The report goes to stderr then."""
    done = condense("minimize", str(session), "-o", "-")
    assert done.out.startswith(b'{"')
    assert b"torn-tail" not in done.out


@pytest.mark.parametrize(("words", "code"), [(("--rule", "no-rule"), 2), (("--contract", "no-one"), 2), (("--rule", "bom"), 2), (("--format", "pi"), 3)])
def test_what_is_not_there(session, words, code):
    """Usage errors, and a session that is none."""
    assert condense("minimize", str(session), *words).code == code


def test_the_session_itself_is_never_the_output(session):
    """Refused."""
    before = session.read_bytes()
    assert condense("minimize", str(session), "-o", str(session)).code == 2
    assert session.read_bytes() == before
