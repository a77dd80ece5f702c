"""OpenClaw sessions: pi's entries with a leaf that is moved about."""

import json
import os
from pathlib import Path

import pytest
from condense_cli.document.views import Head
from condense_cli.formats import BY_NAME
from condense_cli.session.opened import open_session
from tests.strategies import condense, repair, session_file

NAME = "0f000002-0002-4002-8002-000000000002.jsonl"
REAL = Path(__file__).parents[4] / "shared" / "real" / "openclaw"
TIME = "2026-11-02T09:00:00.000Z"


def as_lines(records):
    return b"".join(json.dumps(r, separators=(",", ":")).encode() + b"\n" for r in records)


def head(version=4, **more):
    return {"type": "session", "version": version, "id": "head-0001", "timestamp": TIME, "cwd": "/w", **more}


def entry(ident, parent, kind="message", **more):
    made = {"type": kind, "id": ident, "timestamp": TIME, **more}
    return made if parent is ... else {**made, "parentId": parent}


def user(ident, parent, text="hi", **more):
    return entry(ident, parent, message={"role": "user", "content": [{"type": "text", "text": text}]}, **more)


def said(ident, parent, *blocks, stop="stop", **more):
    content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    message = {"role": "assistant", "content": content, "api": "anthropic-messages", "provider": "p", "model": "m", "stopReason": stop}
    return entry(ident, parent, message=message, **more)


def call(ident, kind="toolCall", key="arguments", given=None):
    return {"type": kind, "id": ident, "name": "bash", key: {"command": "ls"} if given is None else given}


def result(ident, parent, call_id, text="out", key="toolCallId", **more):
    message = {"role": "toolResult", key: call_id, "toolName": "bash", "content": text, "isError": False}
    return entry(ident, parent, message=message, **more)


def found(*records, options=()):
    with session_file(as_lines(records), NAME) as path:
        outcome = condense("check", "--output-format", "json", *options, path)
    report = json.loads(outcome.out)["files"][0]
    assert report["format"] == "openclaw"
    return [(f["rule"], f["severity"], f["line"]) for f in report["findings"] if f["rule"] != "ends-with-assistant"]


def repaired(*records, options=(), code=0):
    """The records after a repair, which is sound, and which a second repair leaves alone."""
    outcome, data = repair(as_lines(records), *options, name=NAME)
    assert outcome.code == code, outcome.err
    again, same = repair(data, *options, name=NAME)
    assert (again.code, same) == (code, data)
    return [json.loads(line) for line in data.splitlines()]


def thread(records):
    """The ids of the active thread."""
    with session_file(as_lines(records), NAME) as path, open_session(str(path)) as session:
        return [r.id for r in session.branch()]


def ids_of(records):
    return [(r["id"], r.get("parentId")) for r in records[1:]]


# ---------------------------------------------------------------------- detection
@pytest.mark.parametrize(
    ("records", "name"),
    [
        pytest.param([head(4)], "s.jsonl", id="version 4"),
        pytest.param([head(3), entry("r", None, "reset", reason="new")], "s.jsonl", id="reset"),
        pytest.param([head(3), entry("l", None, "leaf", targetId=None)], "s.jsonl", id="leaf"),
        pytest.param([head(3), user("a", None, appendMode="side")], "s.jsonl", id="side"),
        pytest.param([head(3), entry("c", None, "custom", customType="model-snapshot", data={})], "s.jsonl", id="snapshot"),
        pytest.param([head(3), user("a", None)], NAME, id="name"),
        pytest.param([head(3), user("a", None)], "/x/.openclaw/agents/main/sessions/s.jsonl", id="place"),
        pytest.param([user("a", None)], NAME, id="without a header"),
    ],
)
def test_marks_of_openclaw_are_known(records, name):
    """A header of version 4, an entry that only OpenClaw writes, its file names and its folders each decide."""
    assert BY_NAME["openclaw"].detect(Head(name, b"", tuple(records)))


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([head(3), user("a", None)], id="pi"),
        pytest.param([head(0), {"type": "turn/start", "seq": 1}], id="dsh"),
        pytest.param([{"type": "session", "id": "x"}, {"type": "message", "message": {"role": "user"}}], id="pi version 1"),
        pytest.param([{"role": "user", "content": "hi"}], id="chat"),
    ],
)
def test_others_are_not_taken(records):
    """What has no mark of OpenClaw is left to the other formats."""
    assert not BY_NAME["openclaw"].detect(Head("s.jsonl", b"", tuple(records)))


def test_sessions_beside_an_index_are_openclaws(tmp_path):
    """A `sessions.json` beside the file is a mark, too."""
    (tmp_path / "sessions.json").write_text("{}")
    path = tmp_path / "s.jsonl"
    path.write_bytes(as_lines([head(3), user("a", None)]))

    assert BY_NAME["openclaw"].detect(Head(str(path), b"", (head(3), user("a", None))))


# ---------------------------------------------------------------------- the leaf
@pytest.mark.parametrize(
    ("records", "expected"),
    [
        pytest.param([user("a", None), said("b", "a", "x")], ["a", "b"], id="last"),
        pytest.param([user("a", None), said("b", "a", "x"), user("s", "a", appendMode="side")], ["a", "b"], id="side"),
        pytest.param([user("a", None), said("b", "a", "x"), entry("l", "b", "leaf", targetId="a")], ["a"], id="leaf"),
        pytest.param([user("a", None), said("b", "a", "x"), entry("l", "b", "leaf", targetId="a"), user("c", "a")], ["a", "c"], id="leaf, then more"),
        pytest.param([user("a", None), entry("l", "a", "leaf", targetId=None)], [], id="no leaf"),
        pytest.param([user("a", None), said("b", "a", "x"), entry("l", "b", "leaf", targetId="gone")], ["a", "b"], id="unknown target"),
        pytest.param([user("a", None), said("b", ..., "x")], ["a", "b"], id="no parentId"),
        pytest.param([user("a", None), said("b", "a", "x"), user("c", "lost")], ["a", "b", "c"], id="unknown parent"),
        pytest.param([user("a", "head-0001"), said("b", "a", "x")], ["a", "b"], id="header"),
        pytest.param([user("a", None), said("b", "a", call("t")), result("c", "t", "t")], ["a", "b", "c"], id="tool call"),
        pytest.param([user("a", None), said("b", "a", "x"), entry("u", "a", "usage", usage={})], ["a", "b"], id="usage is carried along"),
        pytest.param([user("a", None), entry("r", "a", "reset", reason="new"), user("c", "a")], ["a", "r", "c"], id="outside the reset"),
        pytest.param([user("a", None), entry("r", "a", "reset", reason="new"), user("c", "r"), user("d", "c")], ["a", "r", "c", "d"], id="inside the reset"),
    ],
)
def test_the_file_is_folded_to_a_leaf(records, expected):
    """Each kind of entry moves the leaf, or leaves it, as OpenClaw does; what has no known parent hangs on it."""
    assert thread([head(), *records]) == expected


def test_a_reset_starts_anew():
    """What stands before the last reset is not read, but for what it keeps."""
    records = [user("a", None), said("b", "a", call("t")), user("k", "b", "kept"), entry("r", "k", "reset", reason="new", firstKeptEntryId="k"), user("c", "r")]

    assert found(head(), *records) == []
    assert found(head(), *records, options=["--view", "stored"]) == [("unanswered-call", "warning", 3)]


def test_a_cycle_ends():
    """A file whose parents go in a circle is read and mended."""
    records = [head(), user("a", "b"), said("b", "a", "x")]

    assert thread(records)
    assert ids_of(repaired(*records)) == [("a", None), ("b", "a")]


# ---------------------------------------------------------------------- parents
def test_a_parent_that_is_a_tool_call_is_its_owner():
    """A parent that names a call is the message that made the call, and nothing is said about it."""
    records = [head(), user("a", "head-0001"), said("b", "a", call("t")), said("x", "b", "aside"), result("c", "t", "t")]

    assert ("missing-parent", "warning", 5) not in found(*records)
    assert ("c", "t") in ids_of(repaired(*records))


def test_an_owner_without_an_id_is_no_parent():
    """A message whose id is no text cannot be named: the parent of what follows it is missing."""
    records = [head(), user("a", "head-0001"), said([[]], "a", call("t")), result("c", "t", "t")]

    assert ("missing-parent", "warning", 4) in found(*records)


def test_a_parent_that_is_the_header_is_a_root():
    """Records that hang on the header are roots, and nothing is said about it."""
    records = [head(), user("a", "head-0001"), said("b", "a", "x")]

    assert found(*records) == []
    assert repaired(*records) == records


def test_a_parent_that_stands_behind_its_child():
    """The client reads once from top to bottom: such a record hangs on the leaf of its place, and the repair writes that down."""
    records = [head(), user("a", None), said("b", "a", "x"), user("c", "d"), user("d", "b")]

    assert found(*records) == [("missing-parent", "warning", 4)]
    assert ids_of(repaired(*records)) == [("a", None), ("b", "a"), ("c", "b"), ("d", "b")]


def test_nothing_is_hung_on_what_only_moves_the_leaf():
    """A record without its parent is hung on the nearest one above that belongs to a thread."""
    records = [head(), user("a", None), said("b", "a", "x"), entry("l", "b", "leaf", targetId="b"), user("s", "a", appendMode="side"), user("c", "lost")]

    assert ids_of(repaired(*records))[-1] == ("c", "b")


# ---------------------------------------------------------------------- halves
@pytest.mark.parametrize("kind", ["toolCall", "toolUse", "functionCall"])
@pytest.mark.parametrize("key", ["arguments", "input"])
@pytest.mark.parametrize("result_key", ["toolCallId", "toolUseId"])
def test_older_names_pair(kind, key, result_key):
    """All spellings of calls and results pair, and string contents are read."""
    records = [head(), user("a", None), said("b", "a", call("t", kind, key)), result("c", "b", "t", key=result_key), said("d", "c", "done")]

    assert found(*records) == []
    assert repaired(*records) == records


def test_edits_find_the_older_names():
    """A new id and mended arguments are written where the old ones stand."""
    records = [
        head(),
        user("a", None),
        said("b", "a", call("t", "toolUse", "input"), call("t", "toolUse", "input", given='{"command": "pwd"}')),
        result("c", "b", "t", key="toolUseId"),
        result("d", "c", "t", "other", key="toolUseId"),
        said("e", "d", "done"),
    ]
    after = repaired(*records)

    first, second = after[2]["message"]["content"]
    assert first == records[2]["message"]["content"][0]
    assert second["input"] == {"command": "pwd"}
    assert "arguments" not in second
    assert second["id"] != "t"
    assert [r["message"]["toolUseId"] for r in after[3:5]] == ["t", second["id"]]
    assert "toolCallId" not in after[4]["message"]


def test_an_orphan_goes_and_what_names_it_follows():
    """Children, `leaf` entries and a reset that name a dropped result name its neighbours afterwards, a note included."""
    records = [
        head(),
        user("a", None),
        result("o", "a", "nobody"),
        said("b", "o", "x"),
        entry("l", "b", "leaf", targetId="o", appendParentId="o"),
        said("c", "o", "y"),
        entry("l2", "c", "leaf", targetId="c"),
        entry("r", "c", "reset", reason="new", firstKeptEntryId="o"),
        user("d", "r"),
    ]
    after = repaired(*records)

    note = after[4]
    assert "[condense]" in note["message"]["content"][0]["text"]
    assert ids_of(after) == [("a", None), ("b", "a"), ("l", "b"), (note["id"], "a"), ("c", note["id"]), ("l2", "c"), ("r", "c"), ("d", "r")]
    assert (after[3]["targetId"], after[3]["appendParentId"]) == ("a", "a")
    assert after[7]["firstKeptEntryId"] == note["id"]


def test_an_orphan_can_stay_as_a_note():
    """With --orphan note the text stays, in an entry of the same place."""
    records = [head(), user("a", None), said("b", "a", "x"), result("o", "b", "nobody", "precious"), user("d", "o")]
    after = repaired(*records, options=["--orphan", "note"])

    assert ids_of(after) == ids_of(records)
    assert after[3]["type"] == "custom_message"
    assert "precious" in after[3]["content"]


def test_an_answer_at_a_leaf_that_was_moved_there():
    """A call at the end that a `leaf` entry chose is answered, and the leaf is put on the answer."""
    records = [head(), user("a", None), said("b", "a", call("t")), user("x", "a", "other branch"), entry("l", "x", "leaf", targetId="b")]
    after = repaired(*records, options=["--trailing", "answer"])

    answer = after[3]
    assert answer["message"]["toolCallId"] == "t"
    assert after[5]["targetId"] == answer["id"]
    assert thread(after) == ["a", "b", answer["id"]]


def test_an_answer_where_the_leaf_went_back_behind_a_reset():
    """What follows a `leaf` entry to the answered call follows to the answer, across a reset."""
    records = [
        head(),
        user("a", None),
        said("b", "a", call("t")),
        entry("r", "b", "reset", reason="new", firstKeptEntryId="a"),
        entry("l", "r", "leaf", targetId="b"),
        user("c", "b"),
        said("d", "c", "y"),
        user("e", "d"),
    ]
    after = repaired(*records)

    assert after[5]["targetId"] == after[3]["id"]
    assert thread(after) == ["a", "b", after[3]["id"], "c", "d", "e"]


def test_an_answer_before_an_entry_without_a_parent():
    """An entry that follows the leaf follows an inserted answer, too."""
    records = [head(), user("a", None), said("b", "a", call("t")), user("x", "a", "aside", appendMode="side"), user("c", ...), said("d", "c", "y")]
    after = repaired(*records)

    assert [r.get("message", {}).get("role") for r in after[1:]] == ["user", "assistant", "toolResult", "user", "user", "assistant"]
    assert thread(after) == ["a", "b", after[3]["id"], "c", "d"]


def test_a_late_result_is_moved_to_its_call():
    """A result behind a user turn goes to its call; what followed it hangs on what stood before it."""
    records = [head(), user("a", None), said("b", "a", call("t")), user("u", "b"), result("c", "u", "t"), said("d", "c", "done")]

    assert found(*records) == [("displaced-result", "warning", 5)]
    assert ids_of(repaired(*records)) == [("a", None), ("b", "a"), ("c", "b"), ("u", "c"), ("d", "u")]


def test_a_placeholder_of_an_older_name_is_one():
    """Of a made-up result and the real one behind it the real one stays, at the call."""
    made_up = "[moltbot] missing tool result in session history; inserted synthetic error result for transcript repair."
    records = [head(), user("a", None), said("b", "a", call("t")), result("m", "b", "t", made_up), user("u", "m"), result("c", "u", "t", "real"), said("d", "c", "done")]
    after = repaired(*records)

    assert ids_of(after) == [("a", None), ("b", "a"), ("c", "b"), ("u", "c"), ("d", "u")]


def test_results_of_failed_turns_go():
    """The result of an aborted turn is dropped and its call goes, text and record stay."""
    records = [head(), user("a", None), said("b", "a", "text", call("t"), stop="aborted"), result("c", "b", "t"), user("d", "c"), said("e", "d", "x")]
    after = repaired(*records)

    assert ids_of(after) == [("a", None), ("b", "a"), ("d", "b"), ("e", "d")]
    assert [b["type"] for b in after[2]["message"]["content"]] == ["text"]


@pytest.mark.parametrize(
    ("provider", "expected"),
    [pytest.param("anthropic", [("unsigned-thinking", "error", 3)], id="sent"), pytest.param("p", [], id="another API's")],
)
def test_unsigned_thinking_counts_where_it_is_sent(provider, expected):
    """Thinking without a signature is an error only if an Anthropic model wrote it and one is to read it."""
    b = said("b", "a", {"type": "thinking", "thinking": "hm"}, "x")
    b["message"]["provider"] = provider

    assert found(head(), user("a", None), b, user("c", "b")) == expected


# ---------------------------------------------------------------------- header and lines
@pytest.mark.parametrize(
    ("ident", "version"),
    [pytest.param("11111111", 3, id="short ids"), pytest.param("11111111-1111-4111-8111-111111111111", 4, id="UUIDs")],
)
def test_a_lost_header_is_built_anew(ident, version):
    """The new header has the version that goes with the ids, and the file's name for an id."""
    after = repaired(user(ident, None), entry("l", ident, "leaf", targetId=ident))

    assert (after[0]["version"], after[0]["id"]) == (version, NAME.removesuffix(".jsonl"))


def test_a_torn_header_keeps_its_version():
    """What is readable of a torn header goes into the new one."""
    data = b'{"type":"session","version":4,"id":"abc","cwd":"/x\n' + as_lines([user("a", None), said("b", "a", "x")])
    outcome, new = repair(data, name=NAME)

    assert outcome.code == 0, outcome.err
    assert json.loads(new.splitlines()[0]) == {"type": "session", "version": 4, "id": "abc", "timestamp": TIME, "cwd": "/"}
    assert new.splitlines()[1:] == data.splitlines()[1:]


def test_a_leaf_with_an_unknown_target_is_told():
    """A `leaf` entry that names nothing above it is reported, and left alone."""
    records = [head(), user("a", None), entry("l", "a", "leaf", targetId="gone"), user("b", "a")]

    assert found(*records) == [("dangling-ref", "info", 3)]
    assert repaired(*records) == records


# ---------------------------------------------------------------------- what is said and refused
def test_users_are_told_of_sqlite_once(tmp_path):
    """check and repair say once, on stderr, that current versions read another store."""
    for n in range(3):
        (tmp_path / f"{n}.jsonl").write_bytes(as_lines([head(), user("a", None)]))
    checked = condense("check", tmp_path)
    mended = condense("repair", tmp_path / "0.jsonl")

    assert checked.err.count("SQLite") == 1
    assert mended.err.count("SQLite") == 1
    assert b"SQLite" not in checked.out


def test_a_cold_archive_is_not_edited(tmp_path):
    """A file of the cold archive is checked, and its repair is refused."""
    folder = tmp_path / "agents" / "main" / "sessions" / "cold"
    folder.mkdir(parents=True)
    path = folder / NAME
    path.write_bytes(as_lines([head(), user("a", None), result("o", "a", "nobody"), user("b", "o")]))
    os.utime(path, (1, 1))
    before = path.read_bytes()
    outcome = condense("repair", "-i", path)

    assert (outcome.code, path.read_bytes()) == (4, before)
    assert "cold archive" in outcome.err
    assert condense("check", path).code == 1


# ---------------------------------------------------------------------- recorded sessions
@pytest.mark.skipif(not REAL.is_dir(), reason="recorded sessions are not here")
@pytest.mark.parametrize(("name", "halves"), [("f0000002-0002-4002-8002-000000000002.jsonl", 1), ("parent-is-toolcall-id.jsonl", 2)])
def test_recorded_sessions(name, halves):
    """Recorded sessions are read, counted and shown; repaired they are sound."""
    report = json.loads(condense("check", "--output-format", "json", REAL / name).out)["files"][0]
    outcome, data = repair((REAL / name).read_bytes(), name=name)

    assert (report["format"], report["calls"], report["results"]) == ("openclaw", halves, halves)
    assert condense("render", "--output-format", "text", REAL / name).code == 0
    assert outcome.code == 0
    assert (data == (REAL / name).read_bytes()) is (not report["findings"])
