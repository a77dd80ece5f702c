"""Repair looks again after each rule: what one fixer leaves, or cannot do, is not lost."""

import dataclasses
import json

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.model.policies import Policies, Unanswered
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.repair.proof import prove
from condense_cli.rules.catalogue import RULES
from tests.strategies import as_lines, calls, pi_file, pi_records

SOUND = [("user",), calls(["a"]), ("result", "a"), ("text",)]


def read(data, name="pi"):
    """A document of these bytes."""
    return read_document("s.jsonl", BytesInMemory(data), name)


def repaired(data, choice=None, name="pi"):
    """The plan and the new bytes, proved; a second repair changes nothing."""
    choice = choice or Choice()
    plan = make_plan(read(data, name), choice)
    new = b"".join(apply(plan.segments, BytesInMemory(data)))
    prove(plan, read(data, name), read(new, name))
    assert not make_plan(read(new, name), choice).changes
    return plan, new


def test_a_fragment_that_becomes_the_last_line_goes():
    """Where what stood behind it is taken out, an unreadable line is a torn tail now."""
    lines = as_lines(pi_records([("user",), ("text",), ("result", "b")]))
    _, new = repaired(b"".join([*lines[:3], lines[2][:40] + b"\n", lines[3]]))

    assert new == b"".join(lines[:3])


def test_a_fragment_that_becomes_the_last_line_is_named_as_one():
    """Where a torn tail is to be left, it is what remains, and not a line that nothing explains."""
    lines = as_lines(pi_records([("user",), ("text",), ("result", "b")]))
    plan, new = repaired(b"".join([*lines[:3], lines[2][:40] + b"\n", lines[3]]), Choice(ignore=frozenset({"torn-tail"})))

    assert new == b"".join([*lines[:3], lines[2][:40] + b"\n"])
    assert [finding.rule for finding in plan.remaining] == ["torn-tail"]


def test_a_parent_that_is_to_stay_missing_is_missing_for_what_takes_the_place():
    """The result hangs on nothing and has no call there; it goes, and what hung on it hangs on nothing now."""
    records = pi_records(SOUND)
    records[3]["parentId"] = "deadbeef"
    plan, new = repaired(b"".join(as_lines(records)), Choice(ignore=frozenset({"missing-parent"})))

    missing = ("missing-parent", json.loads(new.splitlines()[3])["id"])
    assert [(finding.rule, finding.entry) for finding in plan.remaining] == [missing, ("unanswered-call", "00000002")]  # to a check
    assert b"toolResult" not in new


def test_a_finding_stays_with_a_record_that_moves():
    """Bytes that are to be left as they are go along with a result, and are still what remains."""
    lines = as_lines(pi_records([("user",), calls(["a"]), ("user",), ("result", "a"), ("text",)]))
    lines[4] = lines[4].replace(b'"text":"', b'"text":"\xff', 1)
    plan, new = repaired(b"".join(lines), Choice(ignore=frozenset({"invalid-utf8"})))

    assert b"\xff" in new.splitlines()[3]
    assert [finding.rule for finding in plan.remaining] == ["invalid-utf8"]


def test_a_copy_of_a_record_that_is_changed_goes():
    """Although duplicates are to be left: it would be another record with the same id now."""
    lines = as_lines(pi_records([("user",), ("call", ["a"], ["ba sh"]), ("result", "a"), ("text",)]))
    data = b"".join([*lines[:3], lines[2], *lines[3:]])
    _, new = repaired(data, Choice(ignore=frozenset({"duplicate-record"})))
    ids = [json.loads(line)["id"] for line in new.splitlines()]

    assert b'"ba"' in new
    assert len(ids) == len(set(ids)) == 5


def test_a_copy_of_a_record_that_stays_as_it_is_may_stay():
    """Nothing is dropped that was to be left and does no harm."""
    lines = as_lines(pi_records(SOUND))
    data = b"".join([*lines[:3], lines[2], *lines[3:]])

    assert make_plan(read(data), Choice(ignore=frozenset({"duplicate-record"}))).edits == ()


def replace_fix(monkeypatch, name, fix):
    """Let a rule have another fix."""
    monkeypatch.setitem(RULES, name, dataclasses.replace(RULES[name], fix=fix))


def test_one_that_cannot_be_mended_does_not_hold_up_the_others(monkeypatch):
    """A fix that gives up on several findings gets fewer and fewer of them."""
    fix = RULES["missing-arguments"].fix
    asked = []

    def picky(findings, index):
        asked.append([f.line for f in findings])
        if 5 in asked[-1]:
            raise ValueError
        return fix(findings, index)

    replace_fix(monkeypatch, "missing-arguments", picky)
    records = pi_records([("user",), calls(["a"]), ("result", "a"), calls(["b"]), ("result", "b"), calls(["c"]), ("result", "c"), ("text",)])
    for line in (2, 4, 6):
        del records[line]["message"]["content"][0]["arguments"]
    plan = make_plan(read(b"".join(as_lines(records))), Choice())

    assert asked[0] == [3, 5, 7]
    assert [e.line for e in plan.edits] == [3, 7]
    assert [(f.rule, f.line) for f in plan.remaining] == [("missing-arguments", 5)]


def test_a_fixer_without_effect_is_not_asked_for_ever(monkeypatch):
    """What does not change anything is left as remaining, after one try."""
    asked = []

    def idle(findings, index):
        asked.append(len(findings))
        return ()

    replace_fix(monkeypatch, "orphan-result", idle)
    plan = make_plan(read(pi_file([("user",), ("result", "b"), ("text",)])), Choice())

    assert asked == [1]
    assert [f.rule for f in plan.remaining] == ["orphan-result"]
    assert not plan.changes


def test_a_fixer_that_changes_nothing_for_the_better_is_stopped(monkeypatch):
    """One that writes and leaves the fault has a few tries."""
    asked = []

    def useless(findings, index):
        asked.append(1)
        draft = index.draft()
        draft.rewrite(findings[0].record, draft.raw(findings[0].record), "orphan-result")
        return draft.edits

    replace_fix(monkeypatch, "orphan-result", useless)
    plan = make_plan(read(pi_file([("user",), ("result", "b"), ("text",)])), Choice())

    assert len(asked) == 3
    assert [f.rule for f in plan.remaining] == ["orphan-result"]


def test_what_is_inserted_ends_its_line_as_the_others_do():
    """In a file with CRLF a new record has one, too, and one behind a last line without an ending starts a new line."""
    data = pi_file([("user",), ("call", ["a"], ["ba sh"])]).replace(b"\n", b"\r\n")
    choice = Choice(select=frozenset({"trailing-call", "invalid-tool-name"}))

    _, new = repaired(data, choice)
    assert [line.endswith(b"\r\n") for line in new.splitlines(keepends=True)] == [True] * 4
    _, torn = repaired(data[:-2], choice)
    assert [json.loads(line)["type"] for line in torn.splitlines()] == ["session", "message", "message", "message"]


def test_a_result_that_is_moved_is_mended_too():
    """A NUL in it is replaced although the record stands elsewhere now."""
    data = pi_file([("user",), calls(["a"]), ("user",), ("result", "a"), ("text",)]).replace(b'"text":"m3"', b'"text":"x\\u0000y"')
    plan, new = repaired(data)

    assert {e.rule for e in plan.edits} == {"displaced-result", "nul-character"}
    assert b"x\\ufffdy" in new
    assert new.index(b"x\\ufffdy") < new.index(b'"text":"m2"')


def test_several_blocks_of_one_record_go():
    """Taking one out leaves the place of the others."""

    def blank():
        return {"type": "text", "text": ""}

    records = pi_records([("user",), ("text",), ("user",)])
    records[2]["message"].update(api="anthropic-messages", provider="anthropic")
    records[2]["message"]["content"] = [blank(), blank(), {"type": "text", "text": "one"}, blank(), {"type": "text", "text": "two"}]
    _, new = repaired(b"".join(as_lines(records)))

    assert [block["text"] for block in json.loads(new.splitlines()[2])["message"]["content"]] == ["one", "two"]


@pytest.mark.parametrize("words", ["", "the rest"])
def test_a_chat_message_without_calls_has_no_list_of_them(words):
    """An empty `tool_calls` is refused; a message that held nothing else goes."""
    call = {"id": "a", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    rows = [{"role": "user", "content": "x"}, {"role": "assistant", "content": words, "tool_calls": [call]}, {"role": "user", "content": "y"}]
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    plan = make_plan(read(data, "openai-chat"), Choice(policies=Policies(unanswered=Unanswered.DROP)))
    new = [json.loads(line) for line in b"".join(apply(plan.segments, BytesInMemory(data))).splitlines()]

    assert new == [rows[0], *([{"role": "assistant", "content": words}] if words else []), rows[2]]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [("real", "real", "first"), ("made up", "real", "second"), ("made up", "made up", "first"), ("real", "made up", "first")],
)
def test_of_two_results_the_real_one_stays(first, second, kept):
    """A placeholder of a client makes room for a real output; of two alike the first stays."""
    texts = {"real": "output", "made up": "No result provided"}
    records = pi_records([("user",), calls(["a"]), ("result", "a"), ("result", "a"), ("text",)])
    for record, what in ((records[3], first), (records[4], second)):
        record["message"]["content"] = [{"type": "text", "text": texts[what]}]
    _, new = repaired(b"".join(as_lines(records)))

    ids = [json.loads(line)["id"] for line in new.splitlines() if b"toolResult" in line]
    assert ids == ["00000003" if kept == "first" else "00000004"]


def left(data, choice, rule):
    """The lines at which a plan says that a rule stays broken."""
    return [finding.line for finding in make_plan(read(data), choice).remaining if finding.rule == rule]


def test_what_a_check_finds_past_damage_that_stays_is_said_to_be_left():
    """Where the parent of an open call stays missing, the client does not read the call, and a check finds it all the same."""
    records = pi_records([("user",), calls(["a"]), ("user",), ("text",)])
    del records[3]
    data = b"".join(as_lines(records))

    assert left(data, Choice(select=frozenset({"unanswered-call"})), "unanswered-call") == [3]
    assert left(data, Choice(ignore=frozenset({"missing-parent"})), "unanswered-call") == [3]
    assert left(data, Choice(), "unanswered-call") == []
