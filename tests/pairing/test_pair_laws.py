"""What holds for every list: the product's three rules against the oracle and the independent checkers."""

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st
from tests import oracle, strategies
from tests.strategies import broken_lists, calls, sound_lists, sweep, tagged

RULES = ("turn", "count", "contract")
FORMS = st.sampled_from(["pi", "openai-chat"])
law = strategies.law(40)


def seen_by(form, messages):
    """The list that a format can hold: a chat array has no custom messages, and pi renders no system messages."""
    if form == "pi":
        return [message for message in messages if message[0] != "system"]
    return [("user",) if message[0] == "custom" else message for message in messages]


def one_declaration_each(messages):
    """Say whether no turn declares one id twice."""
    return all(message[0] != "call" or len(set(message[1])) == len(message[1]) for message in messages)


def with_the_last_turn_answered(messages):
    """The list as it is once the calls that may still be running have ended."""
    at = max((n for n, message in enumerate(messages) if message[0] == "call"), default=None)
    if at is None or any(message[0] in {"user", "text"} for message in messages[at + 1 :]):
        return messages
    stop = at + 1
    while stop < len(messages) and messages[stop][0] == "result":
        stop += 1
    open_ids = [i for i in messages[at][1] if ("result", i) not in messages[at + 1 : stop]]
    return [*messages[:stop], *(("result", i) for i in open_ids), *messages[stop:]]


@law
@given(broken_lists(), FORMS)
def test_turn_agrees_with_the_oracle(messages, form):
    """The turn rule keeps exactly what the oracle keeps."""
    messages = seen_by(form, messages)
    swept, tags = sweep(messages, "turn", form=form)
    gone = oracle.turn_drops(messages)
    assert (swept, tags) == (
        oracle.turn_sweep(messages),
        [tag for n, tag in enumerate(tagged(messages)) if (n, 0) not in gone],
    )


@law
@given(broken_lists(), FORMS, st.booleans())
def test_count_agrees_with_the_oracle(messages, form, exempts):
    """The count rule keeps exactly the halves that the oracle's pairing by cancellation keeps."""
    messages = seen_by(form, messages)
    exempt = ["bash"] if exempts else []
    swept, tags = sweep(messages, "count", form=form, exempt=exempt)
    gone = oracle.count_drops(messages, exempt)
    kept = [_kept_tags(n, tag, gone) for n, tag in enumerate(tagged(messages))]
    assert (swept, tags) == (oracle.count_sweep(messages, exempt), [tag for tag in kept if tag])


def _kept_tags(index, tag, gone):
    if isinstance(tag, tuple):
        return tuple(one for part, one in enumerate(tag) if (index, part) not in gone)
    return None if (index, 0) in gone else tag


@law
@given(broken_lists(odd_ids=True), FORMS)
def test_count_output_satisfies_wc018(messages, form):
    """Whatever came in, each answer has its declaration before it and each declaration one answer behind it."""
    swept, _ = sweep(messages, "count", form=form)
    assert oracle.wc018(swept) == []


@law
@given(broken_lists().filter(one_declaration_each), FORMS)
def test_contract_agrees_with_the_oracle(messages, form):
    """The contract rule gives each call the result that the oracle gives it; the order inside one run is free."""
    messages = seen_by(form, messages)
    expected = oracle.contract_sweep(messages, running=("result", "custom", "system"))
    tags = tagged(messages)
    assert _runs_sorted(zip(*sweep(messages, "contract", form=form), strict=True)) == _runs_sorted(
        (message, "new" if index is None else tags[index]) for message, index in expected
    )


def _runs_sorted(pairs):
    out = []
    for is_run, run in groupby(pairs, key=lambda pair: pair[0][0] == "result"):
        messages = list(run)
        out += sorted(messages, key=str) if is_run else messages
    return out


@law
@given(broken_lists().filter(one_declaration_each), FORMS)
def test_contract_output_is_accepted(messages, form):
    """What the contract rule makes is accepted by the strictest neighbourhood, once the last turn has ended."""
    swept, _ = sweep(messages, "contract", form=form)
    assert oracle.accepted(with_the_last_turn_answered(swept), "openai-chat") == []


@law
@given(broken_lists().filter(one_declaration_each), FORMS)
def test_contract_moves_nothing_but_results(messages, form):
    """Users, texts and calls stay as they are and in their order; a result is there once at most."""
    messages = seen_by(form, messages)
    swept, tags = sweep(messages, "contract", form=form)
    others = [tag for message, tag in zip(messages, tagged(messages), strict=True) if message[0] != "result"]
    assert [tag for message, tag in zip(swept, tags, strict=True) if message[0] != "result"] == others
    given_results = [tag for message, tag in zip(messages, tagged(messages), strict=True) if message[0] == "result"]
    kept_results = [tag for message, tag in zip(swept, tags, strict=True) if message[0] == "result" and tag != "new"]
    assert set(kept_results) <= set(given_results)
    assert len(set(kept_results)) == len(kept_results)


@law
@given(st.permutations(["Ax", "Ay", "Az", "Rx", "Ry", "Rz", "U", "U", "T"]), st.sets(st.sampled_from("xyz")), FORMS)
def test_contract_loses_no_output_that_one_call_asked_for(order, lost, form):
    """With each id used once, every result whose call exists is kept, wherever it stood."""
    words = {"A": "A({})", "R": "R({})", "U": "U", "T": "T"}
    messages = oracle.notation(
        " ".join(["U", *(words[o[0]].format(o[1:]) for o in order if not (o[0] == "R" and o[1] in lost))])
    )
    swept, tags = sweep(messages, "contract", form=form)
    real = [message[1] for message, tag in zip(swept, tags, strict=True) if message[0] == "result" and tag != "new"]
    assert sorted(real) == sorted(set("xyz") - lost)


@law
@given(broken_lists(odd_ids=True), FORMS, st.sampled_from(RULES))
def test_sweeping_twice_changes_nothing(messages, form, rule):
    """The output of each rule is a list that the rule leaves as it is."""
    once, _ = sweep(messages, rule, form=form)
    twice, tags = sweep(once, rule, form=form)
    assert (twice, tags) == (once, tagged(once))


@law
@given(sound_lists(), st.sampled_from(["pi", "openai-chat", "anthropic"]), st.sampled_from(RULES))
def test_sound_lists_are_left_alone(messages, form, rule):
    """No rule touches a list in which every pair is complete, reused ids or not."""
    assert sweep(messages, rule, form=form) == (messages, tagged(messages))


@law
@given(
    broken_lists(ids=("y", "z")), st.lists(st.integers(0, 20), min_size=2, max_size=3), FORMS, st.sampled_from(RULES)
)
def test_complete_pairs_of_one_id_are_never_touched(messages, places, form, rule):
    """Two turns that use one id, each complete, stay whole in whatever else is broken around them."""
    for place in places:
        at = place % len(messages) + 1
        while at < len(messages) and messages[at] == ("result", "x"):
            at += 1
        messages = [*messages[:at], calls(["x"]), ("result", "x"), *messages[at:]]
    messages = seen_by(form, messages)
    swept, tags = sweep(messages, rule, form=form)

    def is_pair(message):
        return message in (calls(["x"]), ("result", "x"))

    expected = [tag for message, tag in zip(messages, tagged(messages), strict=True) if is_pair(message)]
    assert [tag for message, tag in zip(swept, tags, strict=True) if is_pair(message)] == expected
