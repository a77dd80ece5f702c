"""The proof of a repair: what a new file must be before it is kept."""

import json
import random
from pathlib import Path

import pytest
from condense_cli.check.client_texts import missing
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.errors import CondenseError, RefusedError, UnreadableError
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Severity
from condense_cli.model.plan import Change, Edit, Put, apply
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.repair.proof import prove
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.rule import Layer
from condense_cli.session.repaired import is_left
from hypothesis import given
from hypothesis import strategies as st
from tests import fuzz, oracle
from tests.strategies import as_lines, calls, damaged_files, law, pi_file, pi_records

OLD = pi_file([("user",), calls(["a"]), ("result", "a"), ("result", "b"), ("text",)])


def read(data):
    """A document of these bytes."""
    return read_document("s.jsonl", BytesInMemory(data), "pi")


@pytest.fixture
def plan():
    """The plan for a session with one orphan."""
    return make_plan(read(OLD), Choice())


@pytest.fixture
def new(plan):
    """What it makes of the session."""
    return b"".join(apply(plan.segments, BytesInMemory(OLD)))


def test_what_was_promised_is_accepted(plan, new):
    """The new file as it was planned has nothing against it."""
    prove(plan, read(OLD), read(new))


def test_another_end_of_the_thread_is_refused(plan, new):
    """The entry that the client resumes from must be the one that the plan says."""
    with pytest.raises(RefusedError, match="end at another record"):
        prove(plan._replace(leaf="00000003"), read(OLD), read(new))


@pytest.mark.parametrize("at", [10, -10])
def test_bytes_that_nobody_edited_are_compared(plan, new, at):
    """One changed byte anywhere is refused, in what was kept and in what was written."""
    bad = bytearray(new)
    bad[at] ^= 1

    with pytest.raises(RefusedError, match=r"bytes that were not edited changed|not what was written"):
        prove(plan, read(OLD), read(bytes(bad)))


def test_a_fault_that_is_still_there_is_refused(plan, new):
    """A plan that promises more than its segments do is refused; what it says will remain is not."""
    unfixed = make_plan(read(OLD), Choice(ignore=frozenset({"orphan-result"})))

    with pytest.raises(RefusedError, match="still break orphan-result"):
        prove(unfixed._replace(remaining=()), read(OLD), read(OLD))
    prove(unfixed, read(OLD), read(OLD))


def test_a_new_fault_is_refused(plan):
    """Whatever a repair breaks that was whole before is found."""
    bad = OLD.replace(b'"toolCallId":"a"', b'"toolCallId":"c"')
    whole = make_plan(read(bad), Choice(ignore=frozenset({"orphan-result"}), select=frozenset({"bom"})))

    with pytest.raises(RefusedError, match="still break"):
        prove(whole._replace(remaining=whole.remaining[:1]), read(bad), read(bad))


# ---------------------------------------------------------------------- what the client sends

SOUND = [("user",), calls(["a"]), ("result", "a"), ("text",), ("user",)]


def with_parent(number, parent):
    """The sound session with another parent of one record."""
    records = pi_records(SOUND)
    records[number]["parentId"] = parent
    return b"".join(as_lines(records))


def forged(before, after, *edits):
    """A plan that a broken rule could make: it writes these bytes, and names these edits."""
    plan = make_plan(read(before), Choice())
    remaining = make_plan(read(after), Choice(ignore=frozenset(RULES))).findings
    return plan._replace(segments=(Put(after),), edits=edits, remaining=remaining)


def test_messages_that_a_new_parent_makes_unreachable_are_refused():
    """An edit of a link names the record that is linked, not those that it hides: whatever rule made it."""
    before, after = pi_file(SOUND), with_parent(5, "00000001")
    plan = forged(before, after, Edit(Change.REPARENT, "missing-parent", 6), Edit(Change.DROP, "duplicate-record", 2))

    with pytest.raises(RefusedError, match=r"s\.jsonl:3: what the client sends of this line and of 2 more would not reach"):
        prove(plan, read(before), read(after))


def test_what_an_edit_names_may_go():
    """By its record, or by its call; a moved or linked record is still to be sent."""
    before = pi_file(SOUND)
    after = before.replace(b'"m3"', b'"m9"')
    prove(forged(before, after, Edit(Change.REPLACE, "blank-text", 5)), read(before), read(after))
    for change in (Change.MOVE, Change.REPARENT, Change.INSERT):
        with pytest.raises(RefusedError, match="would not reach the model"):
            prove(forged(before, after, Edit(change, "blank-text", 5, target=5)), read(before), read(after))
    other = before.replace(b'"tag":"m1.0"', b'"tag":"m7.0"')
    prove(forged(before, other, Edit(Change.STRIP, "partial-call", 9, call_id="a")), read(before), read(other))
    with pytest.raises(RefusedError, match=r"s\.jsonl:3"):
        prove(forged(before, other, Edit(Change.STRIP, "partial-call", 9, call_id="b")), read(before), read(other))


def test_the_client_goes_on_from_the_same_record():
    """Where the last record and the new last one were both there before, an edit must have moved or dropped one of them."""
    lines = as_lines(pi_records(SOUND))
    before, after = b"".join(lines), b"".join([*lines[:-2], lines[-1], lines[-2]])
    plan = forged(before, after, Edit(Change.REPLACE, "blank-text", 6))._replace(leaf=None)

    with pytest.raises(RefusedError, match="go on from another record"):
        prove(plan, read(before), read(after))
    with pytest.raises(RefusedError, match="would not reach the model"):
        prove(plan._replace(edits=(Edit(Change.MOVE, "displaced-result", 6),)), read(before), read(after))


def test_a_new_finding_of_severity_info_is_refused():
    """Also what no contract calls an error: the session did not have it."""
    before = pi_file(SOUND)
    after = before.replace(b'[{"type":"text","text":"m4"}]', b"[]")
    plan = forged(before, after, Edit(Change.REPLACE, "blank-text", 6))
    assert {f.severity for f in plan.remaining} == {Severity.INFO}

    with pytest.raises(RefusedError, match="would bring empty-message, which the session does not have"):
        prove(plan._replace(edits=(Edit(Change.REPLACE, "blank-text", 6),)), read(before), read(after))


def test_a_compaction_that_a_fused_line_gives_back_hides_what_it_was_made_to_hide():
    """The client did not see it, and sent the messages before it; that they are hidden is what the file says."""
    records = pi_records(SOUND)
    records.insert(5, {"type": "compaction", "id": "c0000000", "parentId": "00000004", "timestamp": "2026-01-01T00:00:09.000Z", "summary": "s", "firstKeptEntryId": "00000004", "tokensBefore": 9})
    records[6]["parentId"] = "c0000000"
    lines = as_lines(records)
    data = b"".join([*lines[:5], lines[5].rstrip(b"\n") + lines[6]])
    assert [piece.line for piece in missing(read(data), read(b"".join(lines))).pieces] == [2, 3, 4]
    plan = make_plan(read(data), Choice())
    prove(plan, read(data), read(b"".join(apply(plan.segments, BytesInMemory(data)))))


# ---------------------------------------------------------------------- laws


def thread_texts(data):
    """The (line, text) of what pi has in context, by the oracle's own reader."""
    return [(line, json.dumps(message.get("content"), sort_keys=True)) for line, message in oracle.pi_context(oracle.read_pi(data))]


@law(60)
@given(damaged_files())
def test_what_pi_sends_is_sent_after_the_repair_unless_an_edit_names_it(data):
    """By a reader that was written apart: texts of messages, counted; records that damage hides may come back."""
    plan = make_plan(read(data), Choice())
    new = b"".join(apply(plan.segments, BytesInMemory(data)))
    prove(plan, read(data), read(new))
    named = {edit.line for edit in plan.edits if edit.change in (Change.DROP, Change.STRIP, Change.REPLACE)}
    if any(RULES[edit.rule].layer is Layer.LINE for edit in plan.edits):
        return  # a compaction or a branch may have come back
    there = [text for _, text in thread_texts(new)]
    assert [line for line, text in thread_texts(data) if line not in named and text not in there] == []


SEEDS = [(path.suffix, path.read_bytes()) for path in sorted(Path(fuzz.FIXTURES).rglob("*.json*")) if 0 < path.stat().st_size < 40_000 and path.name != "case.json"]


@law(150)
@given(st.sampled_from(SEEDS), st.sampled_from(SEEDS), st.integers(0, 1 << 30))
def test_damaged_sessions_of_every_format_are_repaired_or_left(seed, other, number):
    """A plan is proved or refused, never a crash; no refusal asks to be reported."""
    suffix, data = seed
    data = fuzz.mutate(data, random.Random(number), other[1])
    try:
        document = read_document(f"s{suffix}", BytesInMemory(data))
        plan = make_plan(document, Choice())
    except CondenseError:
        return
    if document.refusal() is not None:
        return
    if not plan.changes:
        return
    try:
        after = read_document(f"s{suffix}", BytesInMemory(b"".join(apply(plan.segments, BytesInMemory(data)))), plan.format)
        prove(plan, document, after)
    except UnreadableError:
        return
    except RefusedError as refused:
        assert "report" not in refused.advice
        return
    assert missing(after, read_document(f"s{suffix}", after.source, plan.format)).pieces == ()


@law(150)
@given(st.sampled_from(SEEDS), st.sampled_from(SEEDS), st.integers(0, 1 << 30))
def test_a_repair_that_says_all_is_well_is_followed_by_no_finding(seed, other, number):
    """Whatever was asked for: where a repair exits with 0, a check of its outcome for the same rules does, too."""
    suffix, data = seed
    rng = random.Random(number)
    data = fuzz.mutate(data, rng, other[1])
    some = frozenset(rng.sample(sorted(RULES), rng.choice((1, 2, 5))))
    choice = rng.choice((Choice(), Choice(select=some), Choice(ignore=some)))
    try:
        document = read_document(f"s{suffix}", BytesInMemory(data))
        plan = make_plan(document, choice)
        if is_left(plan, choice) or not plan.changes or document.refusal() is not None:
            return
        after = read_document(f"s{suffix}", BytesInMemory(b"".join(apply(plan.segments, BytesInMemory(data)))), plan.format)
        prove(plan, document, after)
    except CondenseError:
        return
    found = check(after, plan.contracts).findings
    asked = [f for f in found if f.rule not in choice.ignore and (not choice.select or f.rule in choice.select)]
    assert [f for f in asked if f.severity in (Severity.ERROR, Severity.WARNING)] == []
