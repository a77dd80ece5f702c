"""Sessions in databases: how they are named, read and left as they are."""

import json
import shutil
import sqlite3

import pytest
from condense_cli.errors import UnreadableError, UsageError
from condense_cli.storage.databases.find import file_of, is_known, listed, paths_of, place_of
from condense_cli.storage.source import open_source
from tests import databases
from tests.strategies import condense


def bytes_below(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_rows_are_what_the_fixture_says(tmp_path):
    """The document of a session: rows in the client's order, the text of each after what its columns say."""
    path = tmp_path / "opencode.db"
    databases.opencode(path).close()

    with open_source(f"{path}#ses_1") as source:
        assert source.read(0, source.size) == (databases.SESSIONS / "opencode-db" / "healthy.json").read_bytes()
        assert source.path == f"{path}#ses_1"
        assert source.real is None


def test_a_database_with_one_session_is_that_session(tmp_path):
    """Of several one has to be named; check looks at all of them, and a sub-agent's counts as none."""
    one, several = tmp_path / "one.db", tmp_path / "several.db"
    databases.opencode(one).close()
    databases.opencode(several, more=2).close()

    assert place_of(str(one)).id == "ses_1"
    with pytest.raises(UsageError, match="3 sessions"):
        place_of(str(several))
    assert place_of(f"{several}#ses_more1").id == "ses_more1"
    assert json.loads(condense("check", "--output-format", "json", several).out)["summary"]["files"] == 3
    assert condense("render", several).code == 2
    assert condense("render", f"{several}#ses_1").code == 0
    assert condense("render", f"{several}#ses_none").code == 3
    assert [one.folder for one in listed(str(one))] == ["/home/dev/shop"]
    child = tmp_path / "child.db"
    databases.opencode(child, parent="ses_0").close()
    assert paths_of(str(child)) == []


def test_the_log_is_read_and_nothing_is_written(tmp_path):
    """What a client wrote last is in the log; no byte and no file of the store changes while it is read."""
    folder = tmp_path / "live"
    folder.mkdir()
    base = databases.opencode(folder / "opencode.db")
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("UPDATE part SET data = json_set(data, '$.text', 'Written last.') WHERE id = (SELECT max(id) FROM part WHERE data LIKE '%\"text\":%')")
    base.commit()
    cold = tmp_path / "cold"
    cold.mkdir()
    for end in ("", "-wal"):
        shutil.copyfile(folder / f"opencode.db{end}", cold / f"opencode.db{end}")

    for place in (folder, cold):
        before = bytes_below(place)
        shown = condense("render", "--view", "context", "--output-format", "json", place / "opencode.db")
        assert shown.code == 0, shown.err
        assert b"Written last." in shown.out
        assert bytes_below(place) == before
    base.close()


def test_other_databases_are_named_as_before(tmp_path):
    """A database of another program, or one that is damaged, is refused."""
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE session (id text)")
    base.close()
    torn = tmp_path / "torn.db"
    databases.opencode(torn).close()
    torn.write_bytes(torn.read_bytes()[:5000])

    assert not is_known(str(other))
    assert condense("check", other).code == 3
    assert condense("check", torn).code == 3
    assert condense("check", f"{torn}#ses_1").code == 3


def test_a_file_with_a_hash_in_its_name_is_a_file(tmp_path):
    """A file that exists is meant, whatever is in its name."""
    path = tmp_path / "a#b.jsonl"
    shutil.copyfile(databases.SESSIONS / "pi" / "healthy.jsonl", path)

    assert file_of(str(path)) == str(path)
    assert condense("check", path).code == 0
    with pytest.raises(UnreadableError):
        open_source(f"{tmp_path}/none#b")


def damaged(path, change):
    base = databases.opencode(path)
    change(base)
    base.commit()
    base.close()
    report = json.loads(condense("check", "--output-format", "json", path).out)["files"][0]
    assert report["format"] == "opencode-db"
    return {(finding["rule"], finding["severity"]) for finding in report["findings"]}


TOOL = "(SELECT min(id) FROM part WHERE json_extract(data, '$.type') = 'tool')"


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (f"UPDATE part SET data = json_set(data, '$.state.status', 'running') WHERE id = {TOOL}", ("unanswered-call", "info")),
        (f"UPDATE part SET data = json_remove(data, '$.state.output') WHERE id = {TOOL}", ("unanswered-call", "error")),
        (f"UPDATE part SET data = json_remove(data, '$.state') WHERE id = {TOOL}", ("unanswered-call", "error")),
        (f"UPDATE part SET data = json_set(data, '$.state.input', 'text') WHERE id = {TOOL}", ("invalid-arguments", "error")),
        (f"UPDATE part SET data = substr(data, 1, 20) WHERE id = {TOOL}", ("unreadable-line", "error")),
        ("UPDATE message SET data = '' WHERE id = (SELECT max(id) FROM message)", ("unreadable-line", "error")),
    ],
)
def test_what_the_client_heals_is_info_and_what_it_does_not_is_an_error(tmp_path, sql, found):
    """Running calls are answered by the client; a call without an output, or a row that is no JSON, stops the session."""
    path = tmp_path / "opencode.db"

    assert found in damaged(path, lambda base: base.execute(sql))


def test_openclaws_database_is_read_and_never_written(tmp_path):
    """Its events are the lines of older versions; what is wrong is told, and `openclaw doctor` named."""
    path = tmp_path / "openclaw-agent.sqlite"
    base = databases.openclaw(path)
    base.execute("DELETE FROM transcript_events WHERE event_json LIKE '%toolCall\"%' AND seq = (SELECT min(seq) FROM transcript_events WHERE event_json LIKE '%\"toolCall\"%')")
    base.commit()
    base.close()
    before = path.read_bytes()

    report = json.loads(condense("check", "--output-format", "json", path).out)["files"][0]
    assert (report["format"], report["error"]) == ("openclaw", None)
    assert report["findings"]
    assert condense("render", "--output-format", "text", path).code == 0
    refused = condense("repair", path)
    assert (refused.code, "openclaw doctor" in refused.err) == (4, True)
    assert path.read_bytes() == before


def test_the_folders_of_older_versions_are_one_session(tmp_path):
    """The file of the session names it; messages are in the order of their times, a torn part is told, nothing is written."""
    export = json.loads((databases.SESSIONS / "opencode" / "healthy.json").read_text(encoding="utf-8"))
    root = tmp_path / "storage"
    session = root / "session" / "p" / "ses_1.json"
    files = {session: export["info"]}
    for message in export["messages"]:
        files[root / "message" / "ses_1" / f"{message['info']['id']}.json"] = message["info"]
        files |= {root / "part" / message["info"]["id"] / f"{part['id']}.json": part for part in message["parts"]}
    for path, value in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=2), encoding="utf-8")

    report = json.loads(condense("check", "--output-format", "json", session).out)["files"][0]
    assert (report["format"], report["error"], report["findings"], report["messages"]) == ("opencode-db", None, [], len(export["messages"]))
    assert "Still 14." in condense("render", "--view", "context", "--output-format", "json", session).out.decode()
    torn = next(path for path, value in files.items() if value.get("type") == "tool")
    torn.write_text(torn.read_text(encoding="utf-8")[:40], encoding="utf-8")
    found = json.loads(condense("check", "--output-format", "json", session).out)["files"][0]["findings"]
    assert ("unreadable-line", "error") in {(one["rule"], one["severity"]) for one in found}
    assert condense("repair", "-i", "--force", session).code == 4
