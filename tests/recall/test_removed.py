"""Outputs that a repair in place took out of a session stay within reach of query."""

import json
import os

import pytest
from condense_cli.cli import run
from tests import oracle
from tests.strategies import chat_array, pi_file


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def ask(capfdbinary, *arguments):
    code = run(["query", *arguments])
    out, err = capfdbinary.readouterr()
    return code, out.decode(), err.decode()


@pytest.mark.parametrize(("write", "name"), [(pi_file, "s.jsonl"), (chat_array, "s.json")])
def test_a_dropped_result_is_found_in_the_journal(state, tmp_path, capfdbinary, write, name):
    """A result that a repair dropped comes back byte for byte, and standard error says which repair took it out."""
    path = tmp_path / name
    path.write_bytes(write(oracle.notation("U A(x) R(x) T U R(lost) T U")))
    os.utime(path, (1, 1))
    assert run(["repair", "-i", str(path)]) == 0
    capfdbinary.readouterr()
    assert b"lost" not in path.read_bytes()

    code, out, err = ask(capfdbinary, "--session", str(path), "--raw", "lost")
    assert (code, out) == (0, "m5")
    assert "the repair" in err and "condense undo" in err
    found = json.loads(ask(capfdbinary, "--session", str(path), "--output-format", "json", "lost#1")[1])
    assert [o["toolCallId"] for o in found["results"][0]["outputs"]] == ["lost"]
    assert ask(capfdbinary, "--session", str(path), "lost#2", "never")[0] == 1
    assert ask(capfdbinary, "--session", str(path), "--index-only", "lost")[0] == 1


@pytest.mark.parametrize(("write", "name"), [(pi_file, "s.jsonl"), (chat_array, "s.json")])
def test_what_a_repair_of_a_copy_took_out_is_found_in_the_copy(state, tmp_path, capfdbinary, write, name):
    """The record is no repair to undo; another repair into the same file replaces it, and --no-backup keeps nothing."""
    path, copy = tmp_path / name, tmp_path / f"copy-{name}"
    path.write_bytes(write(oracle.notation("U A(x) R(x) T U R(lost) T U")))
    assert run(["repair", "-o", str(copy), str(path)]) == 0
    capfdbinary.readouterr()

    code, out, err = ask(capfdbinary, "--session", str(copy), "--raw", "lost")
    assert (code, out) == (0, "m5")
    assert "the session it was made of still has it" in err and "undo" not in err
    assert run(["undo", "--json"]) == 0
    assert json.loads(capfdbinary.readouterr()[0])["repairs"] == []
    assert run(["undo", "--last"]) == 1

    path.write_bytes(write(oracle.notation("U A(x) R(x) T U R(other) T U")))
    assert run(["repair", "-o", str(copy), str(path)]) == 0
    assert ask(capfdbinary, "--session", str(copy), "--raw", "lost")[0] == 1
    assert run(["repair", "--no-backup", "-o", str(tmp_path / "third.json"), "--format", "auto", str(path)]) == 0
    assert len([n for n in os.listdir(tmp_path / "state/condense/journal") if not n.startswith(".")]) == 1
