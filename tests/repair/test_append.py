"""Repair by appending: `context_edit` entries behind a pi session whose bytes stay."""

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.errors import UsageError
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Severity
from condense_cli.model.plan import Copy, apply
from condense_cli.repair.append import append_plan
from condense_cli.repair.engine import Choice
from condense_cli.repair.proof import prove
from hypothesis import given
from tests.strategies import as_lines, broken_lists, calls, law, pi_file, pi_records, pi_trees


def read(data, format_name="pi"):
    """A document of these bytes."""
    return read_document("s.jsonl", BytesInMemory(data), format_name)


def appended(data, choice=None):
    """The plan, and the entries that it appends; all old bytes are in front of them."""
    plan = append_plan(read(data), choice or Choice())
    new = b"".join(apply(plan.segments, BytesInMemory(data)))
    assert new.startswith(data)
    prove(plan, read(data), read(new))
    return plan, [json.loads(line) for line in new[len(data) :].splitlines()], new


def left(data):
    """Errors and warnings that pi's check still finds."""
    return [f.rule for f in check(read(data), ["pi"]).findings if f.severity is not Severity.INFO]


def harmed(change):
    """A sound session with its records changed."""
    records = pi_records([("user",), calls(["a"]), ("result", "a"), ("text",)])
    change(records)
    return b"".join(as_lines(records))


def test_an_orphan_is_taken_out_of_the_context():
    """An entry names it and puts nothing in its place; it hangs on the leaf, and is the leaf then."""
    plan, (edit,), new = appended(pi_file([("user",), ("result", "b"), ("text",)]))

    assert edit == {"type": "context_edit", "id": edit["id"], "parentId": "00000003", "timestamp": "2026-01-01T00:00:03.000Z", "targetId": "00000002", "replacement": None}
    assert plan.leaf == edit["id"]
    assert [(e.change, e.rule, e.target, e.detail) for e in plan.edits] == [("insert", "orphan-result", 4, "edits line 3")]
    assert plan.remaining == ()
    assert left(new) == []


@pytest.mark.parametrize(
    ("messages", "targets"),
    [
        pytest.param([("user",), ("result", "b"), ("text",), ("result", "c"), ("text",)], ["00000002", "00000004"], id="two orphans"),
        pytest.param([("user",), calls(["a"]), ("result", "a"), ("result", "a"), ("text",)], ["00000004"], id="a second result"),
        pytest.param([("user",), calls(["a"]), ("user",), ("result", "a"), ("text",)], ["00000004"], id="a displaced one: pi answers its call itself"),
        pytest.param([("user",), ("result", "a"), calls(["a"]), ("text",), ("user",)], ["00000002"], id="a result before its call"),
    ],
)
def test_results_that_must_go(messages, targets):
    """Each is edited out once, in the order of the file."""
    _, edits, _ = appended(pi_file(messages))

    assert [(edit["targetId"], edit["replacement"]) for edit in edits] == [(target, None) for target in targets]
    assert [edit["parentId"] for edit in edits[1:]] == [edit["id"] for edit in edits[:-1]]


def test_the_content_of_a_message_is_replaced():
    """What is wrong inside a message is mended in a copy of its content; the message itself stays as it is."""
    data = harmed(lambda records: records[2]["message"]["content"][0].update(name="ba sh"))
    _, (edit,), new = appended(data)

    assert edit["targetId"] == "00000002"
    assert [block["name"] for block in edit["replacement"]["content"]] == ["ba"]
    assert left(new) == []


def test_all_faults_of_one_message_are_mended_in_one_edit():
    """pi takes the last edit of a message only: it holds what every rule made of the content."""

    def change(records):
        for record in records[1:]:
            if record["message"]["role"] == "assistant":
                record["message"].update(api="anthropic-messages", provider="anthropic")
        records[2]["message"]["content"] = [{"type": "text", "text": ""}, {"type": "toolCall", "id": "a", "name": "ba sh"}]

    plan, (edit,), new = appended(harmed(change))

    assert [(e.change, e.rule) for e in plan.edits] == [("insert", "invalid-tool-name")]
    assert edit["replacement"]["content"] == [{"type": "toolCall", "id": "a", "name": "ba", "arguments": {}}]
    assert left(new) == []


def test_a_message_that_was_replaced_before_is_left():
    """Its blocks are those of the edit, which nothing here changes."""
    data = harmed(lambda records: records[2]["message"]["content"][0].update(name="ba sh"))
    edit = {"type": "context_edit", "id": "e0000000", "parentId": "00000004", "timestamp": "2026-01-01T00:00:04.000Z", "targetId": "00000002", "replacement": {"content": [{"type": "text", "text": "x"}, {"type": "toolCall", "id": "a", "name": "b c", "arguments": {}}]}}
    plan, edits, _ = appended(data + as_lines([edit])[0])

    assert edits == []
    assert [f.rule for f in plan.remaining] == ["invalid-tool-name"]


def test_what_cannot_be_mended_that_way_remains():
    """The tree, and lines, would have to change: they are listed as remaining, and nothing is written for them."""
    data = harmed(lambda records: records[3].update(parentId="deadbeef"))
    plan, edits, _ = appended(data)

    assert "missing-parent" in [f.rule for f in plan.remaining]
    assert [edit for edit in edits if edit["type"] != "context_edit"] == []


def test_a_missing_newline_is_added_first():
    """The last record is ended, so that what is appended does not fuse with it."""
    plan, (edit,), new = appended(pi_file([("user",), ("result", "b"), ("text",)])[:-1] + b"\n")
    torn = append_plan(read(pi_file([("user",), ("result", "b"), ("text",)])[:-1]), Choice())

    assert edit["type"] == "context_edit"
    assert [e.rule for e in torn.edits] == ["missing-final-newline", "orphan-result"]
    assert b"".join(apply(torn.segments, BytesInMemory(pi_file([("user",), ("result", "b"), ("text",)])[:-1]))) == new
    assert plan.remaining == torn.remaining == ()


def test_nothing_is_appended_to_a_sound_session():
    """The plan is the whole file."""
    data = pi_file([("user",), calls(["a"]), ("result", "a"), ("text",)])
    plan, edits, _ = appended(data)

    assert (edits, plan.segments, plan.edits) == ([], (Copy(0, len(data)),), ())


def test_rules_are_chosen():
    """--ignore and --select hold for this method, too."""
    data = pi_file([("user",), ("result", "b"), ("text",)])

    assert appended(data, Choice(ignore=frozenset({"orphan-result"})))[1] == []
    assert appended(data, Choice(select=frozenset({"blank-text"})))[1] == []
    assert len(appended(data, Choice(select=frozenset({"orphan-result"})))[1]) == 1


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'[{"role": "user", "content": "x"}]', "openai-chat"),
        (pi_file([("user",)]).replace(b'"version":3', b'"version":1').replace(b'"id":"00000001","parentId":null,', b""), "pi"),
        (pi_file([("user",)]), "openclaw"),
    ],
    ids=["messages", "pi's first version", "openclaw"],
)
def test_who_does_not_read_it_is_refused(data, name):
    """Only pi sessions with a tree can be repaired by appending."""
    with pytest.raises(UsageError, match="only pi sessions"):
        append_plan(read(data, name), Choice())


@law(60)
@given(broken_lists())
def test_whatever_is_broken_no_old_byte_changes(messages):
    """Old bytes stay in front, the outcome is proved, and no finding is made that was not there."""
    data = pi_file([*messages, ("user",)])
    before = left(data)
    plan, _, new = appended(data)

    assert set(left(new)) <= set(before) | {"unanswered-call"}
    assert append_plan(read(new), Choice()).edits == () or plan.edits


@law(40)
@given(pi_trees())
def test_trees_are_appended_to(records):
    """With branches, compaction and edits in the session the same holds."""
    appended(b"".join(as_lines(records)))
