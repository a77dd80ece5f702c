"""condense compact, from the command line."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest
from condense_cli.cli import run
from tests.killing import killed_at

REPOSITORY = pathlib.Path(__file__).parents[2]
FIXTURES = REPOSITORY / "fixtures" / "compact"
GOLDEN = REPOSITORY.parent / "shared" / "golden-2.11"
NOW = ("--now", "1790000000000")
LONG_AGO = 1_700_000_000


@pytest.fixture(autouse=True)
def folder(monkeypatch):
    # In memory where that is possible: the crash test calls fsync hundreds of times.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        path = pathlib.Path(os.path.realpath(name))
        monkeypatch.setenv("XDG_STATE_HOME", str(path / "state"))
        (path / "work").mkdir()
        yield path / "work"


@pytest.fixture
def session(folder):
    return renew(folder)


def renew(folder):
    path = pathlib.Path(shutil.copy(FIXTURES / "spilled-and-reused" / "session.jsonl", folder / "session.jsonl"))
    shutil.copy(FIXTURES / "spilled-and-reused" / "settings.json", folder / "settings.json")
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


@pytest.fixture
def compact(capfd):
    def compacted(*arguments):
        code = run(["compact", *map(str, arguments)])
        out, err = capfd.readouterr()
        return code, out, err

    return compacted


def options(session):
    return ("--window", "0", "--settings", session.parent / "settings.json", *NOW)


def test_without_a_target_nothing_is_written(compact, session):
    """A line per chain, the sum, and the command that applies it; exit 1 says that there is something to do."""
    before = session.read_bytes()

    code, out, err = compact(session, *options(session))

    assert code == 1
    assert out.splitlines()[0].split() == ["line", "chain", "calls", "tools", "saved", "refs"]
    assert [line.split()[1] for line in out.splitlines()[1:-1]] == ["b1", "b2", "-"]
    assert "2 chains compressed: " in out and "2 outputs in files" in out
    assert "\nnothing was written; to apply it: condense compact --window 0 " in err
    assert session.read_bytes() == before
    assert sorted(os.listdir(session.parent)) == ["session.jsonl", "settings.json"]


def test_a_session_without_work_is_fine(compact, session):
    """Exit 0, and nothing to apply is offered."""
    code, out, err = compact(session, "--window", "9")

    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "nothing to compress"
    assert "too recent (--window)" in out


def test_output_is_written_with_its_blobs(compact, session):
    """The new file begins with the old bytes; the files that it names are beside it; a second run writes the same."""
    code, _, _ = compact(session, "-o", session.parent / "out.jsonl", *options(session))

    data = (session.parent / "out.jsonl").read_bytes()
    assert code == 0
    assert data.startswith(session.read_bytes())
    assert sorted(os.listdir(session.parent / "fixture-spilled-blobs")) == ["bash_1_1130.txt", "bash_1_1230.txt"]
    assert compact(session.parent / "out.jsonl", "-o", session.parent / "again.jsonl", *options(session))[0] == 0
    assert (session.parent / "again.jsonl").read_bytes() == data


def test_output_is_written_even_when_nothing_is_appended(compact, session):
    """It is then the session itself."""
    assert compact(session, "-o", session.parent / "out.jsonl", "--window", "9")[0] == 0
    assert (session.parent / "out.jsonl").read_bytes() == session.read_bytes()


def test_blobs_lie_beside_the_output(compact, session):
    """A copy in another folder is complete there: query looks for spilled outputs beside the session only."""
    (session.parent / "copies").mkdir()

    compact(session, "-o", session.parent / "copies" / "out.jsonl", *options(session))

    assert os.listdir(session.parent / "copies" / "fixture-spilled-blobs")
    assert not (session.parent / "fixture-spilled-blobs").exists()


def test_standard_output_gets_the_session_alone(compact, session):
    """With -o - the table goes to stderr."""
    code, out, err = compact(session, "-o", "-", *options(session))

    assert code == 0
    assert all(isinstance(json.loads(line), dict) for line in out.splitlines())
    assert out.encode().startswith(session.read_bytes())
    assert "2 chains compressed" in err


def test_in_place_can_be_undone(compact, session, capfd):
    """The session is replaced; undo gives its bytes back."""
    before = session.read_bytes()

    code, _, err = compact(session, "-i", *options(session))

    assert code == 0 and "to take it back: condense undo " in err
    assert session.read_bytes().startswith(before) and session.read_bytes() != before
    assert run(["undo", "--last"]) == 0
    assert session.read_bytes() == before


def test_a_live_session_is_not_touched_and_leaves_no_blobs(compact, session):
    """It was written a moment ago: refused, and nothing is left beside it."""
    os.utime(session)

    assert compact(session, "-i", *options(session))[0] == 4
    assert sorted(os.listdir(session.parent)) == ["session.jsonl", "settings.json"]
    assert compact(session, "-i", "--force", *options(session))[0] == 0


def test_json_says_what_was_done(compact, session):
    """One object: rows, sizes, files, diagnostics, what was detected, without any text."""
    code, out, _ = compact(session, "-o", session.parent / "out.jsonl", "--output-format", "json", *options(session))
    value = json.loads(out)

    assert code == 0
    assert (value["written"], value["appended"], value["afterChars"] < value["beforeChars"]) == (True, 5, True)
    assert [row["blockId"] for row in value["chains"]] == ["b1", "b2", None]
    assert [os.path.basename(path) for path in value["spilled"]] == ["bash_1_1130.txt", "bash_1_1230.txt"]
    assert value["skipped"] == [{"startUserTimestamp": 1300, "reason": "no-summary"}]
    assert value["diagnostics"] == [{"kind": "backfill-empty", "key": "1300", "detail": "middles=1"}]
    assert value["detect"]["eligible"] == [1100, 1200, 1300]
    assert "capture" not in value


def test_json_holds_texts_only_where_they_are_asked_for(compact, session):
    """What a rescan would capture is text of the session: it took --with-text to print it."""
    json_ = ("--output-format", "json", *options(session))
    _, out, _ = compact(session, "-o", session.parent / "out.jsonl", *json_)
    _, more, _ = compact(session, "-o", session.parent / "out2.jsonl", "--with-text", *json_)
    value, capture = json.loads(more), json.loads(more)["capture"]
    assert [len(batch["toolCalls"]) for batch in capture["batches"]] == [2, 1]
    assert {key for key in value if key != "capture"} == set(json.loads(out))


@pytest.mark.parametrize("ident", ["../evil", "/tmp/evil", ".."])
def test_a_header_id_takes_no_blob_out_of_the_folder(compact, session, ident):
    """The outputs stay in the session, which is said."""
    lines = session.read_bytes().split(b"\n", 1)
    session.write_bytes(json.dumps({**json.loads(lines[0]), "id": ident}).encode() + b"\n" + lines[1])

    code, out, _ = compact(session, "-o", session.parent / "out.jsonl", *options(session))

    assert code == 0 and "2 long outputs kept in the session" in out
    assert sorted(os.listdir(session.parent)) == ["out.jsonl", "session.jsonl", "settings.json"]
    assert os.listdir(session.parent.parent) == ["work"]


def test_a_blob_of_someone_else_is_not_written_over(compact, session):
    """The output stays in the session, and comes back all the same."""
    (session.parent / "fixture-spilled-blobs").mkdir()
    (session.parent / "fixture-spilled-blobs" / "bash_1_1130.txt").write_text("mine")

    code, out, _ = compact(session, "-o", session.parent / "out.jsonl", *options(session))

    assert code == 0 and "1 long output kept in the session" in out
    assert (session.parent / "fixture-spilled-blobs" / "bash_1_1130.txt").read_text() == "mine"


def test_what_contradicts_itself_is_refused(compact, session):
    """Two targets, a negative window, the input as output, and formats that are not known here."""
    chat = session.parent / "session-x.json"
    told = {"id": "1", "timestamp": "2026-01-01T00:00:00.000Z", "type": "user", "content": "hello"}
    chat.write_text(json.dumps({"sessionId": "a", "projectHash": "b", "startTime": told["timestamp"], "lastUpdated": told["timestamp"], "messages": [told]}))

    assert compact(session, "-i", "-o", "x")[0] == 2
    assert compact(session, "--window", "-1")[0] == 2
    assert compact(session, "-o", session, *options(session))[0] == 2
    assert compact(chat)[0] == 2
    assert compact(session.parent / "missing.jsonl")[0] == 3
    assert not (session.parent / "fixture-spilled-blobs").exists()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_every_step_the_session_names_no_missing_blob(folder, capfd):
    """The session is the old one or the new one, what it names is there as a whole, and the next run gets through."""
    session = renew(folder)
    old = session.read_bytes()
    arguments = ["compact", str(session), "-i", *map(str, options(session))]
    states = set()
    for number in range(1, 200):
        if not killed_at(number, lambda: run(["-q", *arguments])):
            break
        now = session.read_bytes()
        states.add(now == old)
        assert now == old or now.startswith(old)
        for name, size in blobs_of(now):
            assert os.path.getsize(name) == size
        os.utime(session, (LONG_AGO, LONG_AGO))
        assert run(["-q", *arguments]) == 0
        assert session.read_bytes() != old
        assert visible(folder) == ["fixture-spilled-blobs", "session.jsonl", "settings.json"]
        assert sorted(os.listdir(folder / "fixture-spilled-blobs")) == ["bash_1_1130.txt", "bash_1_1230.txt"]
        shutil.rmtree(folder)
        shutil.rmtree(folder.parent / "state", ignore_errors=True)
        folder.mkdir()
        renew(folder)
    assert states == {True, False} and number > 20


def visible(folder):
    """The names that a client would look at."""
    return sorted(name for name in os.listdir(folder) if not (name.startswith(".condense-") and name.endswith(".tmp")))


def blobs_of(data):
    for line in data.splitlines():
        entry = json.loads(line)
        if entry.get("customType") == "context-prune-index":
            yield from ((record["spillPath"], record["spillBytes"]) for record in entry["data"]["toolCalls"] if "spillPath" in record)


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs the recorded compressions")
@pytest.mark.parametrize("name", ["05-*", "08-*"])
def test_recorded_compressions_are_reproduced(name, tmp_path):
    """Entries, files, reports, rendering, queries and the second run of the real program, as processes."""
    for script in ("compare.py", "compare_compact.py"):
        shutil.copy(GOLDEN.parent / "golden" / script, tmp_path)
    done = subprocess.run(
        [sys.executable, tmp_path / "compare_compact.py", "--strict", "--condense", f"{sys.executable} -m condense_cli", "--only", name, GOLDEN / "compact"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.fspath(REPOSITORY)},
    )

    assert done.stdout.strip() == "1 passed, 0 failed", done.stdout + done.stderr
