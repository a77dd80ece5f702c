"""Stubs: which results they replace, and the words."""

import pytest
from condense_cli.pi_condense.prune.settings import Settings, settings_from

STUB = "[Summarized in pruner summary, ref `{}`. Use context_tree_query to retrieve full output.]"


def stub(message):
    return message["content"][0]["text"]


def test_two_records_of_one_id_have_a_reference_each(chat, show):
    """Each occurrence of bash_23 is replaced by a stub that names its own tN."""
    chat.user(1000).calls(1100, "bash_23").result(1150, "bash_23").calls(1200, "bash_23").result(1250, "bash_23")
    chat.summary("sum", ("t1", "bash_23", 1150), ("t2", "bash_23", 1250)).index("bash_23", 1150, "one").index("bash_23", 1250, "two")

    shown = show(chat)

    assert [stub(m) for m in shown.messages if m["role"] == "toolResult"] == [STUB.format("t1"), STUB.format("t2")]


def test_a_live_result_with_a_colliding_id_keeps_its_output(chat, show):
    """A record of an earlier occurrence never replaces a later result with the same id."""
    chat.user(1000).calls(1100, "bash_23").result(1150, "bash_23").calls(3100, "bash_23").result(3150, "bash_23", "live")
    chat.index("bash_23", 1150, "one")

    shown = show(chat)

    assert [stub(m) for m in shown.messages if m["role"] == "toolResult"] == [STUB.format("bash_23"), "live"]


def test_a_legacy_record_stands_for_its_id(chat, show):
    """A record without time replaces a result with that id, as long as it is the id's only record."""
    chat.user(1000).calls(1100, "bash_7").result(1150, "bash_7").index("bash_7", None, "old")

    assert stub(show(chat).messages[2]) == STUB.format("bash_7")
    assert stub(show(chat.index("bash_7", 9999, "new")).messages[2]) == "output"


def test_a_stub_drops_everything_else(chat, show):
    """Extra fields go and the error flag is cleared; key order is fixed."""
    chat.user(1000).calls(1100, "bash_7").result(1150, "bash_7", error=True, details={"x": 1}).index("bash_7", 1150, "old")

    message = show(chat).messages[2]

    assert list(message) == ["role", "toolCallId", "toolName", "content", "isError", "timestamp"]
    assert message["isError"] is False


def test_a_spilled_output_names_its_file(chat, show):
    """The stub of a spilled output shows size, tool, head and path."""
    chat.user(1000).calls(1100, "bash_7").result(1150, "bash_7")
    chat.index("bash_7", 1150, "", spillPath="/blobs/bash_7.txt", spillBytes=70211, resultPreview="row 0\nrow 1")

    assert stub(show(chat).messages[2]).split("\n") == [
        "[Oversized output spilled to file — 70211 bytes.]",
        "Tool: bash",
        "Preview (head):",
        "row 0",
        "row 1",
        "Full output — read this file (offset/limit supported): /blobs/bash_7.txt",
        "Or use context_tree_query with ref `bash_7`.",
    ]


@pytest.mark.parametrize(("later_users", "kept"), [(0, True), (3, True), (4, False)])
def test_a_recovered_output_stays_for_some_turns(chat, show, later_users, kept):
    """The result of context_tree_query is left alone until more than three user messages have followed."""
    chat.user(1000).calls(1100, "context_tree_query_1").result(1150, "context_tree_query_1", "recovered")
    for n in range(later_users):
        chat.user(2000 + n)
    chat.index("context_tree_query_1", 1150, "recovered", toolName="context_tree_query")
    chat.entries[3]["message"]["toolName"] = "context_tree_query"

    assert (stub(show(chat).messages[2]) == "recovered") is kept


def test_protected_outputs_are_never_replaced(chat, show):
    """Neither those of a protected tool nor those that read a protected path."""
    chat.user(1000).calls(1100, "read_1", "bash_1").result(1150, "read_1").result(1160, "bash_1")
    chat.index("read_1", 1150, "x", args={"path": "C:\\w\\skills\\x.md"}).index("bash_1", 1160, "y")

    assert [stub(m) for m in show(chat).messages[2:]] == ["output", STUB.format("bash_1")]
    assert [stub(m) for m in show(chat, Settings(protected_tools=["bash"])).messages[2:]] == ["output", "output"]
    assert stub(show(chat, settings_from({"enabled": True, "protectedPaths": []})).messages[2]) == STUB.format("read_1")
