"""What a rescan picks up: by place, never by id alone."""

from condense_cli.pi_condense.compact.capture import (
    Batch,
    Taken,
    batch_value,
    captured,
    duplicates,
    past_frontier,
    per_user_turn,
    rescan,
)
from condense_cli.pi_condense.prune.settings import Settings


def texts(reading):
    batches = rescan(reading.said, reading.branch.records)
    return [[call["resultText"] for call in batch_value(batch, reading.load)["toolCalls"]] for batch in batches]


def test_a_live_turn_with_the_ids_of_summarized_ones_is_captured(chat, look):
    """An id that is used again is another occurrence: its record does not hide the new output."""
    chat.user(1).cycle(2, "bash_1", "old").says(4).indexed("bash_1", 3, "old")
    chat.user(10).cycle(11, "bash_1", "new")

    assert texts(look(chat)) == [["new"]]


def test_each_turn_is_paired_with_its_own_results(chat, look):
    """A result belongs to the assistant in front of it, although both called the same id; an answer that comes later is none."""
    chat.user(1).calls(2, "bash_1").result(3, "bash_1", "first").calls(4, "bash_1").result(5, "bash_1", "second")
    chat.calls(6, "bash_2").calls(7, "read_3").result(8, "bash_2", "too late").result(9, "read_3", "third")

    assert texts(look(chat)) == [["first"], ["second"], ["third"]]


def test_other_messages_do_not_end_the_span_of_a_turn(chat, look):
    """A user message between call and result leaves the pair alone."""
    chat.user(1).calls(2, "bash_1").user(3, "faster").result(4, "bash_1", "late")

    assert texts(look(chat)) == [["late"]]


def test_protected_calls_are_not_captured(chat, look):
    """By the tool's name or by the path they read."""
    chat.user(1).calls(2, "todo_1", "read_2", arguments={"path": "x/skills/a.md"}).result(3, "todo_1").result(4, "read_2").cycle(5, "bash_3", "kept")

    assert texts(look(chat, Settings(protected_tools=["todo"]))) == [["kept"]]


def test_equal_outputs_alias_and_equal_ids_do_not(chat, look):
    """Of two batches that share an id, only the one with the same tool and text repeats the record."""
    chat.user(1).cycle(2, "bash_1", "same").says(4).indexed("bash_1", 3, "same")
    chat.user(10).cycle(11, "bash_1", "other").cycle(13, "bash_1", "same \n").says(15)
    reading = look(chat)

    found = duplicates(rescan(reading.said, reading.branch.records), reading)

    assert [(one.key, one.original) for one in found] == [("bash_1@14", "bash_1@3")]


def taken(*ids):
    return tuple(Taken(None, 0, call_id, None, call_id) for call_id in ids)


def test_the_frontier_leaves_only_what_was_not_attempted():
    """Smaller turns go; in the same turn the calls up to the frontier's, by bare id."""
    batches = [Batch(0, (), taken("a"), 1), Batch(1, (), taken("b", "c", "d"), 1), Batch(2, (), taken("b"), 1)]

    kept = past_frontier(batches, {"lastAttemptedToolCallId": "c", "lastAttemptedTurnIndex": 1})

    assert [[call.id for call in batch.calls] for batch in kept] == [["d"], ["b"]]
    assert past_frontier(batches, None) == batches


def test_batches_of_a_user_turn_are_merged_on_request(chat, look):
    """Calls stand one after the other, texts a blank line apart, the turn is the last one's."""
    merged = per_user_turn([Batch(0, ("x",), taken("a"), 1), Batch(3, ("y",), taken("b"), 1), Batch(4, ("z",), taken("c"), 2)])

    assert [(batch.turn, batch.turns, len(batch.calls)) for batch in merged] == [(3, ("x", "y"), 2), (4, ("z",), 1)]
    reading = look(chat.user(1).cycle(2, "bash_1").cycle(4, "bash_2"))
    assert len(captured(reading, reading.branch.records, "turn")) == 2
    assert len(captured(reading, reading.branch.records, "agent-message")) == 1
