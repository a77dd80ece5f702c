"""The sweep's laws, against a second statement of the rule."""

from condense_cli.pi_condense.prune.facts import AnswerFacts, CallFact, Facts, ResultFacts
from condense_cli.pi_condense.prune.sweep import turn
from hypothesis import given
from hypothesis import strategies as st

IDS = st.sampled_from(["x", "y", "z"])
MESSAGES = st.lists(
    st.one_of(
        st.lists(IDS, max_size=3).map(lambda ids: AnswerFacts("assistant", content="blocks", calls=tuple(CallFact(n, i) for n, i in enumerate(ids)))),
        IDS.map(lambda i: ResultFacts("toolResult", call_id=i)),
        st.sampled_from(["user", "custom", "bashExecution", "new-role"]).map(Facts),
    ),
    max_size=14,
)


def is_orphan(messages, at):
    """Look back from one result: only results may stand between it and the message that called it."""
    before = at - 1
    while before >= 0 and messages[before].role == "toolResult":
        before -= 1
    if before < 0 or messages[before].role != "assistant":
        return True
    ids = [m.call_id for m in messages[before + 1 : at]]
    return messages[at].call_id in ids or messages[at].call_id not in [c.id for c in messages[before].calls]


@given(MESSAGES)
def test_a_sweep_leaves_no_orphan(messages):
    """No result in the output is without its call, and only orphans have gone."""
    swept = turn(messages)
    left = [messages[n] for n in swept.order]

    assert not any(is_orphan(left, n) for n, m in enumerate(left) if m.role == "toolResult")
    assert [m for m in left if m.role != "toolResult"] == [m for m in messages if m.role != "toolResult"]
    assert len(swept.ids) == len(messages) - len(left)


@given(MESSAGES)
def test_results_with_their_call_in_front_stay(messages):
    """A result that is no orphan among the survivors is never taken out in favour of another."""
    swept = set(turn(messages).order)

    assert all(n in swept for n, m in enumerate(messages) if m.role == "toolResult" and not is_orphan(messages, n))


@given(MESSAGES)
def test_a_second_sweep_changes_nothing(messages):
    """Sweeping a swept list keeps every message."""
    once = [messages[n] for n in turn(messages).order]

    assert not turn(once).changes(len(once))


def test_any_other_role_closes_the_cycle(chat, show):
    """A result behind a user, custom or shell message is an orphan, and the note lists at most five ids, sorted."""
    chat.user(1000).calls(1100, "bash_1").user(1110).result(1150, "bash_1")
    for n in range(7, 1, -1):
        chat.result(1200, f"bash_{n}")

    shown = show(chat)

    assert [m["role"] for m in shown.messages] == ["user", "assistant", "user"]
    assert shown.notes == ["swept 7 orphan toolResult(s): bash_1, bash_2, bash_3, bash_4, bash_5 ... +2 more"]
