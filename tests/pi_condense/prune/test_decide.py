"""Ranges, stubs and sweep together: what a render drops and what it must never drop."""

from condense_cli.pi_condense.prune.settings import settings_from


def reused(chat):
    """Two compressed chains, then a live turn that uses a dropped id again."""
    chat.user(1000).calls(1100, "bash_18").result(1150, "bash_18").says(1200)
    chat.user(2000).calls(2100, "bash_23").result(2150, "bash_23").says(2200)
    chat.user(3000).calls(3100, "bash_23", "gauntlet_setting_24").result(3150, "bash_23", "restarted").result(3160, "gauntlet_setting_24", "strict")
    return chat.chain("b5", 1000, 1200, ["bash_18"]).chain("b7", 2000, 2200, ["bash_23"])


def test_a_live_turn_that_reuses_a_dropped_id_survives(chat, show):
    """Only the middles of the two chains go; the turn that calls bash_23 again stays whole."""
    shown = show(reused(chat))

    assert sorted(shown.pruning.dropped) == [1, 2, 5, 6]
    assert [shown.before[n] for n in (9, 10, 11)] == shown.messages[-3:]
    assert [m["message"]["timestamp"] for m in chat.entries[10:13]] == [3100, 3150, 3160]


def test_drops_are_bounded_by_the_range(chat, show):
    """Everything outside the two ends of a chain comes out unchanged, whatever its ids are."""
    chat.user(500).calls(510, "bash_1").result(520, "bash_1").says(530)
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").says(1200)
    chat.user(2000).calls(2100, "bash_1").result(2150, "bash_1").says(2200).chain("b1", 1000, 1200, ["bash_1"])

    shown = show(chat)

    assert sorted(shown.pruning.dropped) == [5, 6]
    assert shown.messages[:5] == shown.before[:5]
    assert shown.messages[-5:] == shown.before[-5:]


def test_a_range_that_cannot_be_found_drops_and_inserts_nothing(chat, show):
    """Missing, ambiguous, reversed and open ends leave the messages as they are and are reported once each."""
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").says(1200)
    chat.user(2000).calls(2100, "bash_2").result(2150, "bash_2").says(2200).user(2000).says(2200)
    chat.chain("b1", 999, 1200, []).chain("b2", 2000, 2200, []).chain("b3", 1000, 1001, []).chain("b4", 1000.5, None, [])

    shown = show(chat)

    assert shown.messages == shown.before
    assert shown.pruning.pruned is False
    assert shown.notes == [
        "blockId=b1 start=999 final=1200",
        "blockId=b3 start=1000 final=1001",
        "blockId=b4 start=1000.5 final=null",
        "blockId=b2 start=2000 final=2200",
    ]


def test_an_end_before_its_start_is_not_a_range(chat, show):
    """A closing answer in front of the user message resolves to nothing."""
    chat.says(1200).user(2000).calls(2100, "bash_1").result(2150, "bash_1").chain("b1", 2000, 1200, [])

    shown = show(chat)

    assert shown.messages == shown.before


def test_only_answers_results_and_summaries_go(chat, show):
    """A steering message, a foreign custom message and a shell command inside a range stay."""
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").user(1160, "wait")
    chat.entry("custom_message", customType="acme-notice", content="note", display=True)
    chat.entry("message", message={"role": "bashExecution", "command": "ls", "output": "a", "exitCode": 0, "timestamp": 1170})
    chat.summary("sum", ("t1", "bash_1", 1150)).says(1200).chain("b1", 1000, 1200, ["bash_1"])

    shown = show(chat)

    assert [m["role"] for m in shown.messages] == ["user", "user", "user", "custom", "bashExecution", "assistant"]
    assert shown.messages[3]["customType"] == "acme-notice"


def test_an_equal_time_on_another_role_is_no_end(chat, show):
    """Custom and shell messages with the start's time do not make it ambiguous."""
    chat.user(1000).calls(1100, "bash_1").result(1000, "bash_1").says(1200).chain("b1", 1000, 1200, ["bash_1"])

    assert sorted(show(chat).pruning.dropped) == [1, 2]


def test_rendering_a_rendered_session_keeps_its_content(chat, show, tmp_path):
    """Written back as a session with its chains, the output is rendered to the same messages, now with a mismatch note."""
    first = show(reused(chat))
    again = type(chat)()
    for message in first.messages:
        again.entry("message", message=message)
    for entry in chat.entries:
        if entry["type"] == "custom":
            again.custom(entry["customType"], entry["data"])

    second = show(again)

    assert second.messages == first.messages
    assert second.pruning.pruned is True
    assert second.notes == ["blockId=b5 recorded=1 actual=0", "blockId=b7 recorded=1 actual=0"]


def test_a_clean_session_comes_back_unchanged(chat, show):
    """Without anything to prune, every message is the one that went in and pruned is false."""
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").says(1200, thinking="hm")

    shown = show(chat)

    assert shown.pruning.pruned is False
    assert shown.messages == shown.before
    assert shown.notes == []


def test_disabled_means_untouched(chat, show):
    """`enabled` absent or false in a settings file switches off even the sweep."""
    chat.user(1000).result(1150, "bash_1")

    assert show(chat, settings_from({})).messages == show(chat).before
    assert len(show(chat).messages) == 1


def test_a_nested_range_loses(chat, show):
    """A chain that starts inside another is skipped whole, and the notes say so."""
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").user(1160).calls(1170, "bash_2").result(1180, "bash_2").says(1200).says(1300)
    chat.chain("b1", 1000, 1200, ["bash_1", "bash_2"]).chain("b2", 1160, 1300, ["bash_2"])

    shown = show(chat)

    assert shown.notes == ["blockId=b2 skipped: range nests inside blockId=b1"]
    assert len([m for m in shown.messages if "compressed-chain" in str(m)]) == 1


def test_where_the_original_fails_nothing_is_pruned(chat, show):
    """A record that makes the original's rebuild fail leaves the messages as they are and is named."""
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").says(1200).chain("b1", 1000, 1200, ["bash_1"])
    chat.custom("context-prune-index", None)

    shown = show(chat)

    assert shown.messages == shown.before
    assert shown.pruning.failure == "an index entry has no data"


def test_a_chain_without_any_text_source_fails_as_a_whole(chat, show):
    """No references on an accepted chain: the original throws, so nothing is dropped either."""
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").says(1200).chain("b1", 1000, 1200, ["bash_1"], toolRefs=None)

    shown = show(chat)

    assert shown.messages == shown.before
    assert shown.pruning.failure


def test_the_closing_answer_loses_its_thinking(chat, show):
    """Thinking blocks of the end message go, its other blocks stay; without the setting they stay too."""
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").says(1200, "bye", thinking="hm").chain("b1", 1000, 1200, ["bash_1"])

    assert show(chat).messages[-1]["content"] == [{"type": "text", "text": "bye"}]
    partial = settings_from({"enabled": True, "chainCompression": {"enabled": True}})
    assert show(chat, partial).messages[-1]["content"][0]["type"] == "thinking"
