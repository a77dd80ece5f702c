"""`condense diff`: exit code, stdout, stderr."""

import os
from pathlib import Path

import pytest
from tests.strategies import calls, condense, pi_file

DEMO = Path(__file__).parents[2] / "fixtures" / "demo"
SOUND = [("user",), calls(["a"]), ("result", "a"), ("text",)]
ORPHAN = [("user",), calls(["a"]), ("result", "a"), ("result", "b"), ("text",)]
UNANSWERED = [("user",), calls(["a"]), ("user",), ("text",)]


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Write a session into the current folder, an empty one, and return its name."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def written(messages, name="s.jsonl"):
        (tmp_path / name).write_bytes(messages if isinstance(messages, bytes) else pi_file(messages))
        return name

    return written


def test_a_difference_is_exit_1(put):
    """Each change has its place and reason, old and new text follow without JSON, the sum is on stderr; nothing is written."""
    path = put(ORPHAN)
    before = Path(path).read_bytes()
    outcome = condense("diff", path)
    lines = outcome.out.decode().splitlines()

    assert outcome.code == 1
    assert lines[0] == "line 5 result b is removed"
    assert lines[1].startswith("  orphan-result: ")
    assert lines[2:] == ["  - <- b", "  - m3", "line 6 is only linked to another parent"]
    assert outcome.err == "s.jsonl: 1 record changed, 1 removed\n"
    assert Path(path).read_bytes() == before
    assert os.listdir() == [path]


def test_no_difference_is_exit_0(put):
    """Of a sound session nothing is printed on stdout."""
    assert condense("diff", put(SOUND)) == (0, b"", "s.jsonl: nothing to repair\n")


def test_it_shows_what_repair_does(put):
    """The edits are those of the dry run, whatever the policies."""
    path = put(UNANSWERED)

    def edits(*words):
        return condense(*words, path).out.decode().split("not repaired:")[0].split(f"{path}: ")[0]

    for options in ([], ["--unanswered", "drop"], ["--contract", "anthropic"], ["--select", "bom"]):
        assert edits("diff", *options) == edits("repair", *options)
    assert edits("diff") != edits("diff", "--unanswered", "drop")
    assert edits("diff", "--ignore", "unanswered-call") == ""
    assert condense("diff", "--unanswered", "keep", path).code == 0


def test_what_stays_broken_is_no_difference(put):
    """A fault without a fix is listed, and the exit code is 0: nothing would change."""
    lines = pi_file(SOUND).splitlines(keepends=True)
    outcome = condense("diff", put(b"".join([*lines[:2], b"{broken}\n", *lines[2:]])))

    assert outcome.code == 0
    assert outcome.out.startswith(b"not repaired:\n  warning unreadable-line at line 3: ")


def test_what_pruning_changes(put):
    """--view rendered lists what `render` drops and puts in; without such changes it ends with 0."""
    changed = condense("diff", "--view", "rendered", DEMO / "pruned.jsonl")
    sound = condense("diff", "--view", "rendered", put(SOUND))

    assert changed.code == 1
    assert changed.out == condense("render", "--dry-run", DEMO / "pruned.jsonl").out
    assert b"compressed chain b1" in changed.out
    assert sound[:2] == (0, b"nothing is pruned\n")


def test_errors_are_told_apart(put):
    """A file that is not there or none ends with 3, wrong options with 2."""
    path = put(ORPHAN)

    assert condense("diff", "missing.jsonl").code == 3
    assert condense("diff", put(b"x\n", "n.jsonl")).code == 3
    assert condense("diff", "--view", "stored", path).code == 2
    assert condense("diff", "--leaf", "nowhere", path).code == 2
    assert condense("diff").code == 3  # the newest session of this folder: there is none


def test_the_session_cannot_steer_the_terminal(put):
    """Control and direction characters of a line that changes are shown as escapes."""
    data = pi_file(ORPHAN).replace(b'"text":"m3"', '"text":"\u202e\x9b31m \x7f"'.encode())
    out = condense("diff", put(data)).out.decode()

    assert "\\u202e\\x9b31m \\x7f" in out
    assert not {"\u202e", "\x9b", "\x7f", "\x1b"} & set(out)


def test_colour_is_only_for_those_who_want_it(put):
    """In a pipe there is none, unless it is asked for."""
    path = put(ORPHAN)

    assert b"\x1b[" not in condense("diff", path).out
    assert b"\x1b[" in condense("--color", "always", "diff", path).out


def test_side_by_side_is_as_wide_as_it_may_be(put):
    """Old text is on the left of the bar, new text on its right."""
    out = condense("diff", "--side-by-side", put(UNANSWERED)).out.decode()
    rows = [line for line in out.splitlines() if "│" in line]

    assert rows
    assert all(line.index("│") == 39 for line in rows)
    assert any(not line[:39].strip() and "[condense]" in line[39:] for line in rows)


def test_numbers_alone(put):
    """--stat has a row per rule, and the records of both files."""
    out = condense("diff", "--stat", put(ORPHAN)).out.decode().splitlines()

    assert out[1].split()[:3] == ["orphan-result", "1", "reparent,"]
    assert out[-1].startswith("6 -> 5 records, ")


def test_raw_is_json_lines(put):
    """--raw has the records as they are in both files."""
    path = put(ORPHAN)
    outcome = condense("diff", "--raw", path)
    removed, linked = outcome.records

    assert outcome.code == 1
    assert (removed["change"], removed["line"], removed["new"]) == ("remove", 5, None)
    assert removed["old"].encode() == Path(path).read_bytes().splitlines(keepends=True)[4]
    assert (linked["change"], linked["line"]) == ("change", 6)
    assert condense("diff", "--raw", "--stat", path).code == 2
    assert condense("diff", "--raw", "--view", "rendered", path).code == 2
