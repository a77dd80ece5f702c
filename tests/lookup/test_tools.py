"""What the tools answer."""

import json

import pytest
from condense_cli.cli import run
from condense_cli.errors import UsageError
from condense_cli.lookup import tools
from condense_cli.lookup.scope import Scope
from tests.conversations import FORMATS, chains, written


@pytest.fixture(params=sorted(FORMATS))
def compacted(tmp_path, request):
    """A session of each format after `compact`, and the scope of its folder."""
    session = written(tmp_path, request.param, chains(4))
    new = tmp_path / f"new{session.suffix}"
    assert run(["-q", "compact", str(session), "--window", "1", "-o", str(new)]) == 0
    return Scope.of(str(tmp_path), {"HOME": str(tmp_path)}), new


def test_a_summary_names_the_tool_and_its_references(compacted):
    """So that an agent asks for what it misses."""
    text = compacted[1].read_text()
    assert "tool `query` of the MCP server condense" in text
    assert "Refs: t1, t2" in text


def test_outputs_that_left_come_back(compacted):
    """Byte for byte, with the listing that names them."""
    scope, new = compacted
    told = tools.query(scope, ["t1", "t2"], new.name)
    assert told.found
    assert "output 0 0\nü\u2028" + "x" * 400 in told.text
    assert "output 0 1\n" in told.text
    rows = [line.split("\t") for line in tools.list_outputs(scope, new.name).text.splitlines()]
    assert rows[0] == ["ref", "line", "tool", "chars", "where"]
    assert [rows[1][0], rows[1][4]] == ["t1", "sidecar"]
    assert {row[4] for row in rows[1:]} == {"sidecar", "transcript"}


def test_what_is_not_found_is_said(compacted):
    """With near ones; what is found is there all the same."""
    scope, new = compacted
    told = tools.query(scope, ["t1", "call_0_99"], new.name)
    assert not told.found
    assert "output 0 0" in told.text
    assert "not" in told.text


def test_a_check_is_json(compacted):
    """As `condense check --json` has a file."""
    value = json.loads(tools.check_session(compacted[0], compacted[1].name).text)
    assert [f for f in value["findings"] if f["severity"] != "info"] == []


@pytest.mark.parametrize("refs", [[], ["t1"] * 51, ["x" * 1001]])
def test_sizes_of_questions_are_limited(compacted, refs):
    """An error with advice."""
    with pytest.raises(UsageError):
        tools.query(compacted[0], refs, compacted[1].name)


def test_sizes_of_answers_are_limited(compacted, monkeypatch):
    """The end says that it was cut."""
    monkeypatch.setattr(tools, "MOST_CHARS", 100)
    monkeypatch.setattr(tools, "MOST_ROWS", 2)
    scope, new = compacted
    assert len(tools.query(scope, ["t1", "t2"], new.name).text) < 250
    assert "cut after 100" in tools.query(scope, ["t1"], new.name).text
    assert "more" in tools.list_outputs(scope, new.name).text or "cut" in tools.list_outputs(scope, new.name).text
