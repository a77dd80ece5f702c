"""Arguments of failed calls."""

from condense_cli.pi_condense.prune.purge import without_long
from condense_cli.pi_condense.prune.settings import settings_from

LONG = {"2": "x" * 600, "content": "é\U0001f600"}


def failed(chat, later=2):
    chat.user(1000).calls(1100, "write_1", arguments=LONG).result(1150, "write_1", error=True)
    for n in range(later):
        chat.says(2000 + n)
    return chat


def test_old_failed_arguments_become_a_note_with_their_size(chat, show):
    """Two turns after the failure long strings go; the size counts the UTF-16 units of each."""
    block = show(failed(chat)).messages[1]["content"][0]

    assert block["arguments"] == {**LONG, "2": '<purged-errored-args size="600"/>'}
    assert list(block["arguments"]) == list(LONG)


def test_a_fresh_failure_keeps_its_arguments(chat, show):
    """One turn after the failure nothing is purged."""
    shown = show(failed(chat, later=1))

    assert shown.messages == shown.before


def test_a_missing_limit_purges_everything(chat, show):
    """A partial `purgeErrors` object has no limits, and no comparison with a missing limit holds."""
    chat.user(1000).calls(1100, "write_1", arguments={"text": "x" * 201}).result(1150, "write_1", error=True)

    shown = show(chat, settings_from({"enabled": True, "purgeErrors": {"enabled": True}}))

    assert shown.messages[1]["content"][0]["arguments"] == {"text": '<purged-errored-args size="201"/>'}


def test_short_strings_and_what_is_no_string_stay():
    """200 UTF-16 units stay and 201 go, at any depth; keys, numbers and empty containers are left alone."""
    value = {"k" * 300: ["a" * 200, {"b": "\U0001f600" * 101, "c": [None, True, 1.5, {}, []]}], "d": "e" * 201}

    assert without_long(value) == {
        "k" * 300: ["a" * 200, {"b": '<purged-errored-args size="202"/>', "c": [None, True, 1.5, {}, []]}],
        "d": '<purged-errored-args size="201"/>',
    }


def test_arguments_may_nest_deeper_than_the_stack():
    """They are copied level by level."""
    value = "x" * 201
    for _ in range(5000):
        value = [value]

    found = without_long(value)
    while isinstance(found, list):
        (found,) = found

    assert found == '<purged-errored-args size="201"/>'


def test_a_large_body_of_short_strings_stays(chat, show):
    """Nothing is pruned where no string is long enough."""
    chat.user(1000).calls(1100, "write_1", arguments={"n": ["x" * 200] * 5}).result(1150, "write_1", error=True)
    for n in range(2):
        chat.says(2000 + n)

    assert not show(chat).pruning.pruned


def test_a_stubbed_error_is_no_error_any_more(chat, show):
    """A failure whose output was summarized keeps its arguments."""
    assert show(failed(chat).index("write_1", 1150, "x")).messages[1]["content"][0]["arguments"] == LONG
