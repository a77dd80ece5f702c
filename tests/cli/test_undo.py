"""`condense undo`: exit code, stdout, stderr."""

from __future__ import annotations

import json
import os
import time

import pytest
from condense_cli.cli import run
from condense_cli.model.plan import Copy, Put
from condense_cli.storage import journal
from condense_cli.storage.files import Repair, open_source, replace_in_place

LINES = b'{"n":1}\n{"n":2}\n'
REPAIRED = b'{"n":1}\n'
FIRST_LINE = (Copy(0, 8),)


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def repaired(tmp_path):
    def repair(name, segments=FIRST_LINE):
        path = tmp_path / name
        if not path.exists():
            path.write_bytes(LINES)
        os.utime(path, (1_700_000_000,) * 2)
        with open_source(str(path)) as source:
            return path, replace_in_place(source, segments, lambda _: None, repair=Repair("pi", "repair -i", ("orphan-result", "bom"))).entry

    return repair


def test_without_repairs_the_list_is_empty(capfd):
    """An empty list is fine, and said on stderr."""
    assert run(["undo"]) == 0
    assert capfd.readouterr() == ("", "no in-place repair is on record\n")


def test_the_list_shows_the_newest_first(capfd, repaired):
    """One line each: id, time, status, path, rules."""
    path_a, a = repaired("a.jsonl")
    path_b, b = repaired("b.jsonl")
    run(["-q", "undo", a.id])
    capfd.readouterr()
    assert run(["undo"]) == 0
    when = [f"{one.id[:4]}-{one.id[4:6]}-{one.id[6:8]} {one.id[9:11]}:{one.id[11:13]}" for one in (b, a)]
    assert capfd.readouterr().out == (
        f"{b.id}  {when[0]}  done      {path_b}  orphan-result, bom\n{a.id}  {when[1]}  undone    {path_a}  orphan-result, bom\n"
    )


def test_a_path_cannot_steer_the_terminal(capfd, repaired):
    """Control characters and line breaks in a file name show as escapes."""
    repaired("a\x1b[2J\nb.jsonl")
    run(["undo"])
    out = capfd.readouterr().out
    assert "\x1b" not in out
    assert out.count("\n") == 1


def test_the_list_as_json(capfd, repaired):
    """Programs get every fact of an entry, with the time in UTC."""
    path, entry = repaired("a.jsonl")
    assert run(["undo", "--output-format", "json"]) == 0
    (found,) = json.loads(capfd.readouterr().out)["repairs"]
    assert list(found) == list(entry._fields)
    assert (found["id"], found["path"], found["status"], found["rules"]) == (entry.id, str(path), "done", ["orphan-result", "bom"])
    assert found["time"].endswith("Z")


@pytest.mark.parametrize("name", [lambda entry: entry.id, lambda entry: entry.id[:11], lambda _: "--last"], ids=["id", "start", "last"])
def test_undo_puts_the_bytes_back(capfd, repaired, name):
    """By id, by the start of it, or as the last one."""
    path, entry = repaired("a.jsonl")
    assert run(["undo", name(entry)]) == 0
    assert path.read_bytes() == LINES
    assert capfd.readouterr() == ("", f"{path}: as before repair {entry.id}\n")


def test_last_steps_back_one_by_one(repaired):
    """Each --last takes back the newest repair that is left."""
    path, _ = repaired("a.jsonl")
    repaired("a.jsonl", (Copy(0, 8), Put(b"{}\n")))
    assert path.read_bytes() == REPAIRED + b"{}\n"
    assert run(["-q", "undo", "--last"]) == 0
    assert path.read_bytes() == REPAIRED
    assert run(["-q", "undo", "--last"]) == 0
    assert path.read_bytes() == LINES
    assert run(["-q", "undo", "--last"]) == 1


def test_kept_lines_are_said(capfd, repaired):
    """Lines that were appended since stay, and the note says so."""
    path, entry = repaired("a.jsonl")
    with path.open("ab") as file:
        file.write(b'{"n":3}\n')
    os.utime(path, (1_700_000_000,) * 2)
    assert run(["undo", "--last", "--output-format", "json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"version": 1, "id": entry.id, "path": str(path), "already": False, "kept_bytes": 8}
    assert path.read_bytes() == LINES + b'{"n":3}\n'


def test_an_unknown_id_is_not_found(capfd, repaired):
    """No such repair: code 1, and the way to the list."""
    repaired("a.jsonl")
    assert run(["undo", "1999"]) == 1
    assert "no repair has this id" in capfd.readouterr().err


def test_nothing_to_undo_is_not_found(capfd):
    """--last without a repair: code 1."""
    assert run(["undo", "--last"]) == 1
    assert "no repair to undo" in capfd.readouterr().err


def test_a_second_undo_is_refused(capfd, repaired):
    """Undone is undone: code 4."""
    _, entry = repaired("a.jsonl")
    assert run(["undo", entry.id]) == 0
    assert run(["undo", entry.id]) == 4
    assert "was undone already" in capfd.readouterr().err


def test_a_live_session_is_refused_unless_forced(capfd, repaired):
    """The live guard: code 4; --force overrides."""
    path, entry = repaired("a.jsonl")
    os.utime(path)
    assert run(["undo", entry.id]) == 4
    assert path.read_bytes() == REPAIRED
    assert run(["undo", entry.id, "--force"]) == 0
    assert path.read_bytes() == LINES


def test_a_gone_session_is_unreadable(capfd, repaired):
    """The session was deleted: code 3."""
    path, entry = repaired("a.jsonl")
    path.unlink()
    assert run(["undo", entry.id]) == 3
    assert "No such file" in capfd.readouterr().err


def test_an_id_and_last_contradict_each_other(capfd):
    """Both at once are a usage error."""
    assert run(["undo", "2026", "--last"]) == 2
    assert "contradict" in capfd.readouterr().err


def test_the_list_clears_what_a_killed_repair_left(capfd, repaired):
    """A repair that never took place is not shown; one that did is shown as done."""
    _, entry = repaired("a.jsonl")
    other, never = repaired("b.jsonl")
    other.write_bytes(LINES)
    for one in (entry, never):
        journal.mark(one, journal.Status.PREPARED)
    assert run(["undo"]) == 0
    out = capfd.readouterr().out
    assert (out.count("\n"), entry.id in out, "done" in out) == (1, True, True)
