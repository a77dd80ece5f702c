"""What holds for every session file: the whole program against a reader of its own."""

import json
from collections import Counter

from hypothesis import assume, given
from hypothesis import strategies as st
from tests import oracle, strategies
from tests.strategies import (
    FILE_DAMAGE,
    anthropic_array,
    as_lines,
    broken_lists,
    chat_array,
    condense,
    damaged_files,
    pi_file,
    pi_trees,
    read_back,
    repair,
    session_file,
    sound_lists,
)

law = strategies.law()
RESULT_RULES = {"orphan-result", "displaced-result", "result-before-call", "duplicate-result", "result-of-skipped-call"}


def written(data, *options, **more):
    """What a repair says and writes; a repair that is refused because it would be worse is no example of a law."""
    outcome, repaired = repair(data, *options, **more)
    assume(repaired is not None)
    return outcome, repaired


def findings(data, *options, name="s.jsonl"):
    """The findings of `check` in these bytes."""
    with session_file(data, name) as path:
        outcome = condense("check", "--output-format", "json", *options, path)
    assert outcome.code in {0, 1}, outcome.err
    return json.loads(outcome.out)["files"][0]["findings"]


def once_each(records):
    """Say whether no turn of a pi session declares one id twice."""
    blocks = [
        [b.get("id") for b in r.get("message", {}).get("content", []) if b["type"] == "toolCall"] for r in records
    ]
    return all(len(set(ids)) == len(ids) for ids in blocks)


@law
@given(pi_trees().filter(once_each))
def test_the_oracle_finds_the_same_results_without_a_call(records):
    """The results that `check` complains of are those that the turn rule removes when skipped turns ask for nothing."""
    data = b"".join(as_lines(records))
    found = {(finding["line"], finding["call_id"]) for finding in findings(data) if finding["rule"] in RESULT_RULES}
    assert found == oracle.pi_orphans(data)


@law
@given(sound_lists(), st.booleans())
def test_a_sound_session_comes_back_byte_for_byte(messages, is_pi):
    """Repair writes a sound session as it was, and ends with 0."""
    data = pi_file(messages) if is_pi else chat_array(messages)
    outcome, repaired = written(data, name="s.jsonl" if is_pi else "s.json")
    assert (outcome.code, repaired) == (0, data)


@law
@given(broken_lists())
def test_a_repaired_chat_array_is_accepted(messages):
    """After repair the independent chat checker has nothing to say but that the last turn's calls may be running."""
    _, repaired = written(chat_array(messages), name="s.json")
    left, _ = read_back(json.loads(repaired))
    last = max((index for index, message in enumerate(left) if message[0] == "call"), default=None)
    # Like a custom message, a system message behind a call does not say that the call has ended.
    running = last is not None and all(message[0] in {"result", "system"} for message in left[last + 1 :])
    refused = [v for v in oracle.accepted(left, "openai-chat") if not (running and v == ("unanswered", last))]
    assert refused == []


@law
@given(broken_lists(odd_ids=True))
def test_a_repaired_anthropic_array_is_accepted(messages):
    """After repair the independent Anthropic checker has nothing to say, ids included, but of calls that may be running."""
    data = anthropic_array([message for message in messages if message[0] != "system"])
    _, repaired = written(data, "--format", "anthropic", name="s.json")
    left, _ = read_back(json.loads(repaired))
    last = max((index for index, message in enumerate(left) if message[0] == "call"), default=None)
    running = last is not None and all(message[0] in {"text", "call"} for message in left[last + 1 :])
    # Text after a call in a message of its own is accepted; the vendor merges the two and leaves the order alone.
    fine = {"text after call", "unanswered"} if running else {"text after call"}
    assert [violation for violation in oracle.accepted(left, "anthropic") if violation.rule not in fine] == []


def check_tree(before, after):
    """Hold a repaired pi file against the damaged one, with the oracle's reader."""
    old, new = oracle.read_pi(before.removeprefix(b"\xef\xbb\xbf")), oracle.read_pi(after)
    assert new.header is not None
    assert new.missing_parents() == []
    assert new.cycles() == []
    assert new.owners_of_one_id() == []
    owners = set(new.by_id)
    for _, entry in new.entries:
        for field in ("firstKeptEntryId", "targetId", "fromId"):
            target = entry.get(field)
            assert target in owners or target not in old.by_id, (field, target)
    return old, new


@law
@given(damaged_files())
def test_a_repaired_tree_is_whole(data):
    """No lost parent, no cycle, no id twice, no reference that resolved before and does not now."""
    outcome, repaired = written(data)
    assert outcome.code in {0, 1}, outcome.err
    check_tree(data, repaired)


@law
@given(damaged_files())
def test_a_repaired_thread_is_accepted(data):
    """What pi sends of a repaired session is accepted by a reader that wants each answer right behind its call."""
    _, repaired = written(data)
    _, sent = oracle.pi_abstract(oracle.read_pi(repaired))
    assert oracle.accepted(sent, "openai-chat") == []


def content(entry):
    """An entry without what a repair may change in it: its place in the tree."""
    return {
        key: value
        for key, value in entry.items()
        if key not in {"id", "parentId", "targetId", "firstKeptEntryId", "fromId"}
    }


@law
@given(damaged_files())
def test_the_leaf_stays_the_leaf(data):
    """The entry that the client resumes at is the same one before and after."""
    _, repaired = written(data)
    old, new = oracle.read_pi(data), oracle.read_pi(repaired)
    assume(old.leaf is not None)
    assert content(new.leaf) == content(old.leaf)


@law
@given(damaged_files())
def test_records_that_stay_keep_their_bytes_and_their_order(data):
    """Every line of the new file that stood in the old one keeps its place among the others; only results and the header move."""
    _, repaired = written(data)

    def fixed(whole):
        return [raw for _, raw in oracle.pi_lines(whole) if raw.strip(b"\r") and not is_movable(raw)]

    old, new = fixed(data), fixed(repaired)
    shared = set(old) & set(new)
    kept = [line for line in new if line in shared]
    first_places = list(dict.fromkeys(line for line in old if line in shared))
    assert list(dict.fromkeys(kept)) == first_places


def is_movable(raw):
    """Say whether a line is a record that a repair may put elsewhere: a result or the header."""
    value = oracle.pi_parse(raw.removeprefix(b"\xef\xbb\xbf"))
    return value is not None and (
        value.get("type") == "session" or (value.get("message") or {}).get("role") == "toolResult"
    )


@law
@given(damaged_files())
def test_lines_that_no_edit_names_are_in_the_new_file(data):
    """A line without an edit is written back byte for byte, line ending included."""
    with session_file(data) as path:
        plan = path.with_name("plan")
        condense("repair", "--plan-out", plan, path)
        named = {edit["line"] for edit in json.loads(plan.read_bytes())["edits"]}
    _, repaired = written(data)
    there = (
        Counter(repaired.splitlines(keepends=True))
        if b"\r\n" in data
        else Counter(line + b"\n" for line in repaired.split(b"\n"))
    )
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if number not in named and number < len(lines):
            assert there[line + b"\n"] > 0, number


@law
@given(damaged_files())
def test_repairing_twice_changes_nothing(data):
    """The second repair writes what the first one wrote."""
    _, once = written(data)
    _, twice = written(once)
    assert twice == once


@law
@given(damaged_files())
def test_what_repair_promises_is_not_found_again(data):
    """A repaired file has no fixable finding of severity error or warning."""
    _, repaired = written(data)
    left = [f for f in findings(repaired) if f["severity"] in {"error", "warning"} and f["fixable"]]
    assert left == []


@law
@given(damaged_files(kinds=FILE_DAMAGE), st.sampled_from(["check", "check-orphans", "diff", "render"]))
def test_looking_never_writes(data, command):
    """No command that only looks changes a byte of the file."""
    with session_file(data) as path:
        condense(command, path)
        assert path.read_bytes() == data


def chunks():
    """Bytes as they come, and bytes cut from sessions."""
    pieces = st.sampled_from(
        [
            b"{",
            b"}",
            b"[",
            b"]",
            b'"',
            b"\\ud83d",
            b"\0",
            b"\n",
            b"\r\n",
            b"null",
            b'"role":"tool"',
            b"\xff",
            b"1e999",
            b"NaN",
        ]
    )
    return (
        st.binary(max_size=200)
        | st.lists(pieces, max_size=30).map(b"".join)
        | st.tuples(damaged_files(), st.binary(max_size=30)).map(_spliced)
    )


def _spliced(pair):
    data, noise = pair
    return data[: len(data) // 2] + noise + data[len(data) // 2 :]


@law
@given(chunks(), st.sampled_from(["auto", "pi", "openclaw", "openai-chat", "anthropic", "claude-code", "codex"]))
def test_no_bytes_make_the_reader_fail(data, form):
    """Whatever a file holds, `check` ends with 0, 1 or 3."""
    with session_file(data) as path:
        outcome = condense("check", "--format", form, path)
    assert outcome.code in {0, 1, 3}, outcome.err
