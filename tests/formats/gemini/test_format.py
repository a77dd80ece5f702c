"""Gemini CLI sessions: calls and results in one message, and lines that take the place of earlier ones."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from condense_cli.document.views import Head
from condense_cli.formats import BY_NAME
from condense_cli.session.opened import open_session
from tests.strategies import condense, repair, session_file

REAL = Path(__file__).parents[4] / "shared" / "real" / "gemini" / "session-2025-10-27T19-55-981c87cb.json"
TIME = "2026-11-02T09:00:00.000Z"
HEAD = {"sessionId": "s-1", "projectHash": "ab", "startTime": TIME, "lastUpdated": TIME}
LINES, WHOLE = "session-2026-11-02T09-00-abcdef12.jsonl", "session-2026-11-02T09-00-abcdef12.json"


def user(ident, content="hi"):
    return {"id": ident, "timestamp": TIME, "type": "user", "content": content}


def said(ident, *tools, content="", **more):
    return {"id": ident, "timestamp": TIME, "type": "gemini", "content": content, "toolCalls": list(tools), **more}


def tool(ident, output=..., **more):
    made = {"id": ident, "name": "ls", "args": {"path": "/"}, "status": "success", **more}
    if output is ...:
        return made
    response = {"id": ident, "name": "ls", "response": {"output": output}}
    return {**made, "result": [{"functionResponse": response}]}


def turn(ident, *results, text=""):
    """A message of results alone, as the client writes it after the calls; a result is (id, output)."""
    parts = [{"functionResponse": {"name": "ls", "response": {"output": output}, **({"id": call} if call else {})}} for call, output in results]
    return user(ident, parts + [{"text": text}] * bool(text))


def lines(*records):
    return b"".join(json.dumps(record).encode() + b"\n" for record in (HEAD, *records))


def whole(*messages):
    return json.dumps({**HEAD, "messages": list(messages)}, indent=2).encode()


def found(data, name=LINES):
    with session_file(data, name) as path:
        report = json.loads(condense("check", "--output-format", "json", path).out)["files"][0]
    assert report["format"] == "gemini"
    return [(f["rule"], f["severity"], f["line"]) for f in report["findings"] if f["rule"] != "ends-with-assistant"]


def repaired(data, name=LINES, *options):
    """The bytes of a repair, which leaves nothing and is not repaired any further."""
    outcome, new = repair(data, *options, name=name)
    assert outcome.code == 0, outcome.err
    again, same = repair(new, *options, name=name)
    assert (again.code, same) == (0, new)
    return new


def context(data, name=LINES):
    """The ids of the messages that the client goes on with, and of all of their calls."""
    with session_file(data, name) as path, open_session(str(path)) as session:
        return [(m.record.id, [call.id for call in m.calls]) for m in session.view().messages]


# ---------------------------------------------------------------------- detection
@pytest.mark.parametrize(
    "head",
    [
        pytest.param(Head("s", b"", (HEAD,)), id="first line"),
        pytest.param(Head("s", b"", (), {**HEAD, "messages": []}), id="document"),
        pytest.param(Head("s", b"", (said("a"),)), id="message"),
        pytest.param(Head("s", b"", ({"$set": {"lastUpdated": TIME}},)), id="event"),
    ],
)
def test_both_shapes_are_known(head):
    """A document, a first line, and lines without one are known."""
    assert BY_NAME["gemini"].detect(head)


@pytest.mark.parametrize("record", [{"type": "user", "id": "a", "content": "x"}, {"sessionId": "x", "uuid": "y"}, {"role": "user", "content": "x"}])
def test_others_are_not_taken(record):
    """Neither a user line alone nor other clients' records are Gemini's."""
    assert not BY_NAME["gemini"].detect(Head("s", b"", (record,)))


# ---------------------------------------------------------------------- left alone
@pytest.mark.parametrize(
    ("data", "name"),
    [
        pytest.param(lines(user("u"), said("a", tool("t", "x"))), LINES, id="lines"),
        pytest.param(whole(user("u"), said("a", tool("t", "x"), tool("t", "y"))), WHOLE, id="whole, one id twice"),
        pytest.param(lines(user("u"), said("a", tool("t")), said("a", tool("t", "x")), user("v")), LINES, id="a later line answers"),
        pytest.param(lines(user("u"), said("a", tool("t")), user("v"), {"$rewindTo": "a"}, user("w")), LINES, id="rewound"),
        pytest.param(lines(said("a", tool("t")), {"$set": {"messages": [user("u"), said("b", tool("t", "x"))]}}), LINES, id="replaced"),
        pytest.param(lines(user("u"), said("a", tool("t")), turn("r", ("t", "x"))), LINES, id="results in a turn"),
        pytest.param(lines(user("u"), said("a", tool("t1"), tool("t2")), turn("r", ("t2", "x")), turn("s", ("t1", "y"))), LINES, id="results in two turns"),
        pytest.param(lines(user("u"), said("a", tool("t1"), tool("t2", "y")), turn("r", ("t1", "x"))), LINES, id="one result in each place"),
        pytest.param(lines(user("u"), said("a", tool("ls__t")), turn("r", ("t", "x"))), LINES, id="a name before the id"),
        pytest.param(lines(user("u"), said("a", tool("t")), turn("r", ("other", "x")), user("v")), LINES, id="ids that nobody compares"),
        pytest.param(lines({"$set": {"messages": [user("u"), said("a", tool("t")), turn("r", ("t", "x"))]}}), LINES, id="a turn in a list"),
        pytest.param(whole(user("u"), said("a", tool("t")), turn("r", ("t", "x"), text="look")), WHOLE, id="text beside it"),
        pytest.param(lines(user("u"), user("c", "/help"), user("e", ""), said("a", content="x")), LINES, id="not sent"),
        pytest.param(lines(user("u"), said("a", tool("t", "x"), content=[{"functionCall": {"id": "t", "name": "ls", "args": {}}}])), LINES, id="call in the content"),
    ],
)
def test_sound_sessions_stay(data, name):
    """Nothing is wrong with these, and a repair changes no byte."""
    assert [f for f in found(data, name) if f[1] != "info"] == []
    assert repaired(data, name) == data


# ---------------------------------------------------------------------- the thread
@pytest.mark.parametrize(
    ("records", "expected"),
    [
        pytest.param([user("u"), said("a", content="1"), user("v"), said("a", tool("t"))], ["u", "a", "v"], id="an id keeps its place"),
        pytest.param([user("u"), said("a", content="1"), user("v"), {"$rewindTo": "a"}], ["u"], id="rewind"),
        pytest.param([user("u"), said("a", content="1"), {"$rewindTo": "unknown"}, user("w")], ["w"], id="rewind to nowhere"),
        pytest.param([user("u"), {"$set": {"summary": "x"}}, user("v")], ["u", "v"], id="metadata"),
        pytest.param([user("u"), said("a"), user("c", "?"), user("h", "<hook_context>x")], ["u"], id="not sent"),
        pytest.param([user("u", [{"inlineData": {"mimeType": "image/heic", "data": "x"}}])], ["u"], id="an image only"),
    ],
)
def test_later_lines_decide(records, expected):
    """Lines with a known id, `$rewindTo` and `$set` change what came before."""
    assert [ident for ident, _ in context(lines(*records))] == expected


def test_a_list_in_set_is_the_session():
    """`$set.messages` takes the place of everything, and later lines of its ids replace its messages."""
    data = lines(user("x"), {"$set": {"messages": [user("u"), said("a", tool("t")), said("b", tool("t2"))]}}, said("a", tool("t", "out")))

    assert [calls for _, calls in context(data)] == [[], ["t"], ["t2"]]
    assert found(data) == [("trailing-call", "error", 3)]


# ---------------------------------------------------------------------- unanswered calls
def test_a_message_is_appended_again():
    """Of a line every call without a result is answered in one new line, which repeats the rest byte for byte."""
    broken = said("a", tool("t1"), tool("t2", "x"), tool("t3"), content="caf\u00e9", tokens={"total": 1.0})
    data = lines(user("u"), broken, user("v"), said("b", content="done"))
    new = repaired(data)

    assert found(data) == [("unanswered-call", "error", 3), ("unanswered-call", "error", 3)]
    assert new.startswith(data)
    (line,) = new[len(data) :].splitlines()
    again = json.loads(line)
    assert [t["result"][0]["functionResponse"]["id"] for t in again["toolCalls"]] == ["t1", "t2", "t3"]
    assert "[condense]" in again["toolCalls"][0]["result"][0]["functionResponse"]["response"]["error"]
    for t in again["toolCalls"]:
        del t["result"]
    assert again == {**broken, "toolCalls": [{k: v for k, v in t.items() if k != "result"} for t in broken["toolCalls"]]}
    assert b'"total": 1.0' in line
    assert context(new) == context(data)


@pytest.mark.parametrize("result", [None, [], "", [{"text": "no response"}]], ids=str)
def test_an_empty_result_is_none(result):
    """null, an empty list and a list without a response leave a call open; they are replaced."""
    data = whole(user("u"), said("a", {**tool("t"), "result": result}), user("v"))
    new = json.loads(repaired(data, WHOLE))

    assert [rule for rule, _, _ in found(data, WHOLE)] == ["unanswered-call"]
    assert "error" in new["messages"][1]["toolCalls"][0]["result"][0]["functionResponse"]["response"]


def test_in_a_document_the_result_is_written_in():
    """In a whole-file session only the open call changes."""
    data = whole(user("u"), said("a", tool("t1", "x"), tool("t2")), user("v"))
    new = repaired(data, WHOLE)
    before, after = json.loads(data), json.loads(new)

    del after["messages"][1]["toolCalls"][1]["result"]
    assert after == before
    assert new.count(b"\n") == data.count(b"\n")


def test_a_partial_batch_is_not_running():
    """All responses share one turn: once one is there, a call without one is unanswered, at the end too."""
    assert found(lines(user("u"), said("a", tool("t1", "x"), tool("t2")))) == [("unanswered-call", "error", 3)]


def test_a_trailing_call_is_answered():
    """The client sends a call at the end as it is, so it is answered, unless --trailing keep says that it runs."""
    data = lines(user("u"), said("a", tool("t")), {"id": "i", "type": "info", "content": "x"})

    assert found(data) == [("trailing-call", "error", 3)]
    new = repaired(data)
    assert new.startswith(data)
    assert new != data
    outcome, same = repair(data, "--trailing", "keep", name=LINES)
    assert (outcome.code, same) == (1, data)


def test_a_call_that_may_be_running_is_left_alone(tmp_path):
    """While its client has the session open, nothing is answered at its end."""
    path, out = tmp_path / LINES, tmp_path / "out.jsonl"
    path.write_bytes(lines(user("u"), said("a", tool("t"))))
    with subprocess.Popen([sys.executable, "-c", f"f = open({str(path)!r}, 'ab'); print('open', flush=True); input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as client:
        client.stdout.readline()
        condense("repair", path, "-o", out)
        running = out.read_bytes()
        client.communicate(b"\n")
    condense("repair", path, "-o", out)

    assert running == path.read_bytes()
    assert out.read_bytes() != running


def test_calls_can_be_dropped():
    """With --unanswered drop the message is appended again without its open calls."""
    data = lines(user("u"), said("a", tool("t1"), tool("t2", "x"), tool("t3")), user("v"))
    new = repaired(data, LINES, "--unanswered", "drop")

    assert new.startswith(data)
    assert context(new) == [("u", []), ("a", ["t2"]), ("v", [])]


def test_a_call_that_only_the_content_has():
    """A call in the content without a tool call of its own gets one."""
    asked = [{"text": "let me"}, {"functionCall": {"id": "t1", "name": "ls", "args": {}}}, {"functionCall": {"id": "t2", "name": "cat", "args": {}}}]
    data = lines(user("u"), said("a", tool("t1", "x"), content=asked), user("v"))
    again = json.loads(repaired(data).splitlines()[-1])

    assert again["content"] == asked
    assert [(t["id"], t["name"], t["result"][0]["functionResponse"]["name"]) for t in again["toolCalls"]] == [("t1", "ls", "ls"), ("t2", "cat", "cat")]


def test_a_result_that_no_call_goes_with():
    """Where the content says which calls there are, another tool call's result is an orphan and goes."""
    asked = [{"functionCall": {"id": "t1", "name": "ls", "args": {}}}]
    data = lines(user("u"), said("a", tool("t1", "x"), tool("t2", "y"), content=asked), user("v"))
    new = repaired(data)

    assert found(data) == [("orphan-result", "error", 3)]
    assert ["result" in t for t in json.loads(new.splitlines()[2])["toolCalls"]] == [True, False]


def test_a_message_inside_a_list_is_appended():
    """A message that stands in `$set` only is answered by a line of its own, which takes its place."""
    data = lines({"$set": {"messages": [user("u"), said("a", tool("t1"), tool("t2")), user("v")]}})
    new = repaired(data)

    assert new.startswith(data)
    assert [calls for _, calls in context(new)] == [[], ["t1", "t2"], []]


def test_calls_without_ids_pair_by_their_place():
    """A missing id is none of this provider's business: each result belongs to the tool call that it stands in."""
    nameless = {"name": "ls", "args": {}}
    data = whole(user("u"), said("a", nameless, {**nameless, "result": [{"functionResponse": {"response": {"output": "x"}}}]}), user("v"))
    tools = json.loads(repaired(data, WHOLE))["messages"][1]["toolCalls"]

    assert "error" in tools[0]["result"][0]["functionResponse"]["response"]
    assert tools[1] == json.loads(data)["messages"][1]["toolCalls"][1]


# ---------------------------------------------------------------------- results in turns of their own
def left(new, name=LINES):
    """What the client sends of a session: ids of calls (+) and results (-), and texts, message by message."""
    with session_file(new, name) as path, open_session(str(path)) as session:
        turns = [session.format.turn(session.document, message) for message in session.view().messages]
    marks = {"call": "+", "result": "-"}
    return [[marks[b.kind] + b.id if b.kind in marks else b.text for b in t.blocks] for t in turns]


STORED = [user("u"), said("a", tool("t1", "x"), tool("t2", "y")), turn("r", ("t1", "x"), ("t2", "y")), user("v")]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        pytest.param(lines(*STORED), LINES, id="lines"),
        pytest.param(lines({"$set": {"messages": STORED}}), LINES, id="a list"),
        pytest.param(lines({"$set": {"messages": STORED}}, turn("r", ("t1", "x"), ("t2", "y"))), LINES, id="a list and a line"),
        pytest.param(whole(*STORED), WHOLE, id="whole"),
        pytest.param(json.dumps({**HEAD, "messages": STORED}).encode() + b"\n" + json.dumps(user("w")).encode() + b"\n", LINES, id="in the first line"),
    ],
)
def test_what_is_stored_twice_is_sent_once(data, name):
    """The turn goes, the results with the calls stay, wherever the messages are."""
    new = repaired(data, name)

    assert {(rule, severity) for rule, severity, _ in found(data, name)} == {("stored-twice", "error")}
    assert left(new, name)[:3] == [["hi"], ["+t1", "+t2", "-t1", "-t2"], ["hi"]]


@pytest.mark.parametrize(
    ("records", "rules", "sent"),
    [
        pytest.param([said("a", tool("t1", "x"), tool("t2")), turn("r", ("t1", "x"), ("t2", "y"))], ["stored-twice"], [["+t1", "+t2", "-t1"], ["-t2"]], id="half stored twice"),
        pytest.param([said("a", tool("t", "x")), turn("r", ("t", "x"), text="look")], ["stored-twice"], [["+t", "-t"], ["look"]], id="text beside a copy"),
        pytest.param([said("a", tool("t", "x")), user("v"), said("b", content="ok"), turn("r", ("t", "x"))], ["stored-twice"], [["+t", "-t"], ["hi"], ["ok"]], id="a copy elsewhere"),
        pytest.param([turn("r", ("t", "x")), said("a", tool("t", "x"))], ["orphan-result"], [["+t", "-t"]], id="a copy before it"),
        pytest.param([said("a", tool("t", "x")), turn("r", (None, "x"))], ["stored-twice"], [["+t", "-t"]], id="a copy without an id"),
        pytest.param([said("a", tool("t")), turn("r", ("t", "x")), turn("s", ("t", "x"))], ["duplicate-result"], [["+t"], ["-t"]], id="two turns"),
        pytest.param([said("a", tool("t")), turn("r", ("t", "x"), ("t", "x"))], ["duplicate-result"], [["+t"], ["-t"]], id="twice in a turn"),
        pytest.param([said("a", tool("t")), turn("r", ("t", "x"), ("z", "x"))], ["orphan-result"], [["+t"], ["-t"]], id="an orphan beside"),
        pytest.param([said("a", content="ok"), turn("r", (None, "x"))], ["orphan-result"], [["ok"]], id="an orphan without an id"),
        pytest.param([said("a", tool("t")), user("v"), said("b", content="ok"), turn("r", ("t", "x"))], ["displaced-result"], [["+t", "-t"], ["hi"], ["ok"]], id="late"),
        pytest.param([turn("r", ("t", "x")), said("a", tool("t")), user("v")], ["result-before-call"], [["+t", "-t"], ["hi"]], id="early"),
        pytest.param([said("a", tool("t1"), tool("t2")), turn("r", ("t2", "y")), user("v")], ["unanswered-call"], [["+t1", "+t2", "-t1"], ["-t2"], ["hi"]], id="one of two"),
        pytest.param([said("a", tool("t1"), tool("t2")), user("v"), said("b", content="ok"), turn("r", ("t1", "x"), ("t2", "y"))], ["displaced-result"] * 2, [["+t1", "+t2", "-t1", "-t2"], ["hi"], ["ok"]], id="late, both"),
        pytest.param([said("a", tool("t"), content=[{"functionCall": {"id": "t", "name": "ls", "args": {}}}]), user("v"), said("b", content="ok"), turn("r", ("t", "x"))], ["displaced-result"], [["+t", "-t"], ["hi"], ["ok"]], id="late, call in the content"),
    ],
)
@pytest.mark.parametrize("shape", ["lines", "list", "whole"])
def test_results_in_turns(records, rules, sent, shape):
    """Each is paired with its call by id or order, and sent once, with it; nothing that was said is lost."""
    records = [user("u"), *records]
    data, name = {"lines": (lines(*records), LINES), "list": (lines({"$set": {"messages": records}}), LINES), "whole": (whole(*records), WHOLE)}[shape]

    assert [rule for rule, severity, _ in found(data, name) if severity != "info"] == rules
    assert left(repaired(data, name), name) == [["hi"], *sent]


def test_a_made_up_result_gives_way():
    """Where the result with the call is a stand-in, the turn has the real one."""
    data = lines(user("u"), said("a", tool("t", "[condense] The result is not known.")), turn("r", ("t", "x")), user("v"))

    assert [rule for rule, _, _ in found(data)] == ["stored-twice"]
    assert left(repaired(data)) == [["hi"], ["+t"], ["-t"], ["hi"]]


def test_a_thought_in_the_content_hides_tool_calls():
    """With a thought in the content the client sends the content alone, so the result of a tool call has no call."""
    data = lines(user("u"), said("a", tool("t", "x"), content=[{"text": "hm", "thought": True}]), user("v"))

    assert [rule for rule, _, _ in found(data)] == ["orphan-result"]


def test_a_snapshot_is_shown():
    """Every resume writes all messages into one `$set`: each of them is shown, with its results."""
    data = lines({"$set": {"messages": [user("u", [{"text": "one"}]), said("a", tool("t", "x"), content="two"), user("v", [{"text": "three"}])]}})

    assert left(data) == [["one"], ["two", "+t", "-t"], ["three"]]


def test_copies_are_named_by_their_tool():
    """`query` lists a copy under the tool of its call."""
    with session_file(lines(*STORED), LINES) as path:
        rows = json.loads(condense("query", "--output-format", "json", "t1", path).out)["results"][0]["outputs"]

    assert [(row["toolName"], row["output"]) for row in rows] == [("ls", "x"), ("ls", "x")]


def test_many_copies_in_a_list_take_no_time():
    """A snapshot of a long session is changed once, not once for each of its results."""
    messages = [user("u")]
    for n in range(1500):
        messages += [said(f"a{n}", tool(f"t{n}", "x" * 200)), turn(f"r{n}", (f"t{n}", "x" * 200))]
    began = time.process_time()
    new = repaired(lines({"$set": {"messages": messages}}))

    assert time.process_time() - began < 20
    assert left(new) == [["hi"], *([f"+t{n}", f"-t{n}"] for n in range(1500))]


# ---------------------------------------------------------------------- other rules
def test_a_session_that_starts_with_an_answer():
    """A marked user message is put in front, in both shapes."""
    for data, name in ((lines(said("a", content="x"), user("v")), LINES), (whole(said("a", content="x"), user("v")), WHOLE)):
        new = repaired(data, name)
        assert found(data, name)[0][0] == "starts-without-user"
        with session_file(new, name) as path:
            shown = condense("render", "--view", "stored", "--output-format", "jsonl", path).out
        first = json.loads(shown.splitlines()[1 if name == LINES else 0])
        assert first["type"] == "user"
        assert "[condense]" in first["content"][0]["text"]


def test_a_note_stands_where_the_first_message_has_its_place():
    """A message that was appended again keeps its old place, so the note goes there, into a list where that is one."""
    later = repaired(lines(said("a", tool("t")), user("v")))
    inside = repaired(lines({"$set": {"messages": [said("a", tool("t")), user("v")]}}))

    assert [json.loads(line).get("type") for line in later.splitlines()] == [None, "user", "gemini", "user", "gemini"]
    assert [one["type"] for one in json.loads(inside.splitlines()[1])["$set"]["messages"]] == ["user", "gemini", "user"]


def test_contents_are_mended_in_place():
    """An empty part goes, an image that is none becomes a text, arguments become an object."""
    content = [{"text": "look"}, {"text": ""}, {"inlineData": {"mimeType": "image/png", "data": "bm8="}}]
    data = lines(user("u", content), said("a", {**tool("t", "x"), "args": "no"}), user("v"))
    new = [json.loads(line) for line in repaired(data).splitlines()]

    assert [rule for rule, _, _ in found(data)] == ["blank-text", "invalid-image", "invalid-arguments"]
    assert [set(part) for part in new[1]["content"]] == [{"text"}, {"text"}]
    assert new[2]["toolCalls"][0]["args"] == {}


def test_a_name_is_mended_in_call_and_response():
    """A bad tool name is cut in the tool call and in the response that repeats it."""
    bad = tool("t", "x")
    bad["name"] = bad["result"][0]["functionResponse"]["name"] = "ls<|x"
    new = json.loads(repaired(lines(user("u"), said("a", bad), user("v"))).splitlines()[2])["toolCalls"][0]

    assert (new["name"], new["result"][0]["functionResponse"]["name"]) == ("ls", "ls")


@pytest.mark.parametrize(
    ("damage", "rule"),
    [
        pytest.param(lambda data: data[:-9], "torn-tail", id="torn"),
        pytest.param(lambda data: data[:-1], "missing-final-newline", id="no newline"),
        pytest.param(lambda data: b"\xef\xbb\xbf" + data, "bom", id="BOM"),
        pytest.param(lambda data: data.replace(b"\n", b"", 1), "fused-line", id="fused"),
        pytest.param(lambda data: data + b"\0" * 9 + b"\n", "nul-bytes", id="NUL"),
    ],
)
def test_damaged_lines_are_mended(damage, rule):
    """The line rules hold for the JSONL shape, as warnings: the client passes over what it cannot read."""
    data = damage(lines(user("u"), said("a", content="x"), user("v")))

    assert [(r, s) for r, s, _ in found(data)] == [(rule, "warning")]
    repaired(data)


def test_a_cut_document_is_named(tmp_path):
    """A whole-file session that breaks off cannot be read, and the message names the line."""
    path = tmp_path / WHOLE
    path.write_bytes(whole(user("u"), said("a", tool("t", "x")))[:-40])
    outcome = condense("check", path)

    assert outcome.code == 3
    assert b"breaks off" in outcome.out


# ---------------------------------------------------------------------- query and recorded sessions
def test_outputs_are_found():
    """query gives back an output by its call's id, and by line."""
    data = lines(user("u"), said("a", tool("t1", "first"), tool("t2", "second")), user("v"))
    with session_file(data, LINES) as path:
        assert condense("query", "--session", path, "--raw", "t2").out == b"second"
        assert b"first" in condense("query", "--session", path, "L3").out


@pytest.mark.skipif(not REAL.is_file(), reason="recorded sessions are not here")
def test_a_recorded_session():
    """A recorded session is read, counted, shown and left alone."""
    report = json.loads(condense("check", "--output-format", "json", REAL).out)["files"][0]
    outcome, data = repair(REAL.read_bytes(), name=REAL.name)

    assert (report["format"], report["calls"], report["results"]) == ("gemini", 13, 13)
    assert condense("render", "--output-format", "text", REAL).code == 0
    assert (outcome.code, data) == (0, REAL.read_bytes())
