"""Older results of a protected path."""

from condense_cli.pi_condense.prune.settings import Settings, settings_from

SKILL = {"path": "C:\\w\\skills\\a.md"}


def reads(chat, *errors):
    chat.user(1)
    for n, error in enumerate(errors):
        chat.calls(10 * n + 10, f"read_{n}", arguments=SKILL).result(10 * n + 11, f"read_{n}", f"text {n}", error=error, details={"n": n})
    return chat


def outputs(shown):
    return [m["content"][0]["text"] for m in shown.messages if m["role"] == "toolResult"]


def test_only_the_newest_result_of_a_path_stays_whole(chat, show):
    """Older ones become a note that names the path with slashes; a failure is none any more, other fields stay."""
    shown = show(reads(chat, True, False, True))

    first, second, last = outputs(shown)
    assert first == second == "[Superseded: C:/w/skills/a.md was read again later in this conversation - see the newer read. Re-read the file if this earlier content is needed.]"
    assert last == "text 2"
    assert [m["isError"] for m in shown.messages if m["role"] == "toolResult"] == [False, False, True]
    assert shown.messages[2]["details"] == {"n": 0} and shown.pruning.pruned


def test_a_call_without_a_result_and_a_result_after_other_messages_take_no_part(chat, show):
    """An aborted last read leaves the one before; a barrier closes the calls."""
    reads(chat, False).calls(50, "read_8", arguments=SKILL).user(60).result(70, "read_8", "late")

    assert outputs(show(chat)) == ["text 0"]


def test_nothing_is_out_of_date_where_nothing_is_protected(chat, show):
    """An empty list of paths switches it off."""
    settings = settings_from({"enabled": True, "protectedPaths": []})

    assert outputs(show(reads(chat, False, False), settings)) == ["text 0", "text 1"]
    assert Settings().protected_paths == ("**/skills/**/*.md", "**/gauntlet-overrides.md")
