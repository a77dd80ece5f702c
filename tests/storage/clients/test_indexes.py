"""What a client's index does not have."""

import json
import sqlite3

import pytest
from condense_cli.storage.clients.indexes import lost


@pytest.fixture
def codex(tmp_path):
    """A home of Codex with a table of threads, and two rollouts."""
    day = tmp_path / "sessions" / "2026" / "11" / "02"
    day.mkdir(parents=True)
    paths = [day / f"rollout-{name}.jsonl" for name in "ab"]
    for path in paths:
        path.write_text("{}")
    with sqlite3.connect(tmp_path / "state_5.sqlite") as database:
        database.execute("CREATE TABLE threads (id TEXT, rollout_path TEXT)")
        database.executemany("INSERT INTO threads VALUES (?, ?)", [("a", str(paths[0])), ("c", str(day / "rollout-c.jsonl"))])
    database.close()
    return tmp_path, [str(path) for path in paths]


def test_threads_of_codex_that_its_database_does_not_have(codex):
    """And those whose rollout is gone; nothing is written beside the database."""
    home, paths = codex
    before = sorted(home.iterdir())
    found = lost("codex", paths, {"CODEX_HOME": str(home)})
    assert [(one.path[-7:], one.gone) for one in found] == [("b.jsonl", False), ("c.jsonl", True)]
    assert sorted(home.iterdir()) == before


@pytest.mark.parametrize("data", [b"", b"no database"])
def test_a_database_that_cannot_be_read_says_nothing(codex, data):
    """Nor one without the table."""
    home, paths = codex
    (home / "state_5.sqlite").write_bytes(data)
    assert lost("codex", paths, {"CODEX_HOME": str(home)}) == []
    assert lost("codex", paths, {"CODEX_HOME": str(home / "none")}) == []


def test_sessions_that_the_index_of_claude_code_does_not_have(tmp_path):
    """Both ways; a folder without an index, or with one of another shape, says nothing."""
    paths = [str(tmp_path / name / "a.jsonl") for name in ("one", "two", "three")]
    for path, index in zip(paths, [{"entries": [{"sessionId": "b"}, {"sessionId": "../../x"}, 5]}, {"entries": 3}, None], strict=True):
        folder = tmp_path / path.split("/")[-2]
        folder.mkdir()
        (folder / "a.jsonl").write_text("{}")
        if index is not None:
            (folder / "sessions-index.json").write_text(json.dumps(index))
    found = lost("claude-code", paths, {})
    assert [(one.path, one.gone) for one in found] == [(paths[0], False), (str(tmp_path / "one" / "x.jsonl"), True), (str(tmp_path / "one" / "b.jsonl"), True)]


def test_other_clients_have_no_index():
    """Nothing is lost of them."""
    assert lost("pi", ["/a.jsonl"], {}) == []
