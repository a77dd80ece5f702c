"""condense query, from the command line."""

import base64
import hashlib
import json
import os

import pytest
from condense_cli.cli import run

TIME = "2026-08-12T02:00:00.000Z"


def text(*blocks):
    return [{"type": "text", "text": b} for b in blocks]


def call(time, call_id, **arguments):
    block = {"type": "toolCall", "id": call_id, "name": "bash", "arguments": arguments}
    return {"role": "assistant", "content": [block], "timestamp": time}


def result(time, call_id, output, *, error=False):
    return {"role": "toolResult", "toolCallId": call_id, "toolName": "bash", "content": text(output), "isError": error, "timestamp": time}


class Written:
    def __init__(self, folder):
        self.folder = folder
        self.path = str(folder / "session.jsonl")
        self.entries = []

    def add(self, **entry):
        parent = self.entries[-1]["id"] if self.entries else None
        self.entries.append({"id": f"{len(self.entries):08x}", "parentId": parent, "timestamp": TIME, **entry})
        header = {"type": "session", "version": 3, "id": "s1", "timestamp": TIME, "cwd": str(self.folder)}
        lines = [json.dumps(e) for e in (header, *self.entries)]
        (self.folder / "session.jsonl").write_text("\n".join(lines) + "\n")
        return self

    def say(self, message):
        return self.add(type="message", message=message)

    def index(self, call_id, time, output, **fields):
        record = {"toolCallId": call_id, "toolName": "bash", "args": {"n": 1}, "resultText": output, "isError": False, "turnIndex": 7, "timestamp": 5, **fields}
        if time:
            record["resultTimestamp"] = time
        return self.add(type="custom", customType="context-prune-index", data={"toolCalls": [record]})


@pytest.fixture
def session(tmp_path):
    written = Written(tmp_path)
    written.say({"role": "user", "content": text("hi"), "timestamp": 1})
    written.say(call(1100, "bash_23", command="one")).say(result(1150, "bash_23", "first\nerror: x"))
    return written.say(call(2100, "bash_23", command="two")).say(result(2150, "bash_23", "second", error=True))


@pytest.fixture
def ask(session, capfdbinary):
    def asked(*arguments, path=None):
        code = run(["query", "--session", path or session.path, *arguments])
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return asked


def block(label, output, turn, command, status="OK"):
    return f'## toolRef: {label}\nTool: bash\nArgs: {{\n  "command": "{command}"\n}}\nStatus: {status}\nTurn: {turn}\n\n{output}'


FIRST = block("bash_23@1150", "first\nerror: x", 0, "one")
SECOND = block("bash_23@2150", "second", 1, "two", "ERROR")


def test_a_bare_id_gives_every_occurrence_in_time_order(ask):
    """Both outputs of the reused id come back, each with its own call, labelled by time."""
    assert ask("bash_23") == (0, f"{FIRST}\n\n---\n\n{SECOND}\n", "")


def test_one_occurrence_is_named_by_time_number_or_line(ask):
    """`id@time`, `id#n` from 1, and the line of the call or of the result name the same output."""
    for ref in ("bash_23@2150", "bash_23#2", "L5", "L6"):
        assert ask(ref) == (0, block(ref, "second", 1, "two", "ERROR") + "\n", "")


def test_what_is_not_there_is_said_and_ends_with_1(ask):
    """The other references are answered all the same."""
    code, out, _ = ask("bash_23#1", "t9", "bash_23#3", "L1", "bash_23@9")

    assert code == 1
    assert out.startswith("## toolRef: bash_23#1\nTool: bash")
    assert out.count("(found neither in the index nor in the transcript)") == 4


def test_index_only_does_not_look_into_the_transcript(ask):
    """Then the words are those of context_tree_query."""
    assert ask("--index-only", "bash_23") == (1, "## toolRef: bash_23\n(not found in index — may not have been summarized yet)\n", "")


def test_the_index_comes_first(ask, session):
    """What pi-condense recorded is shown as it recorded it, and the occurrence that it does not know after it."""
    session.index("bash_23", 1150, "recorded")

    recorded = '## toolRef: bash_23{}\nTool: bash\nArgs: {{\n  "n": 1\n}}\nStatus: OK\nTurn: 7\n\nrecorded'
    assert ask("bash_23", "--index-only")[1] == recorded.format("") + "\n"
    assert ask("bash_23")[1] == f"{recorded.format('@1150')}\n\n---\n\n{SECOND}\n"
    assert ask("--raw", "bash_23@2150")[1] == "second"


def test_two_records_of_one_id_are_both_recoverable(ask, session):
    """The bare id gives both, each tN its own."""
    session.index("bash_23", 1150, "one").index("bash_23", 2150, "two")
    refs = [{"shortId": "t1", "toolCallId": "bash_23", "resultTimestamp": 1150}, {"shortId": "t2", "toolCallId": "bash_23", "resultTimestamp": 2150}]
    session.add(type="custom_message", customType="context-prune-summary", content="s", display=False, details={"toolCallRefs": refs})

    assert [line for line in ask("bash_23")[1].split("\n") if line.startswith("## ")] == ["## toolRef: bash_23@1150", "## toolRef: bash_23@2150"]
    assert ask("--raw", "t1")[1] == "one"
    assert ask("--raw", "t2")[1] == "two"


def test_a_legacy_record_among_others_says_so(ask, session):
    """A record without time is sorted by its batch and marked."""
    session.index("bash_9", None, "old").index("bash_9", 9000, "new")

    out = ask("bash_9")[1]

    assert out.startswith("## toolRef: bash_9\nOccurrence: legacy (no resultTimestamp)\nTool: bash")
    assert "## toolRef: bash_9@9000\nTool: bash" in out


def test_raw_is_the_output_and_no_more(ask):
    """No header and no newline; several outputs stand one behind the other, and a note says so."""
    assert ask("--raw", "bash_23#1") == (0, "first\nerror: x", "")
    code, out, err = ask("--raw", "bash_23")
    assert (code, out) == (0, "first\nerror: xsecond")
    assert "2 outputs" in err


def test_grep_keeps_the_lines_that_match(ask):
    """In the text and in raw output; a broken expression is a usage error."""
    assert ask("--raw", "--grep", "^err", "bash_23#1")[1] == "error: x\n"
    assert ask("--grep", "^err", "bash_23#1")[1].endswith("Turn: 0\n\nerror: x\n")
    assert ask("--grep", "(", "bash_23")[0] == 2


def test_json_has_one_result_per_reference(ask):
    """Reference, whether it was found, and each output with its place."""
    code, out, _ = ask("--output-format", "json", "bash_23", "t9")

    first, second = json.loads(out)["results"]
    assert code == 1
    assert [(o["label"], o["source"], o["line"], o["turn"], o["isError"], o["output"]) for o in first["outputs"]] == [
        ("bash_23@1150", "transcript", 4, 0, False, "first\nerror: x"),
        ("bash_23@2150", "transcript", 6, 1, True, "second"),
    ]
    assert second == {"ref": "t9", "found": False, "outputs": []}


def test_long_outputs_are_cut_unless_asked(ask, session):
    """2000 lines are shown, with a note; --no-truncate shows all."""
    session.say(call(3100, "bash_30")).say(result(3150, "bash_30", "x\n" * 2001))

    assert ask("bash_30")[1].endswith("x\n[Output truncated: 2000/2001 lines shown]\n")
    assert ask("--no-truncate", "bash_30")[1].count("\nx") == 2001


def test_spilled_outputs_are_read_only_below_the_session(ask, session, tmp_path):
    """A path elsewhere gives the preview and a note; the switch reads it."""
    outside = tmp_path.parent / f"{tmp_path.name}-secret.txt"
    outside.write_text("secret")
    inside = tmp_path / "s1-blobs" / "in.txt"
    inside.parent.mkdir()
    inside.write_bytes(b"whole\xff")
    session.index("bash_40", 1, "", spillPath=str(outside), resultPreview="head", contentHash="h")
    session.index("bash_41", 1, "", spillPath="/gone/in.txt", contentHash="h")

    code, out, err = ask("bash_40")
    assert (code, out.split("\n")[-2]) == (0, "head")
    assert "--allow-outside-blobs" in err
    assert ask("--raw", "--allow-outside-blobs", "bash_40")[1] == "secret"
    assert ask("bash_41")[1].endswith("whole\ufffd\n")


def test_the_raw_bytes_of_a_spilled_output_are_those_of_its_file(session, tmp_path, capfdbinary):
    """Bytes that are no UTF-8 come back unchanged."""
    blob = tmp_path / "b.bin"
    blob.write_bytes(b"\xff\x00\r\n")
    session.index("bash_40", 1, "", spillPath=str(blob), contentHash="h")

    assert run(["query", "--session", session.path, "--raw", "bash_40"]) == 0
    assert capfdbinary.readouterr().out == b"\xff\x00\r\n"


def test_without_a_session_the_environment_or_the_newest_counts(session, tmp_path, capfdbinary, monkeypatch):
    """$CONDENSE_SESSION is taken first, then the newest session of this folder; stderr says which."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CONDENSE_SESSION", "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCLAW_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    work = tmp_path / "w"
    work.mkdir()
    monkeypatch.chdir(work)

    assert run(["query", "bash_23"]) == 3
    assert "no session" in capfdbinary.readouterr().err.decode()
    store = tmp_path / ".pi/agent/sessions" / f"-{str(work).replace('/', '-')}--"
    store.mkdir(parents=True)
    stored = store / "2026_s1.jsonl"
    os.rename(session.path, stored)
    assert run(["query", "--raw", "bash_23#2"]) == 0
    out, err = capfdbinary.readouterr()
    assert (out, str(stored) in err.decode()) == (b"second", True)
    monkeypatch.setenv("CONDENSE_SESSION", str(stored))
    assert run(["query", "--raw", "bash_23#1"]) == 0
    assert b"$CONDENSE_SESSION" in capfdbinary.readouterr().err


PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 30).decode()


def test_pictures_are_written_and_named_by_their_digest(ask, session, tmp_path):
    """--images writes each picture once; JSON has the same SHA-256."""
    pictured = result(3150, "shot_1", "see")
    pictured["content"] += [{"type": "image", "data": PNG, "mimeType": "image/png"}] * 2
    session.say(call(3100, "shot_1", path="a.png")).say(pictured)
    folder = tmp_path / "new" / "pictures"

    code, out, err = ask("shot_1", "--images", str(folder), "--output-format", "json")
    [written] = folder.iterdir()
    images = json.loads(out)["results"][0]["outputs"][0]["images"]

    assert (code, written.read_bytes()) == (0, base64.b64decode(PNG))
    assert {i["sha256"] for i in images} == {hashlib.sha256(written.read_bytes()).hexdigest()}
    assert written.name == images[0]["sha256"][:16] + ".png" and "1 picture written" in err
    assert "no picture" in ask("bash_23", "--images", str(folder / "other"))[2] and not (folder / "other").exists()


def test_pictures_need_an_output_and_a_folder(ask, session, tmp_path):
    """Without a reference, and where a file is in the way, it is a usage error."""
    pictured = {**result(3150, "shot_1", "see"), "content": [{"type": "image", "data": PNG, "mimeType": "image/png"}]}
    session.say(call(3100, "shot_1", path="a.png")).say(pictured)
    (tmp_path / "file").write_text("")

    assert ask("--images", str(tmp_path))[0] == 2
    assert ask("shot_1", "--images", str(tmp_path / "file"))[0] == 2
