"""From entries to messages: compaction, edits, roles."""


def roles(shown):
    return [m["role"] for m in shown.before]


def test_a_compaction_keeps_from_its_entry_on(chat, show):
    """The last compaction comes first, then what it kept, then what followed; an older one inside says nothing."""
    chat.user(1000, "old").entry("compaction", summary="first", firstKeptEntryId="x", tokensBefore=1)
    chat.user(2000, "kept").message("system", 2001, "s").entry("compaction", summary="second", firstKeptEntryId="00000002", tokensBefore=2).user(3000, "new")

    shown = show(chat)

    assert roles(shown) == ["compactionSummary", "user", "user"]
    assert [m["timestamp"] for m in shown.before[1:]] == [2000, 3000]


def test_a_compaction_that_keeps_an_unknown_entry_keeps_nothing(chat, show):
    """An id that is not on the branch, or the compaction's own, leaves only the summary."""
    chat.user(1000).entry("compaction", summary="s", firstKeptEntryId="00000002", tokensBefore=2).user(3000)

    assert roles(show(chat)) == ["compactionSummary", "user"]


def test_edits_take_out_or_replace(chat, show):
    """The last context_edit of a message wins; a string becomes a text block where blocks are due."""
    chat.user(1000, "one").says(1100, "two").says(1200, "three")
    chat.entry("context_edit", targetId="00000001", replacement=None)
    chat.entry("context_edit", targetId="00000002", replacement=None).entry("context_edit", targetId="00000002", replacement={"content": "short"})

    assert [m["content"] for m in show(chat).before] == [[{"type": "text", "text": "short"}], [{"type": "text", "text": "three"}]]


def test_missing_content_is_empty(chat, show):
    """null becomes [] for people and tools."""
    chat.message("user", 1000, None).message("assistant", 1100, None).entry("custom_message", customType="x", content=None, display=True)

    assert [m["content"] for m in show(chat).before] == [[], [], []]


def test_a_branch_summary_has_the_time_of_its_entry(chat, show):
    """Entry times become milliseconds; a time that cannot be read becomes null in JSON."""
    chat.entry("branch_summary", summary="we were there", fromId="root").entry("custom_message", customType="x", content="y", display=False)

    assert show(chat).before[0] == {"role": "branchSummary", "summary": "we were there", "fromId": "root", "timestamp": 1786500000000}


def test_records_in_front_of_a_compaction_still_count(chat, show):
    """The index is rebuilt from the whole branch, so a kept result is stubbed by a record that was compacted away."""
    chat.index("bash_1", 1150, "x").user(1000).calls(1100, "bash_1").result(1150, "bash_1")
    chat.entry("compaction", summary="s", firstKeptEntryId="00000002", tokensBefore=2)

    assert "Summarized in pruner summary" in show(chat).messages[-1]["content"][0]["text"]
