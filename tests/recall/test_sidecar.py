"""The file of outputs beside a compacted session."""

import base64
import json
import os

import pytest
from condense_cli.cli import run
from condense_cli.jsonbytes.javascript import UNDEFINED
from condense_cli.recall import sidecar
from condense_cli.recall.find import Finder
from condense_cli.session.opened import open_session
from tests import conversations
from tests.conversations import chain, chains


@pytest.fixture
def new(tmp_path):
    session = conversations.written(tmp_path, "codex", chains(2))
    path = tmp_path / "new.jsonl"
    run(["-q", "compact", str(session), "--window", "0", "-o", str(path), "--now", "1793600000000"])
    return path


def beside(path):
    return path.with_name(path.name + ".condense")


def test_it_holds_outputs_and_raw_records(new, tmp_path):
    """A head, then for each chain what it said and the very bytes that left the session."""
    head, *rest = [json.loads(line) for line in beside(new).read_bytes().splitlines()]
    session = (tmp_path / "session.jsonl").read_text().splitlines(keepends=True)

    assert head == {"type": "condense-sidecar", "version": 1, "compactedAt": 1793600000000}
    outputs = [one for one in rest if one["type"] == "output"]
    assert [(one["ref"], one["block"], one["toolCallId"], one["toolName"], one["isError"]) for one in outputs][:3] == [("t1", "b1", "call_0_0", "shell", False), ("t2", "b1", "call_0_1", "shell", False), ("t3", "b2", "call_1_0", "shell", False)]
    assert outputs[0]["args"] == {"command": "cat 0 0"} and outputs[0]["timestamp"] == 1793527203000
    records = [one for one in rest if one["type"] == "record"]
    assert records and all(one["raw"] == session[one["line"] - 1] for one in records)
    kept = set(new.read_text().splitlines(keepends=True))
    assert sorted(one["raw"] for one in records) == sorted(line for line in session if line not in kept)


def test_bytes_that_are_no_text_are_kept_too(tmp_path):
    """A record with broken UTF-8 comes back byte for byte."""
    session = conversations.written(tmp_path, "codex", chain(0, calls=1))
    session.write_bytes(session.read_bytes().replace(b"Looking 0.0", b"Looking \xff"))

    run(["-q", "compact", str(session), "--window", "0", "-o", str(tmp_path / "new.jsonl")])

    records = [json.loads(line) for line in (tmp_path / "new.jsonl.condense").read_bytes().splitlines()]
    assert [base64.b64decode(one["base64"]) for one in records if "base64" in one] == [session.read_bytes().splitlines(keepends=True)[3]]


def test_halves_of_surrogate_pairs_come_back_as_they_were(tmp_path):
    """The text that is kept is the text of the session."""
    messages = conversations.openai_chat(chain(0, calls=1))
    messages[2]["content"] = "cut \ud83d here"
    session = conversations.write(tmp_path / "session.json", messages, "json")

    run(["-q", "compact", str(session), "--window", "0", "-o", str(tmp_path / "new.json")])

    with open_session(str(tmp_path / "new.json")) as opened:
        assert [output.text for output in Finder(opened).answer("t1").outputs] == ["cut \ud83d here"]


def test_what_is_read_can_be_found(new):
    """Numbers of references and blocks, call ids, and the highest number."""
    found = sidecar.read(os.fspath(beside(new)))

    assert [(one.ref, one.block, one.call_id) for one in found.entries] == [(1, 1, "call_0_0"), (2, 1, "call_0_1"), (3, 2, "call_1_0"), (4, 2, "call_1_1")]
    assert (found.highest, found.problem) == (4, "")
    output = found.output(found.entries[3], 7)
    assert (output.call_id, output.line, output.source, output.time) == ("call_1_1", 7, "sidecar", 1793527211000) and output.text.startswith("output 1 1")


@pytest.mark.parametrize("line", [b"{torn\n", b'{"type":"output","ref":"x1","block":"b1","text":""}\n', b'{"type":"output","ref":"t1","block":"b1"}\n', b'{"type":"output","ref":"t99999999999","block":"b1","text":""}\n'])
def test_lines_that_are_none_are_passed_over_and_told(new, line):
    """The others are read all the same."""
    path = beside(new)
    path.write_bytes(path.read_bytes() + line)

    found = sidecar.read(os.fspath(path))

    assert len(found.entries) == 4 and "1 lines cannot be read" in found.problem


def test_an_output_without_a_time_has_none(tmp_path):
    """Arrays of messages know no times."""
    session = conversations.written(tmp_path, "openai-chat", chain(0))
    run(["-q", "compact", str(session), "--window", "0", "-o", str(tmp_path / "new.json")])

    found = sidecar.read(os.fspath(tmp_path / "new.json.condense"))

    assert found.output(found.entries[0], 1).time is UNDEFINED


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_sidecar_is_not_read(tmp_path):
    """Nothing there, another file, a folder, a pipe that nobody writes to."""
    (tmp_path / "other").write_text('{"type":"session"}\n')
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")

    assert sidecar.read(os.fspath(tmp_path / "missing")) is None
    for name in ("other", "folder", "pipe"):
        found = sidecar.read(os.fspath(tmp_path / name))
        assert not found.entries and found.problem.startswith(os.fspath(tmp_path / name)), name
