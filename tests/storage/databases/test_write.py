"""Repairs of rows: one transaction, a way back, and nothing where a client is at work."""

import json
import os
import sqlite3
import subprocess
import sys

import pytest
from condense_cli.cli import run
from condense_cli.storage import journal
from condense_cli.storage.databases.find import place_of
from condense_cli.storage.databases.write import changes, rows_of
from tests import databases

TOOL = "(SELECT min(id) FROM part WHERE json_extract(data, '$.type') = 'tool')"
NO_IMAGE = '{"type":"file","mime":"image/png","url":"data:image/png;base64,aGVsbG8="}'
DAMAGES = {
    "attached-no-image": f"UPDATE part SET data = json_set(data, '$.state.attachments', json('[{NO_IMAGE}, {NO_IMAGE}]')) WHERE id = {TOOL}",
    "file-no-image": f"UPDATE part SET data = '{NO_IMAGE}' WHERE id = (SELECT min(p.id) FROM part p JOIN message m ON m.id = p.message_id WHERE json_extract(m.data, '$.role') = 'user')",
    "no-output": f"UPDATE part SET data = json_remove(data, '$.state.output') WHERE id = {TOOL}",
    "no-state": f"UPDATE part SET data = json_remove(data, '$.state') WHERE id = {TOOL}",
    "string-input": f"UPDATE part SET data = json_set(data, '$.state.input', '{{\"command\":\"ls\"}}') WHERE id = {TOOL}",
    "same-call-id": f"UPDATE part SET data = json_set(data, '$.callID', (SELECT json_extract(data, '$.callID') FROM part WHERE id = {TOOL})) WHERE json_extract(data, '$.type') = 'tool'",
    "empty-call-id": f"UPDATE part SET data = json_set(data, '$.callID', '') WHERE id = {TOOL}",
    "torn-part": f"UPDATE part SET data = substr(data, 1, 30) WHERE id = {TOOL}",
    "torn-message": "UPDATE message SET data = substr(data, 1, 30) WHERE id = (SELECT max(id) FROM message)",
    "blank-user": "UPDATE part SET data = json_set(data, '$.text', ' ') WHERE id = (SELECT max(p.id) FROM part p JOIN message m ON m.id = p.message_id WHERE json_extract(m.data, '$.role') = 'user')",
}


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A closed database, old enough to be left alone, and a journal of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "opencode.db"

    def make(*statements, wal=False):
        base = sqlite3.connect(path) if path.exists() else databases.opencode(path)
        if wal:
            base.execute("PRAGMA journal_mode=WAL")
        for sql in statements:
            assert base.execute(sql).rowcount >= 1
        base.commit()
        base.close()
        os.utime(path, (1_700_000_000, 1_700_000_000))
        return path

    return make


def rows(path):
    with sqlite3.connect(path) as base:
        found = {table: base.execute(f"SELECT * FROM {table} ORDER BY id").fetchall() for table in ("session", "message", "part")}
    base.close()
    return found


@pytest.mark.parametrize("wal", [False, True])
@pytest.mark.parametrize("sql", DAMAGES.values(), ids=DAMAGES)
def test_rows_are_repaired_and_put_back(store, sql, wal, capsys):
    """What the client does not heal is repaired in the rows that are there; undo gives every row back."""
    path = store(sql, wal=wal)
    before = rows(path)

    assert run(["check", str(path)]) == 1
    assert run(["repair", "-i", str(path)]) == 0, capsys.readouterr().err
    after = rows(path)
    assert run(["check", str(path)]) == 0
    assert "opencode --session ses_1" in capsys.readouterr().err

    assert after["session"] == before["session"]
    for table in ("message", "part"):
        assert [row[:-1] for row in after[table]] == [row[:-1] for row in before[table]]
        assert all(isinstance(json.loads(row[-1]), dict) for row in after[table])
    changed = sum(one != other for table in ("message", "part") for one, other in zip(before[table], after[table], strict=True))
    assert 1 <= changed <= 2
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert run(["undo", "--last"]) == 0, capsys.readouterr().err
    assert rows(path) == before


def test_an_id_used_again_is_refused_by_claude_alone(store):
    """Whatever the provider is called, Anthropic's models take an id once."""
    again = f"UPDATE part SET data = json_set(data, '$.callID', (SELECT json_extract(data, '$.callID') FROM part WHERE id = {TOOL})) WHERE id = (SELECT max(id) FROM part WHERE json_extract(data, '$.type') = 'tool')"

    assert run(["check", str(store(again))]) == 0
    path = store("UPDATE message SET data = json_set(data, '$.modelID', 'claude-sonnet-4-5')")
    assert run(["check", str(path)]) == 1
    assert run(["repair", "-i", str(path)]) == 0
    assert run(["check", str(path)]) == 0


def test_a_client_that_has_it_open_is_not_disturbed(store, capsys):
    """An open connection of another process is refused, and nothing is written."""
    path = store(DAMAGES["no-state"])
    before = path.read_bytes()
    script = "import sqlite3,sys; base = sqlite3.connect(sys.argv[1]); base.execute('SELECT 1 FROM session').fetchone(); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as client:
        client.stdout.readline()
        assert run(["repair", "-i", str(path)]) == 4
        client.stdin.close()
    assert "a client seems to be at work" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert journal.records() == []


def test_a_writer_in_its_transaction_is_not_disturbed(store):
    """--force goes past an open connection, and not past a lock; the journal keeps no record of what did not happen."""
    path = store(DAMAGES["no-state"])
    base = sqlite3.connect(path)
    base.execute("BEGIN IMMEDIATE")
    before = path.read_bytes()

    assert run(["repair", "-i", "--force", str(path)]) == 4
    base.rollback()
    base.close()
    assert path.read_bytes() == before
    assert journal.records() == []


def test_a_session_that_went_on_is_not_undone(store):
    """A row that is another one since the repair stays."""
    path = store(DAMAGES["no-state"])
    assert run(["repair", "-i", str(path)]) == 0
    with sqlite3.connect(path) as base:
        base.execute("UPDATE part SET data = json_set(data, '$.text', 'New.') WHERE json_extract(data, '$.type') = 'text'")
    base.close()
    os.utime(path, (1_700_000_000, 1_700_000_000))
    before = rows(path)

    assert run(["undo", "--last"]) == 4
    assert rows(path) == before


def test_the_output_file_is_not_the_database(store, tmp_path):
    """-o writes the session as a document, which can be checked; the database itself is no output."""
    path = store(DAMAGES["no-output"])
    before = path.read_bytes()

    assert run(["repair", str(path), "-o", str(tmp_path / "new.json")]) == 0
    assert run(["check", str(tmp_path / "new.json")]) == 0
    assert run(["repair", str(path), "-o", str(path)]) == 2
    assert path.read_bytes() == before


def test_only_texts_of_rows_that_are_there_are_written(store):
    """A document in which a row is missing is refused; every row is found in a document by table and id."""
    path = store()
    document = b"".join(place_of(str(path)).pieces())
    found = rows_of(document)

    with sqlite3.connect(path) as base:
        for table in ("message", "part"):
            for ident, data in base.execute(f"SELECT id, data FROM {table}"):
                assert found[table, ident].data == data.encode()
    base.close()
    assert list(changes(document, document)) == []
