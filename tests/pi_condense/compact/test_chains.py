"""Chains: where they begin and end, and which may be compressed."""

from condense_cli.pi_condense.compact.chains import Standing, detect, grace_keys, standings


def chain(chat, time, call_id):
    return chat.user(time).cycle(time + 10, call_id).says(time + 20)


def standing(reading, window=0, compressed=(), turns=3):
    return standings(detect(reading.said), set(compressed), grace_keys(reading.said, turns), window)


def test_a_chain_goes_from_a_user_message_to_an_answer_without_calls(chat, look):
    """Ids of calls and results share one list, keys are those of results only."""
    reading = look(chat.user(1).calls(2, "bash_1", "read_2").result(3, "bash_1").says(4))

    (found,) = detect(reading.said)

    assert (found.start, found.final) == (1, 4)
    assert (found.ids, found.keys) == (("bash_1", "read_2"), ("bash_1@3",))


def test_a_user_message_interrupts_and_an_open_chain_is_none(chat, look):
    """The interrupted part has no end, the part after it is a chain of its own, the last one is not told."""
    chat.user(1).cycle(2, "bash_1").user(5).cycle(6, "bash_2").says(8).user(9).cycle(10, "bash_3")

    assert [(one.start, one.final) for one in detect(look(chat).said)] == [(1, None), (5, 8)]


def test_a_pasted_chain_neither_opens_nor_interrupts(chat, look):
    """A user message that begins with the mark of a compressed chain is passed over."""
    chat.user(1).cycle(2, "bash_1").user(4, " \n<compressed-chain id='b1'>").says(5)

    assert [(one.start, one.final) for one in detect(look(chat).said)] == [(1, 5)]


def test_the_last_candidates_are_left_alone(chat, look):
    """The window counts only chains that could be compressed, and one larger than the list leaves all of them."""
    for n in range(4):
        chain(chat, 100 * n, f"bash_{n}")
    reading = look(chat.user(900).says(910))

    assert standing(reading, 3) == [Standing.ELIGIBLE, Standing.RECENT, Standing.RECENT, Standing.RECENT, Standing.TOOLLESS]
    assert standing(reading, 0)[:4] == [Standing.ELIGIBLE] * 4
    assert Standing.ELIGIBLE not in standing(reading, 9)


def test_a_compressed_chain_takes_no_place_in_the_window(chat, look):
    """What has an entry is not counted."""
    for n in range(3):
        chain(chat, 100 * n, f"bash_{n}")

    from condense_cli.pi_condense.prune.keys import same

    assert standing(look(chat), 1, {same(100)}) == [Standing.ELIGIBLE, Standing.COMPRESSED, Standing.RECENT]


def test_a_chain_with_an_output_that_was_just_recovered_waits(chat, look):
    """Grace defers the chain, after the cut of the window: it still takes its place in the count."""
    chat.user(1).calls(2, "q_1", name="context_tree_query").result(3, "q_1", name="context_tree_query").says(4)
    chain(chat, 100, "bash_1")
    reading = look(chat)

    assert standing(reading, 0, turns=2) == [Standing.GRACE, Standing.ELIGIBLE]
    assert standing(reading, 1, turns=2) == [Standing.GRACE, Standing.RECENT]
    assert standing(reading, 0, turns=0) == [Standing.ELIGIBLE, Standing.ELIGIBLE]
