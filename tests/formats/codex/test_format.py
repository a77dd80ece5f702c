"""Codex rollouts: envelopes around items, compactions, rollbacks, and files whose lines keep their place."""

import json
import os
from pathlib import Path

import pytest
from condense_cli.document.views import Head
from condense_cli.formats import BY_NAME
from condense_cli.session.opened import open_session
from tests.strategies import condense, repair, session_file

NAME = "rollout-2026-11-02T09-00-00-019fad52-ea5a-4d9d-af72-3921233475a8.jsonl"
SHARED = Path(__file__).parents[4] / "shared"
FIXTURES = Path(__file__).parents[3] / "fixtures" / "codex"
TIME = "2026-11-02T09:00:00.000Z"
LONG_ID = "call_" + "x" * 80
MARK = "[condense] "


# ---------------------------------------------------------------------- records
def record(kind, payload, **more):
    return {"timestamp": TIME, **more, "type": kind, "payload": payload}


def meta(**more):
    return record("session_meta", {"id": "019fad52-ea5a-4d9d-af72-3921233475a8", "timestamp": TIME, "cwd": "/w", "originator": "codex_cli_rs", "cli_version": "0.147.0", "source": "cli", **more})


def item(kind, **payload):
    return record("response_item", {"type": kind, **payload})


def user(text="go on", **more):
    return item("message", role="user", content=[{"type": "input_text", "text": text}], **more)


def said(text="done", **more):
    return item("message", role="assistant", content=[{"type": "output_text", "text": text}], **more)


def event(kind, **payload):
    return record("event_msg", {"type": kind, **payload})


def reasoning(encrypted="gAAAA" + "b" * 60, **more):
    return item("reasoning", summary=[], content=None, encrypted_content=encrypted, **more)


def function(ident, name="exec_command", arguments='{"cmd":"ls"}', **more):
    return item("function_call", name=name, arguments=arguments, call_id=ident, **more)


def output(ident, text="out", kind="function_call_output"):
    return item(kind, call_id=ident, output=text)


def custom(ident):
    return item("custom_tool_call", call_id=ident, name="apply_patch", status="completed", input="*** Begin Patch")


def shell(ident):
    return item("local_shell_call", call_id=ident, status="completed", action={"type": "exec", "command": ["ls"]})


def search(ident, execution="client"):
    return item("tool_search_call", call_id=ident, execution=execution, arguments={"query": "x"})


def compacted(*items):
    return record("compacted", {"message": "so far", "replacement_history": [i["payload"] for i in items]})


def model(name):
    return record("turn_context", {"cwd": "/w", "model": name})


def as_lines(records):
    return b"".join(r if isinstance(r, bytes) else json.dumps(r, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for r in records)


def paginated(*records):
    """The records of a paginated file, numbered from 0; bytes count, too."""
    return [r if isinstance(r, bytes) or "ordinal" in r else {"timestamp": r["timestamp"], "ordinal": n, "type": r["type"], "payload": r["payload"]} for n, r in enumerate(records)]


def pages(*records):
    return paginated(meta(history_mode="paginated"), *records)


def check(records, *options, name=NAME):
    with session_file(as_lines(records), name) as path:
        outcome = condense("check", "--output-format", "json", *options, path)
    report = json.loads(outcome.out)["files"][0]
    assert (report["format"], report["error"]) == ("codex", None)
    return report


def found(*records, options=(), name=NAME):
    return [(f["rule"], f["severity"], f["line"]) for f in check(records, *options, name=name)["findings"]]


def repaired(*records, options=(), code=0, name=NAME):
    """The records after a repair, which is sound unless code says otherwise, and which a second repair leaves alone."""
    outcome, data = repair(as_lines(records), *options, name=name)
    assert outcome.code == code, outcome.err
    again, same = repair(data, *options, name=name)
    assert (again.code, same) == (code, data)
    return [json.loads(line) for line in data.splitlines()]


def payloads(records):
    return [r["payload"] for r in records if r["type"] == "response_item"]


def in_place(records, code=0):
    """The records of a repaired paginated file, of which no line changed its place or length."""
    before = as_lines(records)
    outcome, after = repair(before, name=NAME)
    assert outcome.code == code, outcome.err
    assert [len(line) for line in after.split(b"\n")] == [len(line) for line in before.split(b"\n")]
    return [json.loads(line) if line.strip() else None for line in after.splitlines()]


def sent(*records):
    """The roles, calls and results of the thread as the client reads it."""
    with session_file(as_lines(records), NAME) as path, open_session(str(path)) as session:
        return [(str(m.role), [c.id for c in m.calls] + [r.id for r in m.results]) for m in session.view().messages]


# ---------------------------------------------------------------------- detection and reading
def test_an_envelope_is_recognised_wherever_the_file_begins():
    """A record in an envelope is enough, and an early file is known by its first line; other objects are not."""
    assert BY_NAME["codex"].detect(Head("x", b"", ({"junk": 1}, user())))
    assert BY_NAME["codex"].detect(Head("x", b"", ({"id": "a", "timestamp": TIME, "instructions": None}, {"record_type": "state"}, user()["payload"])))
    assert not BY_NAME["codex"].detect(Head("x", b"", (user()["payload"],)))
    assert not BY_NAME["codex"].detect(Head("x", b"", ({"type": "message", "payload": {}},)))


def test_items_until_an_output_or_a_user_are_one_turn():
    """Reasoning, text and calls are one turn of the assistant; events do not break it."""
    records = [meta(), user(), reasoning(), said("I look"), event("agent_message", message="x"), function("a"), custom("b"), output("a"), output("b", kind="custom_tool_call_output"), said()]
    assert sent(*records) == [("user", []), ("assistant", ["a", "b"]), ("result", ["a"]), ("result", ["b"]), ("assistant", [])]
    assert found(*records) == []


def test_server_side_items_and_unknown_ones_need_no_partner():
    """Searches and images of the provider, snapshots and items of unknown types are no halves."""
    items = [item("web_search_call", status="completed", action={}), said(), search(None, "server"), item("tool_search_output", call_id=None, execution="server", tools=[]), item("ghost_snapshot"), item("brand_new"), said()]
    assert found(meta(), user(), *items) == []


def test_all_four_families_pair():
    """Calls of functions, the local shell, custom tools and tool search pair with the outputs of their family."""
    halves = [function("a"), output("a"), shell("b"), output("b"), custom("c"), output("c", kind="custom_tool_call_output"), search("d"), item("tool_search_output", call_id="d", status="completed", execution="client", tools=[])]
    assert found(meta(), user(), *halves, said()) == []
    report = check([meta(), user(), *halves, said()])
    assert (report["calls"], report["results"], report["client_version"]) == (4, 4, "0.147.0")


def test_early_files_are_read_checked_and_mended_without_envelopes():
    """An answer in a file of bare items is a bare item."""
    records = [{"id": "019f", "timestamp": TIME, "instructions": None}, user()["payload"], {"record_type": "state"}, function("a")["payload"], user()["payload"], said()["payload"]]
    assert found(*records) == [("unanswered-call", "warning", 4)]
    assert repaired(*records)[4]["call_id"] == "a"


def test_a_thread_is_shown_with_its_texts():
    """Turns hold text, reasoning, calls with parsed arguments, and outputs."""
    records = [meta(), user("hello"), item("reasoning", summary=[{"type": "summary_text", "text": "hm"}], content=None, encrypted_content="g"), function("a"), output("a", "listing"), compacted(user("kept"), said("told"))]
    with session_file(as_lines(records), NAME) as path, open_session(str(path)) as session:
        turns = [BY_NAME["codex"].turn(session.document, m) for m in session.view().messages]
        stored = [BY_NAME["codex"].turn(session.document, m) for m in BY_NAME["codex"].stored(session.document, session.view())]
    assert [[b.text for b in t.blocks] for t in turns] == [["kept"], ["told"]]
    assert [(b.kind, b.text or b.arguments) for t in stored for b in t.blocks] == [("text", "hello"), ("thinking", "hm"), ("call", {"cmd": "ls"}), ("result", "listing")]


def test_a_later_segment_says_so_and_keeps_outputs_of_the_file_before():
    """In a segment an output without a call is no orphan: the call stands in the file that it continues."""
    name = NAME.replace(".jsonl", "_019fad52-0000-4d9d-af72-3921233475a8.jsonl")
    assert found(meta(), output("a"), said(), name=name) == []
    assert found(meta(history_base={"thread_id": "x"}), output("a"), said()) == [("broken-lineage", "error", 1)]
    assert found(meta(), output("a"), said()) == [("orphan-result", "warning", 2)]
    with session_file(as_lines([meta(), said()]), name) as path:
        assert "continues another" in condense("check", path).err


# ---------------------------------------------------------------------- pairing
@pytest.mark.parametrize(
    ("call", "kind"),
    [(function, "function_call_output"), (shell, "function_call_output"), (custom, "custom_tool_call_output"), (search, "tool_search_output")],
)
def test_an_answer_is_of_the_calls_family(call, kind):
    """A call that a user turn left behind gets a marked output of its own family right behind it, in front of events."""
    records = [meta(), user(), call("a"), event("turn_aborted"), user(), said()]
    assert found(*records) == [("unanswered-call", "warning", 3)]
    made = repaired(*records)[3]["payload"]
    assert (made["type"], made["call_id"]) == (kind, "a")
    assert made["tools"] == [] if kind == "tool_search_output" else made["output"].startswith(MARK)


def test_answers_stand_behind_the_outputs_of_their_cycle():
    """Of parallel calls only those without an output are answered, behind the outputs that are there."""
    records = [meta(), user(), function("a"), function("b"), custom("c"), output("b"), event("token_count", info=None), user(), said()]
    assert [p.get("call_id") for p in payloads(repaired(*records))] == [None, "a", "b", "c", "b", "a", "c", None, None]


def test_a_call_that_a_message_follows_is_not_running():
    """The model went on without its output: the call is answered where it stands, also in `render --sweep contract`."""
    records = [meta(), user(), function("a"), reasoning(), said()]
    assert found(*records) == [("unanswered-call", "warning", 3)]
    assert [p.get("call_id") for p in payloads(repaired(*records))] == [None, "a", "a", None, None]
    assert found(meta(), user(), function("a"), said(), output("a")) == []
    with session_file(as_lines(records), NAME) as path:
        swept = condense("render", "--sweep", "contract", "--output-format", "jsonl", path).records
    assert MARK in json.dumps(swept)


def test_a_call_at_the_end_may_be_running():
    """The last call without output is an information and stays."""
    records = [meta(), user(), reasoning(), function("a")]
    assert found(*records) == [("trailing-call", "info", 4)]
    assert repaired(*records) == records
    assert payloads(repaired(*records, options=("--trailing", "answer")))[-1]["output"].startswith(MARK)


def test_an_output_of_another_family_is_no_answer():
    """A function output does not answer a custom call: it goes, and the call is answered."""
    records = [meta(), user(), custom("a"), output("a"), user(), said()]
    assert found(*records) == [("unanswered-call", "warning", 3), ("orphan-result", "warning", 4)]
    assert payloads(repaired(*records))[2]["type"] == "custom_tool_call_output"


def test_orphans_go_or_become_notes():
    """An output without a call is dropped, or with --orphan note kept as a message."""
    records = [meta(), user(), said(), output("zz", "precious"), user(), said()]
    assert found(*records) == [("orphan-result", "warning", 4)]
    assert repaired(*records) == [*records[:3], *records[4:]]
    note = repaired(*records, options=("--orphan", "note"))[3]["payload"]
    assert note["role"] == "user"
    assert "precious" in note["content"][0]["text"]


def test_an_early_output_moves_and_a_second_one_goes():
    """An output in front of its call moves behind it; of two outputs the one that a client made up goes."""
    early = [meta(), user(), output("a"), event("x"), function("a"), said()]
    assert found(*early) == [("result-before-call", "error", 3)]
    assert repaired(*early) == [early[0], early[1], early[3], early[4], early[2], early[5]]
    second = [meta(), user(), function("a"), output("a", "aborted"), user(), output("a", "real"), said()]
    assert found(*second) == [("duplicate-result", "error", 6)]
    assert [p["output"] for p in payloads(repaired(*second)) if "output" in p] == ["real"]


def test_a_late_output_is_fine_for_the_client():
    """Codex sends an output behind a user turn as it is; a chat provider refuses that, and a repair for it moves."""
    records = [meta(), user(), function("a"), user("wait"), output("a"), said()]
    assert found(*records) == [("displaced-result", "info", 5)]
    assert payloads(repaired(*records, options=("--contract", "openai-chat")))[2]["type"] == "function_call_output"


def test_an_equal_call_goes_and_a_different_one_gets_its_own_id():
    """One id twice in a turn: the equal copy goes; a different call and its output are renamed."""
    equal = [meta(), user(), function("a"), function("a"), output("a"), said()]
    assert found(*equal) == [("duplicate-call-id", "error", 4)]
    assert repaired(*equal) == [*equal[:3], *equal[4:]]
    other = [meta(), user(), function("a"), function("a", arguments='{"cmd":"pwd"}'), output("a", "1"), output("a", "2"), said()]
    ids = [p["call_id"] for p in payloads(repaired(*other)) if "call_id" in p]
    assert ids[0] == ids[2]
    assert ids[1] == ids[3] != ids[0]


def test_events_follow_a_renamed_call():
    """A reused id is renamed in call, output and the events between them, not in what came before."""
    records = [meta(), user(), function("a"), output("a"), event("exec_command_end", call_id="a"), said(), user(), function("a"), event("exec_command_end", call_id="a"), output("a"), said()]
    assert found(*records) == [("reused-id", "warning", 8)]
    ids = [r["payload"]["call_id"] for r in repaired(*records) if "call_id" in r["payload"]]
    assert ids[:3] == ["a", "a", "a"]
    assert len(set(ids[3:])) == 1
    assert ids[3] != "a"


# ---------------------------------------------------------------------- calls and content
@pytest.mark.parametrize(
    ("call", "rule", "path", "mended"),
    [
        (function("a", name="apply\0\0"), "invalid-tool-name", "name", "apply"),
        (function("a", name=""), "invalid-tool-name", "name", "unknown_tool"),
        (function("a", name="x" * 70), "invalid-tool-name", "name", "x" * 64),
        (function("a", arguments={"cmd": "ls"}), "invalid-arguments", "arguments", '{"cmd":"ls"}'),
        (function("a", arguments='{"cmd'), "invalid-arguments", "arguments", "{}"),
        (item("function_call", name="f", call_id="a"), "missing-arguments", "arguments", "{}"),
    ],
)
def test_what_a_call_says_is_mended(call, rule, path, mended):
    """Names are cut, arguments that are no JSON text become one."""
    records = [meta(), user(), call, output("a"), said()]
    assert [name for name, _, _ in found(*records)] == [rule]
    assert repaired(*records)[2]["payload"][path] == mended


def test_long_ids_are_shortened_in_both_halves():
    """An id over 64 characters is an error, and call and output get the same shorter one."""
    records = [meta(), user(), function(LONG_ID), output(LONG_ID), said()]
    assert found(*records) == [("invalid-call-id", "error", 3)]
    first, second = (p["call_id"] for p in payloads(repaired(*records)) if "call_id" in p)
    assert first == second
    assert len(first) <= 64


def test_nul_characters_in_arguments_and_outputs_are_replaced():
    """A NUL in a text becomes U+FFFD, one in a name ends the name."""
    records = [meta(), user(), item("custom_tool_call", call_id="a", name="apply\0", status="completed", input="*\0"), output("a", "x\0y", "custom_tool_call_output"), said()]
    kinds = {(rule, line) for rule, _, line in found(*records)}
    assert kinds == {("invalid-tool-name", 3), ("nul-character", 3), ("nul-character", 4)}
    call, out = payloads(repaired(*records))[1:3]
    assert (call["name"], call["input"], out["output"]) == ("apply", "*\ufffd", "x\ufffdy")


def test_reasoning_without_its_item_goes():
    """Reasoning at the end of a turn, and a whole run of it, is an error and dropped; in front of a call it stays."""
    records = [meta(), user(), reasoning(), reasoning(), user(), reasoning(), function("a"), output("a"), reasoning(), said(), reasoning()]
    assert found(*records) == [("dangling-reasoning", "error", 3), ("dangling-reasoning", "error", 4), ("dangling-reasoning", "error", 11)]
    assert repaired(*records) == [*records[:2], *records[4:10]]


def test_reasoning_that_holds_nothing_goes_wherever_it_stands():
    """With neither content nor encrypted content it cannot be sent; with content alone it is refused for that."""
    records = [meta(), user(), reasoning(None), said(), user(), item("reasoning", summary=[], content=[{"type": "reasoning_text", "text": "x"}]), said()]
    assert found(*records) == [("dangling-reasoning", "error", 3), ("invalid-item", "error", 6)]
    assert repaired(*records) == [*records[:2], *records[3:5], records[6]]


def test_dropping_a_call_leaves_no_reasoning_behind():
    """When a call is dropped, the reasoning in front of it has lost its item and goes in the next round."""
    records = [meta(), user(), reasoning(), function("a"), user(), said()]
    assert repaired(*records, options=("--unanswered", "drop")) == [records[0], records[1], records[4], records[5]]


def test_reasoning_of_another_model_is_an_information():
    """Encrypted reasoning of a model that is not used any more is reported, kept, and dropped on request."""
    records = [meta(), model("one"), user(), reasoning(), said(), model("two"), user(), reasoning(), said()]
    assert found(*records) == [("foreign-reasoning", "info", 4)]
    assert repaired(*records) == records
    assert repaired(*records, options=("--select", "foreign-reasoning")) == [*records[:3], *records[4:]]


def test_one_switch_of_models_is_one_finding():
    """All reasoning of a model that is not used any more has one cause; on request all of it is taken out."""
    old = [record for n in range(4) for record in (user(), reasoning(), said())]
    records = [meta(), model("one"), *old, model("two"), user(), said()]
    assert found(*records) == [("foreign-reasoning", "info", 4)]
    left = repaired(*records, options=("--select", "foreign-reasoning"))
    assert left == [record for record in records if record.get("payload", {}).get("type") != "reasoning"]


def test_images_that_are_none_become_text_in_messages_and_outputs():
    """Only the image goes: what stands beside it stays, and an image at an address is not judged."""
    bad, far = {"type": "input_image", "image_url": "data:image;base64,aGVsbG8="}, {"type": "input_image", "image_url": "https://x/y.png"}
    message = item("message", role="user", content=[{"type": "input_text", "text": "see"}, bad, far])
    records = [meta(), message, function("a"), item("function_call_output", call_id="a", output=[bad]), said()]
    assert found(*records) == [("invalid-image", "warning", 2), ("invalid-image", "warning", 4)]
    mended = repaired(*records)
    assert [part["type"] for part in mended[1]["payload"]["content"]] == ["input_text", "input_text", "input_image"]
    assert "image removed" in mended[3]["payload"]["output"][0]["text"]


def test_an_item_that_is_sent_twice_goes():
    """Items with the same own id: the later copy goes, a different one loses the id; without own ids it is no fault."""
    records = [meta(), user(), reasoning(id="rs_1"), function("a", id="fc_1"), output("a"), reasoning(id="rs_1"), function("a", id="fc_1"), output("a"), said()]
    assert {rule for rule, _, _ in found(*records)} == {"duplicate-record", "duplicate-result"}
    assert repaired(*records) == [*records[:5], records[8]]
    other = [meta(), user(), said("1", id="msg_1"), user(), said("2", id="msg_1")]
    assert repaired(*other) == [*other[:4], said("2")]
    assert found(meta(), user("same"), said("same"), user("same"), said("same")) == []


# ---------------------------------------------------------------------- what is sent
def test_a_rollback_takes_back_turns_of_the_user():
    """The last N turns are not sent, whatever is wrong in them; injected context is no turn."""
    lost = [user("b"), function("a"), user("<environment_context>x</environment_context>"), user("c"), said()]
    records = [meta(), user("a"), said(), *lost, event("thread_rolled_back", num_turns=2), user("d"), said()]
    assert found(*records) == []
    assert len(sent(*records)) == 4
    assert [rule for rule, _, _ in found(*records, options=("--view", "stored"))] == ["unanswered-call"]


def test_a_compaction_replaces_what_came_before():
    """Only the replacement and what follows is sent; without a replacement what the user typed and the summary."""
    records = [meta(), user(), function("a"), compacted(user("kept"), function("b"), output("b")), said()]
    assert sent(*records) == [("user", []), ("assistant", ["b"]), ("result", ["b"]), ("assistant", [])]
    assert found(*records) == []
    plain = [meta(), user(), function("a"), record("compacted", {"message": "so far"}), said()]
    assert [role for role, _ in sent(*plain)] == ["user", "summary", "assistant"]


def test_a_rollback_over_a_compaction_brings_the_old_history_back():
    """A compaction inside a turn that is taken back does not count."""
    records = [meta(), user("a"), said(), user("b"), compacted(user("summary")), said(), event("thread_rolled_back", num_turns=1), user("c"), said()]
    assert [role for role, _ in sent(*records)] == ["user", "assistant", "user", "assistant"]


def test_halves_inside_a_compaction_are_mended_there():
    """Orphans and dangling reasoning go, calls are answered and outputs moved inside the replacement; the record stays."""
    inner = [user("kept"), output("z"), output("e"), function("a"), function("b"), output("b"), user(), function("e"), reasoning(), user()]
    records = [meta(), user(), said(), compacted(*inner), user(), said()]
    assert {line for _, _, line in found(*records)} == {4}
    mended = repaired(*records)
    kept = mended[3]["payload"]["replacement_history"]
    assert [p.get("call_id", p["type"]) for p in kept] == ["message", "a", "b", "b", "a", "message", "e", "e", "message"]
    assert kept[4]["output"].startswith(MARK)
    assert mended[:3] + mended[4:] == records[:3] + records[4:]


def test_a_compaction_that_cuts_a_pair_keeps_its_other_messages():
    """The only element of a replacement may go without taking the record along."""
    records = [meta(), user(), compacted(output("a")), user(), said()]
    assert found(*records) == [("orphan-result", "warning", 3)]
    assert repaired(*records)[2]["payload"]["replacement_history"] == []


def test_a_late_output_moves_into_the_compaction_of_its_call():
    """Where a provider wants an output at its call, it moves to it, byte for byte."""
    late = output("a", "kept \u2028 text")
    records = [meta(), user(), compacted(user(), function("a"), user()), late, said()]
    mended = repaired(*records, options=("--contract", "openai-chat"))
    assert mended[2]["payload"]["replacement_history"][2] == late["payload"]
    assert len(mended) == 4


def test_images_inside_a_compaction_are_replaced():
    """A part of an item in a replacement is found by both numbers."""
    bad = item("message", role="user", content=[{"type": "input_text", "text": "see"}, {"type": "input_image", "image_url": "data:x"}])
    mended = repaired(meta(), user(), compacted(user(), bad), said())
    assert [p["type"] for p in mended[2]["payload"]["replacement_history"][1]["content"]] == ["input_text", "input_text"]


# ---------------------------------------------------------------------- headers and lines
def test_a_fork_has_several_headers():
    """The first header counts, the copied ones are ordinary records."""
    records = [meta(), meta(id="019fad52-0000-4d9d-af72-3921233475a8"), user(), said()]
    assert found(*records) == []
    assert repaired(*records) == records


def test_a_lost_header_is_built_from_name_and_content():
    """The id comes from the file name, the folder from the first turn; a readable prefix of the old line is used."""
    records = [record("turn_context", {"cwd": "/home/shop", "model": "m"}), user(), said()]
    assert found(*records) == [("missing-header", "error", 1)]
    made = repaired(*records)[0]
    assert (made["type"], made["payload"]["id"], made["payload"]["cwd"]) == ("session_meta", NAME[28:-6], "/home/shop")
    torn = as_lines([meta(cli_version="9.9.9")])[:-5] + b"\n"
    named = repaired(torn, *records, name="x.jsonl")[0]["payload"]
    assert (named["id"], named["cli_version"]) == ("019fad52-ea5a-4d9d-af72-3921233475a8", "9.9.9")
    assert repaired(*records, name="x.jsonl")[0]["payload"]["id"] == repaired(*records, name="y.jsonl")[0]["payload"]["id"]


def test_a_header_without_an_id_gets_one():
    """A header that names no session is no header for the client; the id of the file name is written into it."""
    old = record("session_meta", {"timestamp": TIME, "cwd": "/w"})
    assert found(old, user(), said()) == [("missing-header", "error", 1)]
    assert repaired(old, user(), said())[0]["payload"] == {**old["payload"], "id": NAME[28:-6]}


def test_a_header_behind_other_records_moves_to_the_front():
    """Everything else keeps its order."""
    records = [user(), meta(), said()]
    assert found(*records) == [("misplaced-header", "error", 2)]
    assert repaired(*records) == [records[1], records[0], records[2]]


def test_invalid_utf8_is_an_error_everywhere():
    """The client refuses the whole file: a record with bad bytes is mended, an unreadable line only in its bytes."""
    inside = as_lines([said("a?b")]).replace(b"?", b"\xff")
    assert found(meta(), user(), inside) == [("invalid-utf8", "error", 3)]
    assert repaired(meta(), user(), inside)[2]["payload"]["content"][0]["text"] == "a\ufffdb"
    torn = [meta(), user(), b'{"timestamp":"\xff\n', said()]
    assert found(*torn) == [("unreadable-line", "warning", 3), ("invalid-utf8", "error", 3)]
    outcome, data = repair(as_lines(torn), name=NAME)
    assert outcome.code == 1
    assert data.decode().splitlines()[2] == '{"timestamp":"\ufffd'


def test_a_lone_surrogate_is_an_error_and_its_record_stays():
    """Codex drops the line without a word, so half a pair becomes U+FFFD and nothing else changes."""
    line = as_lines([output("a", "x?y")]).replace(b"?", b"\\ud83d")
    assert found(meta(), user(), function("a"), line, said()) == [("lone-surrogate", "error", 4)]
    assert repaired(meta(), user(), function("a"), line, said())[3]["payload"]["output"] == "x\ufffdy"


def test_a_fragment_is_dropped_only_where_the_next_record_repeats_it():
    """A torn write that was tried again goes; a fragment that says no more than the envelope is no repetition."""
    whole = as_lines([reasoning("gAAAA" + "b" * 200)])
    again = [meta(), user(), whole[:200] + b"\n", whole, said()]
    assert len(repaired(*again)) == 4
    other = as_lines([{**output("a"), "timestamp": "2026-11-02T09:00:07.000Z"}])
    outcome, data = repair(as_lines([meta(), user(), other[:70] + b"\n", said()]), name=NAME)
    assert (outcome.code, data.count(b"\n")) == (1, 4)


# ---------------------------------------------------------------------- paginated files
def test_the_last_record_gets_the_next_number():
    """A last record without an ordinal cannot be resumed: the next number is written in front of its type."""
    records = [*pages(user(), said()), event("token_count", info=None)]
    assert found(*records) == [("missing-ordinal", "error", 4)]
    assert list(repaired(*records)[3].items())[:3] == [("timestamp", TIME), ("ordinal", 3), ("type", "event_msg")]


def test_other_faults_of_numbers_are_only_reported():
    """A missing number in the middle and a number that stands twice are not mended; gaps are legal."""
    middle = [*pages(user()), said(), {"timestamp": TIME, "ordinal": 3, **user()}]
    assert found(*middle) == [("missing-ordinal", "error", 3)]
    assert repaired(*middle, code=1) == middle
    twice = [*pages(user(), said()), {"timestamp": TIME, "ordinal": 2, **event("x")}, {"timestamp": TIME, "ordinal": 9, **event("x")}]
    assert found(*twice) == [("duplicate-ordinal", "warning", 4)]
    assert repaired(*twice, code=1) == twice


def test_records_of_a_paginated_file_are_neutralised_not_dropped():
    """An orphan, a second output and dangling reasoning become events with their number, at the same length."""
    records = pages(user(), output("z"), function("a", name="a b"), output("a"), output("a", "again"), user(), reasoning(), user(), said())
    mended = in_place(records)
    assert [r["ordinal"] for r in mended] == list(range(10))
    assert [r["payload"]["type"] for r in mended if r["type"] == "event_msg"] == ["token_count"] * 3
    assert mended[3]["payload"]["name"] == "a"


def test_what_needs_room_is_reported_in_a_paginated_file():
    """An answer, a move, a split line, a header in front and longer bytes would shift what follows: nothing is written."""
    glued = as_lines(pages(user()))[:-1].replace(b"}\n", b"}")
    for records, rule in (
        (pages(user(), function("a"), user(), said()), "unanswered-call"),
        (pages(user(), output("a"), function("a"), user()), "result-before-call"),
        (paginated(user(), said()), "missing-header"),
        ([pages()[0], glued + b"\n", {"timestamp": TIME, "ordinal": 9, **said()}], "fused-line"),
        (pages(user(), as_lines(paginated(said("a?b"))).replace(b"?", b"\xff").replace(b":0", b":2"), user()), "invalid-utf8"),
    ):
        assert rule in [name for name, _, _ in found(*records)]
        outcome, data = repair(as_lines(records), name=NAME)
        assert (outcome.code, data) == (1, as_lines(records)), rule


def test_lines_of_a_paginated_file_are_padded():
    """A BOM, NULs and fragments give way to spaces behind the record, or to a blank line; the torn tail is cut."""
    records = pages(user(), b"\0" * 30 + b"\n", b"\0\0" + as_lines([{"ordinal": 3, **said()}]), b'{"timest' + as_lines([{"ordinal": 4, **user()}]))
    mended = in_place([b"\xef\xbb\xbf", *records])
    assert [r and r["ordinal"] for r in mended] == [0, 1, None, 3, 4]
    outcome, data = repair(as_lines([*pages(user(), said()), b'{"timestamp":']), name=NAME)
    assert (outcome.code, data) == (0, as_lines(pages(user(), said())))


def test_a_reused_id_keeps_its_length_in_a_paginated_file():
    """The fresh id is as long as the old one, in call and output."""
    mended = in_place(pages(user(), function("call_1"), output("call_1"), user(), function("call_1"), output("call_1"), said()))
    assert mended[5]["payload"]["call_id"] == mended[6]["payload"]["call_id"] != "call_1"


def test_a_running_call_is_answered_at_the_end_of_a_paginated_file():
    """On request answers are appended behind everything, with the next numbers."""
    records = pages(user(), function("a"), function("b"), event("turn_aborted"))
    mended = repaired(*records, options=("--trailing", "answer"))
    assert mended[:5] == records
    assert [(r["ordinal"], r["payload"]["call_id"]) for r in mended[5:]] == [(5, "a"), (6, "b")]


# ---------------------------------------------------------------------- whole files
def test_what_a_compaction_repeats_is_found_once():
    """An output that a compaction repeats is one occurrence; what only it holds is found, too."""
    records = [meta(), user(), function("a"), output("a", "first"), compacted(user(), function("a"), output("a", "first"), function("b"), output("b", "only")), said()]
    with session_file(as_lines(records), NAME) as path:
        assert condense("query", "--session", path, "--raw", "a").out == b"first"
        assert condense("query", "--session", path, "--raw", "b").out == b"only"


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.jsonl")), ids=lambda p: p.name)
def test_broken_rollouts_become_sound(path):
    """A rollout of the folder is repaired to one without errors and warnings, and its sound lines stay as they are."""
    before = path.read_bytes()
    outcome, after = repair(before, name=NAME)
    assert outcome.code == 0, outcome.err
    touched = {line for _, severity, line in found(*before.splitlines(keepends=True)) if severity != "info"}
    kept = [line for n, line in enumerate(before.splitlines(keepends=True), 1) if n not in touched]
    assert touched
    assert set(kept) <= set(after.splitlines(keepends=True))
    assert found(*after.splitlines(keepends=True)) == []


@pytest.mark.skipif(not SHARED.exists(), reason="recorded sessions are not at hand")
def test_recorded_rollouts_are_sound_and_stay():
    """Files of the real client: halves are counted, nothing is an error, and a repair changes no byte."""
    counts = {}
    for row in (SHARED / "real" / "INDEX.tsv").read_text(encoding="utf-8").splitlines():
        cells = row.split("\t")
        if cells[0].startswith("codex/"):
            counts[os.path.basename(cells[0])] = (int(cells[7]), int(cells[8]))
    for path in sorted((SHARED / "real" / "codex").glob("*.jsonl")):
        outcome = condense("check", "--output-format", "json", path)
        report = json.loads(outcome.out)["files"][0]
        assert (report["calls"], report["results"]) == counts[path.name]
        again, data = repair(path.read_bytes(), name=path.name)
        assert again.code == 0
        rebuilt = path.name == "no-session-meta.jsonl"
        assert data.endswith(path.read_bytes())
        assert (data == path.read_bytes()) is not rebuilt


def test_a_last_line_without_a_type_gets_no_ordinal(tmp_path):
    """It is no record of the client: there is nothing before which the ordinal could be written."""
    lines = [meta(history_mode="paginated"), user(), {"role": "user", "content": "Good."}]
    path = tmp_path / NAME
    path.write_text("".join(json.dumps({"ordinal": n, **line} if "type" in line else line) + "\n" for n, line in enumerate(lines)))

    done = condense("check", str(path))

    assert done.code == 1
    assert b"missing-ordinal at line 3" in done.out
