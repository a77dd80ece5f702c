"""condense compact of Claude Code, Codex and message arrays, from the command line."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import tempfile

import pytest
from condense_cli.cli import run
from condense_cli.recall.find import Finder
from condense_cli.recall.transcript import occurrences
from condense_cli.session.opened import open_session
from tests import conversations
from tests.conversations import FORMATS, chain, chains
from tests.killing import killed_at

SHARED = pathlib.Path(__file__).parents[3] / "shared"
NOW = ("--now", "1793600000000")
STEPS = ("write", "fsync", "replace", "rename", "link", "unlink", "open")


@pytest.fixture(autouse=True)
def state(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture(params=sorted(FORMATS))
def name(request):
    return request.param


@pytest.fixture
def session(tmp_path, name):
    return conversations.written(tmp_path, name, chains(5))


@pytest.fixture
def condense(capfdbinary):
    def called(*arguments):
        code = run([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return code, out, err.decode()

    return called


def outputs(path):
    """Every output of a session by its id, as `query` gives it back."""
    with open_session(str(path)) as opened:
        finder = Finder(opened)
        ids = dict.fromkeys(o.result.id for o in occurrences(opened.branch()))
        return {i: [(o.bytes(), o.tool, o.arguments, o.error, o.time) for o in finder.answer(i).outputs] for i in ids}


def answers(path, ids):
    with open_session(str(path)) as opened:
        finder = Finder(opened)
        return {i: [(o.bytes(), o.tool, o.arguments, o.error, o.time) for o in finder.answer(i).outputs] for i in ids}


def counts(condense, path):
    report = json.loads(condense("check", "--output-format", "json", path)[1])["files"][0]
    return sorted((f["rule"], f["severity"]) for f in report["findings"] if f["severity"] != "info")


def test_old_chains_leave_and_every_output_comes_back(condense, session, tmp_path):
    """By id, byte for byte, with tool, arguments and time; the new session breaks no rule."""
    new = tmp_path / f"new{session.suffix}"
    before = outputs(session)

    code, out, err = condense("compact", session, "--window", "2", "-o", new, *NOW)

    assert (code, err) == (0, "")
    assert b"3 chains compressed" in out
    assert answers(new, before) == before
    left = new.read_text()
    assert "output 2 1" not in left and "output 3 0" in left and "Looking 0.0" not in left
    assert "Answer 0" in left and "Question 0" in left
    assert counts(condense, new) == []


def test_outputs_come_back_by_reference_and_by_time(condense, session, tmp_path, name):
    """`tN` gives the raw bytes; where the format has times, `ID@TIME` names one of them."""
    new = tmp_path / f"new{session.suffix}"
    condense("compact", session, "--window", "0", "-o", new, *NOW)
    wanted = outputs(session)

    for number, (ident, found) in enumerate(wanted.items(), 1):
        assert condense("query", "--session", new, "--raw", f"t{number}")[:2] == (0, found[0][0])
        if name in ("claude-code", "codex"):
            assert condense("query", "--session", new, "--raw", f"{ident}@{int(found[0][4])}")[:2] == (0, found[0][0])
    assert condense("query", "--session", new, f"t{len(wanted) + 1}")[0] == 1


def test_the_line_of_a_stand_in_gives_its_outputs(condense, tmp_path):
    """`L` and the line names what the message on it stands for."""
    session = conversations.written(tmp_path, "codex", chains(1))
    condense("compact", session, "--window", "0", "-o", tmp_path / "new.jsonl", *NOW)
    line = 1 + next(n for n, row in enumerate((tmp_path / "new.jsonl").read_text().splitlines()) if "compressed-chain" in row)

    code, out, _ = condense("query", "--session", tmp_path / "new.jsonl", "--raw", f"L{line}")

    assert code == 0 and out.count(b"output 0") == 2


def test_an_id_that_was_used_again_gives_all_its_outputs_in_order(condense, tmp_path, name):
    """Those that left and those that stand in the session still, also in formats without times."""
    reused = [(kind, "same" if kind == "result" else what, *([[("same", c) for _, c in more[0]]] if kind == "says" else more)) for kind, what, *more in chains(4, calls=1)]
    session = conversations.written(tmp_path, name, reused)
    new = tmp_path / f"new{session.suffix}"

    assert condense("compact", session, "--window", "2", "-o", new, *NOW)[0] == 0

    found = answers(new, ["same"])["same"]
    assert found == outputs(session)["same"]
    assert [text.decode()[:8] for text, *_ in found] == ["output 0", "output 1", "output 2", "output 3"]
    assert condense("query", "--session", new, "--raw", "same#1")[1].startswith(b"output 0")
    assert condense("query", "--session", new, "--raw", "same#4")[1].startswith(b"output 3")


def test_a_second_run_changes_nothing(condense, session, tmp_path):
    """The session and its sidecar are the same bytes, and the dry run says that nothing is to be done."""
    first, second = tmp_path / f"first{session.suffix}", tmp_path / f"second{session.suffix}"
    condense("compact", session, "-o", first, *NOW)

    assert condense("compact", first)[:2] == (0, condense("compact", first)[1])
    assert condense("compact", first, "-o", second)[0] == 0
    assert second.read_bytes() == first.read_bytes()
    assert sidecar(second).read_bytes() == sidecar(first).read_bytes()


def test_what_comes_later_is_numbered_on(condense, tmp_path, name):
    """A session that went on after its compaction is compacted again; old and new references resolve."""
    session = conversations.written(tmp_path, name, chains(3))
    first, second = tmp_path / f"first{session.suffix}", tmp_path / f"second{session.suffix}"
    condense("compact", session, "--window", "1", "-o", first, *NOW)

    assert condense("compact", first, "--window", "0", "-o", second, *NOW)[0] == 0

    wanted = outputs(session)
    assert answers(second, wanted) == wanted
    assert [condense("query", "--session", second, "--raw", f"t{n}")[1] for n in range(1, 7)] == [found[0][0] for found in wanted.values()]
    assert 'id=\\"b3\\"' in second.read_text()
    assert sidecar(second).read_bytes().splitlines()[1:-1][:4] == sidecar(first).read_bytes().splitlines()[1:5]


def sidecar(path):
    return path.with_name(path.name + ".condense")


def test_without_an_output_nothing_is_written(condense, session, tmp_path):
    """The table has a line for each chain, the command to apply it ends the notes, and the exit code says that there is something to do."""
    before = os.listdir(tmp_path)

    code, out, err = condense("compact", session, "--window", "2")

    assert code == 1 and os.listdir(tmp_path) == before
    assert [line.split()[1] for line in out.decode().splitlines()[1:6]] == ["b1", "b2", "b3", "-", "-"]
    assert "t1-t2" in out.decode() and "too recent (--window)" in out.decode()
    assert err.splitlines()[-1].endswith(f"condense compact --window 2 -i {session}")


def test_the_report_as_json_holds_no_text_of_the_session(condense, session):
    """Chains with their references and what they save, and nothing that someone said."""
    code, out, _ = condense("compact", session, "--window", "2", "--output-format", "json")

    report = json.loads(out)
    assert code == 1 and report["changes"] and not report["written"] and report["sidecar"] is None
    assert [chain["refs"] for chain in report["chains"]] == [["t1", "t2"], ["t3", "t4"], ["t5", "t6"], [], []]
    assert sum(chain["savedChars"] or 0 for chain in report["chains"]) == report["beforeChars"] - report["afterChars"] > 0
    assert b"output" not in out.replace(b"beforeChars", b"") and b"Question" not in out


def test_chains_that_would_grow_are_left_alone_on_request(condense, tmp_path, name):
    """--only-gain passes them over and numbers the others without a gap."""
    session = conversations.written(tmp_path, name, [*chain(0, calls=1, size=0), *chain(1), *chain(2, calls=1, size=0)])

    report = json.loads(condense("compact", session, "--window", "0", "--only-gain", "--output-format", "json")[1])
    grown = json.loads(condense("compact", session, "--window", "0", "--output-format", "json")[1])

    assert [(row["blockId"], row["reason"], row["refs"]) for row in report["chains"]] == [(None, "no-gain", []), ("b1", None, ["t1", "t2"]), (None, "no-gain", [])]
    assert [row["blockId"] for row in grown["chains"]] == ["b1", "b2", "b3"] and grown["chains"][0]["savedChars"] < 0


def test_what_cannot_be_done_is_refused(condense, session, tmp_path):
    """A stream without a place for the outputs, an output that belongs to the input."""
    before = session.read_bytes()

    for arguments in (["-i", "-o", tmp_path / "x"], ["-i", "--sidecar", tmp_path / "x"], ["-o", "-"], ["-o", "/dev/null"], ["-o", session], ["-o", sidecar(session)], ["-o", tmp_path / "x", "--sidecar", tmp_path / "y"], ["-o", "-", "--sidecar", session]):
        code, _, err = condense("compact", session, "--window", "0", *arguments)
        assert code == 2 and err.startswith("condense: ") and len(err.splitlines()) == 2, arguments
    assert session.read_bytes() == before and os.listdir(tmp_path) == [session.name]


def test_in_place_is_what_a_new_file_would_be(condense, session, tmp_path):
    """The session is replaced after its outputs are beside it, every output comes back, and undo restores every byte."""
    before, kept = session.read_bytes(), outputs(session)
    condense("compact", session, "--window", "1", "-o", tmp_path / f"new{session.suffix}", *NOW)
    new = (tmp_path / f"new{session.suffix}").read_bytes(), sidecar(tmp_path / f"new{session.suffix}").read_bytes()
    os.utime(session, (1, 1))

    code, out, err = condense("compact", session, "--window", "1", "-i", *NOW, "--output-format", "json")
    report = json.loads(out)
    assert (code, report["written"], report["sidecar"]) == (0, True, str(sidecar(session)))
    assert (session.read_bytes(), sidecar(session).read_bytes()) == new
    assert answers(session, kept) == kept

    assert condense("compact", session, "--window", "1", "-i", *NOW)[0] == 0 and session.read_bytes() == new[0]
    assert condense("undo", err.split("condense undo ")[1].split()[0], "--force")[0] == 0
    assert session.read_bytes() == before and answers(session, kept) == kept

    os.utime(session, (1, 1))
    assert condense("compact", session, "--window", "0", "-i", *NOW)[0] == 0
    assert answers(session, kept) == kept and session.read_bytes() != new[0]


def test_in_place_a_session_in_use_or_with_other_outputs_is_left_alone(condense, session, tmp_path):
    """A client at work, or a file beside it that is no sidecar: refused, and nothing has changed."""
    before = session.read_bytes()
    os.utime(session)
    code, out, err = condense("compact", session, "--window", "0", "-i")
    assert code == 4 and "at work" in err and out == b"" and os.listdir(tmp_path) == [session.name]

    os.utime(session, (1, 1))
    sidecar(session).write_bytes(b"mine\n")
    code, _, err = condense("compact", session, "--window", "0", "-i")
    assert code == 4 and "cannot be read" in err
    assert session.read_bytes() == before and sidecar(session).read_bytes() == b"mine\n"


def test_a_plan_that_saves_nothing_is_not_offered(condense, tmp_path, name):
    """Chains that would grow: the dry run says so and ends with 0; -i writes them all the same, and not with --only-gain."""
    session = conversations.written(tmp_path, name, [*chain(0, calls=1, size=0), *chain(1, calls=1, size=0)])
    before = session.read_bytes()
    os.utime(session, (1, 1))

    code, _, err = condense("compact", session, "--window", "0")
    assert code == 0 and "would save nothing" in err and "condense compact" not in err
    assert condense("compact", session, "--window", "0", "--only-gain", "-i")[0] == 0 and session.read_bytes() == before
    assert condense("compact", session, "--window", "0", "-i")[0] == 0 and session.read_bytes() != before


def test_standard_output_needs_a_place_for_the_outputs(condense, session, tmp_path):
    """With --sidecar the session goes to standard output and is the one that a file would hold."""
    new, side = tmp_path / f"new{session.suffix}", tmp_path / "elsewhere"
    condense("compact", session, "--window", "0", "-o", new, *NOW)

    code, out, _ = condense("compact", session, "--window", "0", "-o", "-", "--sidecar", side, *NOW)

    assert code == 0 and out == new.read_bytes() and side.read_bytes() == sidecar(new).read_bytes()


def test_outputs_of_another_compaction_are_never_written_over(condense, session, tmp_path, name):
    """The run is refused, and both files are what they were."""
    new = tmp_path / f"new{session.suffix}"
    condense("compact", session, "--window", "0", "-o", new, *NOW)
    old = new.read_bytes(), sidecar(new).read_bytes()
    (tmp_path / "other").mkdir()
    other = conversations.written(tmp_path / "other", name, chains(3, calls=1))

    code, _, err = condense("compact", other, "--window", "0", "-o", new, *NOW)

    assert code == 4 and "holds the outputs of another compaction" in err
    assert (new.read_bytes(), sidecar(new).read_bytes()) == old


def test_another_window_for_the_same_output_keeps_what_is_there(condense, session, tmp_path):
    """The references are the same, so the larger sidecar stays; an output that is in the session is not given twice."""
    new = tmp_path / f"new{session.suffix}"
    condense("compact", session, "--window", "0", "-o", new, *NOW)
    larger = sidecar(new).read_bytes()

    assert condense("compact", session, "--window", "3", "-o", new)[0] == 0
    wanted = outputs(session)
    assert sidecar(new).read_bytes() == larger and answers(new, wanted) == wanted


def test_ids_never_name_a_file(condense, tmp_path, name):
    """Call ids that look like paths, and a session id that does, lead nowhere outside the sidecar."""
    turns = [(kind, "../../evil" if kind == "result" else what, *([[("../../evil", c) for _, c in more[0]]] if kind == "says" else more)) for kind, what, *more in chain(0, calls=1)]
    (tmp_path / "deep" / "er").mkdir(parents=True)
    session = conversations.written(tmp_path / "deep" / "er", name, turns)
    session.write_text(session.read_text().replace(conversations.SESSION, "../../0190a000-0000-7000-8000-000000000001"))

    assert condense("compact", session, "--window", "0", "-o", session.parent / "new", *NOW)[0] == 0

    assert sorted(os.listdir(session.parent)) == sorted([session.name, "new", "new.condense"])
    assert (os.listdir(tmp_path), os.listdir(tmp_path / "deep")) == (["deep"], ["er"])
    assert condense("query", "--session", session.parent / "new", "--raw", "../../evil")[1].startswith(b"output 0 0")


def test_a_sidecar_that_is_gone_is_told(condense, session, tmp_path):
    """Compacting on says how many outputs are out of reach, and does not use their numbers again."""
    first, second = tmp_path / f"first{session.suffix}", tmp_path / f"second{session.suffix}"
    condense("compact", session, "--window", "3", "-o", first, *NOW)
    sidecar(first).unlink()

    code, _, err = condense("compact", first, "--window", "0", "-o", second, *NOW)

    assert code == 0 and "4 outputs that were compressed before are not in" in err
    assert condense("query", "--session", second, "t1")[0] == 1
    assert condense("query", "--session", second, "--raw", "t5")[1].startswith(b"output 2 0")


def test_paginated_rollouts_are_refused(condense, tmp_path):
    """Their client keeps offsets of their lines."""
    rows = conversations.codex(chains(2))
    rows[0]["payload"]["history_mode"] = "paginated"
    session = conversations.write(tmp_path / "session.jsonl", [{**row, "ordinal": n} for n, row in enumerate(rows)])

    code, _, err = condense("compact", session, "--window", "0", "-o", tmp_path / "new.jsonl")

    assert code == 4 and "paginated" in err and not (tmp_path / "new.jsonl").exists()


def test_a_file_name_that_is_another_session_id_is_told(condense, tmp_path):
    """Claude Code resumes by file name: the records keep the id that they have."""
    session = conversations.written(tmp_path, "claude-code", chains(1))
    other = tmp_path / "0190a000-0000-7000-8000-00000000ffff.jsonl"

    _, _, err = condense("compact", session, "--window", "0", "-o", other, *NOW)

    assert "keep their session id" in err and f'"{conversations.SESSION}"' in other.read_text()
    assert condense("compact", session, "--window", "0", "-o", tmp_path / f"{conversations.SESSION}.jsonl", *NOW)[2] == ""


def test_protected_tools_are_left_alone(condense, session, tmp_path):
    """A chain in which one ran stays as it is."""
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"contextPrune": {"protectedTools": ["bash", "Bash", "shell"]}}))

    code, out, _ = condense("compact", session, "--window", "0", "--settings", settings)

    assert code == 0 and b"its outputs are protected" in out and b"nothing to compress" in out


def test_results_can_be_rendered_as_requests(condense, session, tmp_path):
    """Both APIs' message lists are built from the compacted session, each call with its result."""
    new = tmp_path / f"new{session.suffix}"
    condense("compact", session, "--window", "2", "-o", new, *NOW)

    for api in ("anthropic", "openai-chat"):
        request = tmp_path / f"{api}.json"
        assert condense("render", "--as", api, new, "-o", request)[0] == 0
        assert condense("check", "--format", api, "--fail-on", "warning", request)[0] == 0
        assert request.read_text().count("<compressed-chain") == 3


def test_each_conversation_of_a_file_is_compacted(condense, tmp_path):
    """The window counts in each of them, the numbers go on over all."""
    lines = [{"messages": conversations.openai_chat(chains(2))}, {"messages": conversations.openai_chat(chains(2))}]
    session = conversations.write(tmp_path / "session.jsonl", lines)

    report = json.loads(condense("compact", session, "--window", "1", "--output-format", "json", "-o", tmp_path / "new.jsonl")[1])

    assert [row["refs"] for row in report["chains"]] == [["t1", "t2"], [], ["t3", "t4"], []]
    made = [json.loads(line)["messages"] for line in (tmp_path / "new.jsonl").read_text().splitlines()]
    assert [sum("compressed-chain" in str(m["content"]) for m in messages) for messages in made] == [1, 1]


# ---------------------------------------------------------------------- killed
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("over", [False, True], ids=["new", "over an older one"])
def test_killed_at_every_step_no_reference_is_without_its_output(over, capfd):
    """The new file is whole or not there (or the old one), whatever it mentions comes back, and the next run gets through."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        session = conversations.written(pathlib.Path(folder), "codex", chains(3))
        new = pathlib.Path(folder, "new.jsonl")
        wanted = outputs(session)
        again = ["-q", "compact", str(session), "--window", "0", "-o", str(new), *NOW]
        steps = 0
        states = set()
        for number in range(1, 100):
            for path in (new, sidecar(new)):
                path.unlink(missing_ok=True)
            if over:
                assert run(["-q", "compact", str(session), "--window", "1", "-o", str(new), *NOW]) == 0
            if not killed_at(number, lambda: run(again), STEPS):
                break
            steps += 1
            states.add(new.read_text().count('id=\\"b') if new.exists() else None)
            if new.exists():
                assert answers(new, wanted) == wanted
            assert run(again) == 0 and answers(new, wanted) == wanted
        # An event shows each of the messages, so each chain is mentioned twice.
        assert steps > 8 and states == ({4, 6} if over else {None, 6})


# ---------------------------------------------------------------------- real sessions
@pytest.mark.skipif(not (SHARED / "real").is_dir(), reason="needs recorded sessions")
@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_recorded_sessions_break_no_more_rules_than_before(client, condense, tmp_path):
    """Every output that left comes back, and compacting the result again changes nothing."""
    compressed = 0
    for path in sorted((SHARED / "real" / client).glob("*.jsonl")):
        session = pathlib.Path(shutil.copy(path, tmp_path))
        new, second = tmp_path / f"new-{path.name}", tmp_path / f"second-{path.name}"
        report = json.loads(condense("compact", session, "--window", "0", "-o", new, "--output-format", "json", *NOW)[1])
        compressed += sum(row["blockId"] is not None for row in report["chains"])
        assert counts(condense, new) == counts(condense, session)
        wanted = outputs(session)
        assert answers(new, wanted) == wanted
        condense("compact", new, "--window", "0", "-o", second)
        assert second.read_bytes() == new.read_bytes()
    assert compressed > 5
