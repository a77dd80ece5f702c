"""Results that become records."""

from condense_cli.pi_condense.compact.backfill import Ends, fresh_results
from condense_cli.pi_condense.compact.branch import arguments_of
from condense_cli.pi_condense.compact.chains import detect
from condense_cli.pi_condense.prune.settings import Settings


def keys(reading):
    ends = Ends(reading.said)
    return [[one.key for one in fresh_results(ends.inside(chain), chain, reading.branch.records)] for chain in detect(reading.said)]


def test_each_result_behind_its_call_becomes_a_record(chat, look):
    """Two results of one call are two records, a result before its call or without one is none."""
    chat.user(1).result(2, "bash_9").calls(3, "bash_1").result(4, "bash_1").result(5, "bash_1").says(6)

    assert keys(look(chat)) == [["bash_1@4", "bash_1@5"]]


def test_an_occurrence_that_has_a_record_gets_no_second_one(chat, look):
    """Only the exact key counts: another occurrence of the id is fresh."""
    chat.user(1).cycle(2, "bash_1").cycle(5, "bash_1").says(8).indexed("bash_1", 3, "output")

    assert keys(look(chat)) == [["bash_1@6"]]


def test_protected_outputs_get_none(chat, look):
    """Every occurrence of a protected id in the chain stays out."""
    chat.user(1).cycle(2, "todo_1").cycle(5, "bash_1").says(8)

    assert keys(look(chat, Settings(protected_tools=["todo"]))) == [["bash_1@6"]]


def test_a_chain_whose_end_is_ambiguous_gives_nothing(chat, look):
    """Two user messages of one time: no one can say where the chain begins."""
    chat.user(1).says(2).user(1).cycle(3, "bash_1").says(8)

    assert keys(look(chat)) == [[], []]


def test_arguments_are_found_under_three_names():
    """input goes before args, args before arguments; null is as good as missing."""
    assert arguments_of({"input": None, "args": {"a": 1}, "arguments": {"b": 2}}) == {"a": 1}
    assert arguments_of({}) == {}
