"""The message that stands for a range."""


def synthetics(shown):
    return [m["content"][0]["text"] for m in shown.messages if m["role"] == "user" and "<compressed-chain" in m["content"][0]["text"]]


def test_the_body_is_the_range_summary_with_other_blocks_put_in(chat, show):
    """`{bN}` becomes that block's summary once; the own id and unknown ones stay literal."""
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").says(1200)
    chat.user(2000).calls(2100, "bash_2").result(2150, "bash_2").says(2200)
    chat.chain("b1", 1000, 1200, ["bash_1"], "first {b2}").chain("b2", 2000, 2200, ["bash_2"], "after {b1}, {b2}, {b9}", toolRefs=["t1", "t2"])

    assert synthetics(show(chat)) == [
        '<compressed-chain id="b1" tools="">\nfirst after {b1}, {b2}, {b9}\n</compressed-chain>',
        '<compressed-chain id="b2" tools="t1,t2">\nafter first {b2}, {b2}, {b9}\n</compressed-chain>',
    ]


def test_without_a_range_summary_the_batch_summaries_stand(chat, show):
    """Distinct summaries that share a key are joined by a blank line, in branch order."""
    chat.user(1000).calls(1100, "bash_1", "bash_2").result(1150, "bash_1").result(1160, "bash_2")
    chat.summary("one", ("t1", "bash_1", 1150)).summary("one", ("t1", "bash_1", 1150)).summary("two", ("t2", "bash_2", 1160)).summary("three", ("t3", "bash_3", 1))
    chat.says(1200).chain("b1", 1000, 1200, ["bash_1", "bash_2"], None, droppedOccurrenceKeys=["bash_1@1150", "bash_2@1160"])

    assert synthetics(show(chat)) == ['<compressed-chain id="b1" tools="">\none\n\ntwo\n</compressed-chain>']


def test_protected_outputs_move_into_the_message(chat, show):
    """A protected result is quoted whole, in order, as it is after stubs."""
    chat.user(1000).calls(1100, "read_1", "bash_2").result(1150, "read_1", "keep me").result(1160, "bash_2").says(1200)
    chat.chain("b1", 1000, 1200, ["read_1", "bash_2"], "", protectedToolCallIds=["read_1"])

    assert synthetics(show(chat)) == [
        '<compressed-chain id="b1" tools="">\n\n\n<protected-output tool="read">\nkeep me\n</protected-output>\n</compressed-chain>'
    ]


def test_a_summary_outside_the_range_goes_when_it_is_covered(chat, show):
    """A summary of dropped occurrences goes wherever it stands; one of a live occurrence of the same id stays."""
    chat.user(1000).calls(1100, "bash_1").result(1150, "bash_1").says(1200)
    chat.summary("covered", ("t1", "bash_1", 1150)).summary("live", ("t2", "bash_1", 7777)).summary("by id", ("t3", "bash_1", None))
    chat.chain("b1", 1000, 1200, ["bash_1"])

    assert [m["content"] for m in show(chat).messages if m["role"] == "custom"] == ["live"]
