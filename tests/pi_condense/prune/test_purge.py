"""Arguments of failed calls."""

from condense_cli.jsonbytes.javascript import json_length
from condense_cli.pi_condense.prune.settings import settings_from

LONG = {"2": "x" * 600, "content": "é\U0001f600"}


def failed(chat, later=2):
    chat.user(1000).calls(1100, "write_1", arguments=LONG).result(1150, "write_1", error=True)
    for n in range(later):
        chat.says(2000 + n)
    return chat


def test_old_failed_arguments_become_a_note_with_their_size(chat, show):
    """Two turns after the failure the arguments go; the size counts UTF-16 units of their JSON."""
    block = show(failed(chat)).messages[1]["content"][0]

    assert block["arguments"] == {"_purged": f'<purged-errored-args size="{json_length(LONG)}"/>'}
    assert json_length(LONG) == 624


def test_a_fresh_failure_keeps_its_arguments(chat, show):
    """One turn after the failure nothing is purged."""
    shown = show(failed(chat, later=1))

    assert shown.messages == shown.before


def test_a_missing_limit_purges_everything(chat, show):
    """A partial `purgeErrors` object has no limits, and no comparison with a missing limit holds."""
    chat.user(1000).calls(1100, "write_1").result(1150, "write_1", error=True)

    shown = show(chat, settings_from({"enabled": True, "purgeErrors": {"enabled": True}}))

    assert shown.messages[1]["content"][0]["arguments"] == {"_purged": '<purged-errored-args size="7"/>'}


def test_a_stubbed_error_is_no_error_any_more(chat, show):
    """A failure whose output was summarized keeps its arguments."""
    assert show(failed(chat).index("write_1", 1150, "x")).messages[1]["content"][0]["arguments"] == LONG
