"""The worked examples of the pairing rules as tables: what `render --sweep` makes of each, in two formats.

Expected lists carry positions: R5 is the message that stood at 5 (from 0) in the given list, S one that was put in.
"""

import pytest
from tests import oracle
from tests.oracle import notation
from tests.strategies import sweep, tagged

# name, given, turn, count (with `compress` exempt), contract; None: unchanged
EXAMPLES = [
    ("W1", "U A(x,y) R(y) R(x)", None, None, None),
    ("W2", "U A(x) R(x) U A(x) R(x)", None, None, None),
    ("W3", "U R(x) A(x) R(x)", "U0 A2(x) R3(x)", "U0 A2(x) R3(x)", "U0 A2(x) R3(x)"),
    ("W4", "U A(x) R(x) U A(x) U", None, "U0 A1(x) R2(x) U3 U5", "U0 A1(x) R2(x) U3 A4(x) S(x) U5"),
    ("W5", "U A(x) U A(x) R(x)", None, "U0 U2 A3(x) R4(x)", "U0 A1(x) S(x) U2 A3(x) R4(x)"),
    ("W6", "U A(x) R(x) R'(x)", "U0 A1(x) R2(x)", "U0 A1(x) R2(x)", "U0 A1(x) R2(x)"),
    ("W7", "U R(x) A(x)", "U0 A2(x)", "U0", "U0 A2(x) R1(x)"),
    # Two assistant messages are two turns in these formats, so the first one's result came late.
    ("W8", "U A(x) A(y) R(x) R(y)", "U0 A1(x) A2(y) R4(y)", None, "U0 A1(x) R3(x) A2(y) R4(y)"),
    ("W9", "U A(x,y,z) R(x) R(z) U", None, "U0 A1(x,z) R2(x) R3(z) U4", "U0 A1(x,y,z) R2(x) R3(z) S(y) U4"),
    # A judgement: x has an answer that names it, so nothing is left that the answer without an id could belong to.
    ("W10", "U A(x) R(-) R(x)", "U0 A1(x) R3(x)", None, "U0 A1(x) R3(x)"),
    ("W11", "U A(compress:c) U", None, None, "U0 A1(c) S(c) U2"),
    # The second call needs another id, which is a repair's business: this rule never renames.
    ("W12", "U A(x,x) R(x) R(x)", "U0 A1(x,x) R2(x)", None, None),
    # A judgement: the answer that follows an answer of its own turn is a duplicate there; it may be the late one of the
    # first call, but nobody can know, and a wrong answer is worse than one that says that the outcome is unknown.
    ("W14", "U A(x) U A(x) R(x) R'(x)", "U0 A1(x) U2 A3(x) R4(x)", None, "U0 A1(x) S(x) U2 A3(x) R4(x)"),
    (
        "W15",
        "U A(x) R(x) R'(x) A(x) R(x)",
        "U0 A1(x) R2(x) A4(x) R5(x)",
        "U0 A1(x) R2(x) A4(x) R5(x)",
        "U0 A1(x) R2(x) A4(x) R5(x)",
    ),
    # The surplus answer stands before the open call, and another call has that id: it is a duplicate, no early answer.
    ("W16", "U A(x) R(x) R'(x) A(x)", "U0 A1(x) R2(x) A4(x)", "U0 A1(x) R2(x)", "U0 A1(x) R2(x) A4(x)"),
    (
        "W17",
        "U A(x) R(x) A(y) R(y) R'(x)",
        "U0 A1(x) R2(x) A3(y) R4(y)",
        "U0 A1(x) R2(x) A3(y) R4(y)",
        "U0 A1(x) R2(x) A3(y) R4(y)",
    ),
    ("W18", "U A(x)", None, "U0", None),
    ("L1", "U A(x) U R(x)", "U0 A1(x) U2", None, "U0 A1(x) R3(x) U2"),
    ("L2", "U A(x) A(y) R(y) R(x)", "U0 A1(x) A2(y) R3(y)", None, "U0 A1(x) R4(x) A2(y) R3(y)"),
    ("L3", "U A(x) U A(x) R(x)", None, "U0 U2 A3(x) R4(x)", "U0 A1(x) S(x) U2 A3(x) R4(x)"),
    ("L4", "U A(x)", None, "U0", None),
    ("L5", "U A(x) U A(x) R(x) R'(x)", "U0 A1(x) U2 A3(x) R4(x)", None, "U0 A1(x) S(x) U2 A3(x) R4(x)"),
    ("L6", "U A(x,x) R(x) R(x)", "U0 A1(x,x) R2(x)", None, None),
    ("L7", "U R(x) A(x)", "U0 A2(x)", "U0", "U0 A2(x) R1(x)"),
    ("L8", "U A(x) R(-) R(x)", "U0 A1(x) R3(x)", None, "U0 A1(x) R3(x)"),
    ("L9", "U A(x) T R(x)", "U0 A1(x) T2", None, "U0 A1(x) R3(x) T2"),
    ("L10", "U A(x,y) R(x) U R(y)", "U0 A1(x,y) R2(x) U3", None, "U0 A1(x,y) R2(x) R4(y) U3"),
    ("L11", "U A(compress:c) U", None, None, "U0 A1(c) S(c) U2"),
    ("L12", "U A(x,y,z) R(x) R(z) U", None, "U0 A1(x,z) R2(x) R3(z) U4", "U0 A1(x,y,z) R2(x) R3(z) S(y) U4"),
]

# Beyond the published ones: what only the contract rule decides.
CONTRACT_EXAMPLES = [
    ("late-answers-of-one-turn", "U A(x,y) U R(y) T R(x) U", "U0 A1(x,y) R3(y) R5(x) U2 T4 U6"),
    ("late-answer-of-the-later-turn", "U A(x) U A(x) U R(x)", "U0 A1(x) S(x) U2 A3(x) R5(x) U4"),
    # Either call could have got it, so it is given to neither.
    ("late-answer-of-one-of-two", "U A(x) U A(x) T R(x) U", "U0 A1(x) S(x) U2 A3(x) S(x) T4 U6"),
    # Two calls have the id of the early answer, so it is given to neither; the last call may be running.
    ("early-answer-of-one-of-two", "U R(x) U A(x) A(x)", "U0 U2 A3(x) S(x) A4(x)"),
    ("late-answer-behind-another-turn", "U A(x) U A(x) R(x) T R(x) U", "U0 A1(x) R6(x) U2 A3(x) R4(x) T5 U7"),
    ("stranger", "U A(x) R(x) R(y) U", "U0 A1(x) R2(x) U4"),
    ("half-answered-last-turn", "U A(x,y) R(y)", None),
    ("answered-turn-behind-an-open-one", "U A(x) T U", "U0 A1(x) S(x) T2 U3"),
    ("second-answer-after-the-user", "U A(x) R(x) U R'(x) T", "U0 A1(x) R2(x) U3 T5"),
    ("empty-ids-pair", "U A(x) R(x) R() U", "U0 A1(x) R2(x) U4"),
]


def spelled(messages, tags):
    """Write a list with the positions that its messages came from."""
    return " ".join(_spelled_one(message, tag) for message, tag in zip(messages, tags, strict=True))


def _spelled_one(message, tag):
    letter, *inside = oracle.spell([message]).partition("(")
    first = tag[0] if isinstance(tag, tuple) else tag
    if first == "new":
        return "S" + "".join(inside)
    return letter + first.lstrip("m").partition(".")[0] + "".join(inside)


def unchanged(given):
    """The expected list when nothing changes."""
    messages = notation(given)
    return spelled(messages, tagged(messages))


def rows(column):
    """One column of the table, as (given, expected) parameters."""
    return [pytest.param(row[1], row[column] or unchanged(row[1]), id=row[0]) for row in EXAMPLES]


@pytest.mark.parametrize("form", ["pi", "openai-chat"])
@pytest.mark.parametrize(("given", "expected"), rows(2))
def test_turn(given, expected, form):
    """The turn rule removes the results that their own turn did not ask for, and nothing else."""
    assert spelled(*sweep(notation(given), "turn", form=form)) == expected


@pytest.mark.parametrize("form", ["pi", "openai-chat"])
@pytest.mark.parametrize(("given", "expected"), rows(3))
def test_count(given, expected, form):
    """The count rule removes surplus halves on both sides, wherever they stand."""
    assert spelled(*sweep(notation(given), "count", form=form, exempt=["compress"])) == expected


@pytest.mark.parametrize("form", ["pi", "openai-chat"])
@pytest.mark.parametrize(("given", "expected"), rows(4))
def test_contract(given, expected, form):
    """The contract rule moves what came late, removes what is surplus and answers what was left open."""
    assert spelled(*sweep(notation(given), "contract", form=form)) == expected


@pytest.mark.parametrize("form", ["pi", "openai-chat"])
@pytest.mark.parametrize(
    ("given", "expected"), [pytest.param(g, e or unchanged(g), id=n) for n, g, e in CONTRACT_EXAMPLES]
)
def test_contract_beyond_the_published_examples(given, expected, form):
    """The contract rule keeps real output wherever exactly one call can own it."""
    assert spelled(*sweep(notation(given), "contract", form=form)) == expected


@pytest.mark.parametrize("form", ["pi", "openai-chat"])
def test_count_keeps_the_second_of_two_calls_with_one_id(form):
    """W13: of two calls with one id and one result, the one nearer to the result stays."""
    messages, tags = sweep(notation("U A(x,x) R(x)"), "count", form=form)
    assert (oracle.spell(messages), tags) == ("U A(x) R(x)", ["m0", ("m1.1",), "m2"])


@pytest.mark.parametrize("form", ["pi", "openai-chat"])
def test_turn_leaves_calls_alone(form):
    """W13 under the turn rule: a call that stands twice is not its business."""
    messages, _ = sweep(notation("U A(x,x) R(x)"), "turn", form=form)
    assert oracle.spell(messages) == "U A(x,x) R(x)"


@pytest.mark.parametrize("form", ["pi", "openai-chat"])
def test_contract_removes_the_copy_of_a_call(form):
    """W13 under the contract rule: two equal calls with one result are one call, written twice."""
    messages, _ = sweep(notation("U A(x,x) R(x) U"), "contract", form=form, twins=True)
    assert oracle.spell(messages) == "U A(x) R(x) U"


@pytest.mark.parametrize(("exempt", "expected"), [([], "U U"), (["compress"], "U A(c) U")])
def test_count_exempts_only_the_named_tool(exempt, expected):
    """An unanswered call stays under the count rule only when its tool is named."""
    messages, _ = sweep(notation("U A(compress:c) U"), "count", exempt=exempt)
    assert oracle.spell(messages) == expected


def test_an_exempt_call_claims_the_later_result():
    """An older ordinary call cannot take the result that stands behind an exempt one."""
    messages, tags = sweep(notation("U A(x) A(compress:x) R(x) U"), "count", exempt=["compress"])
    assert spelled(messages, tags) == "U0 A2(x) R3(x) U4"


@pytest.mark.parametrize("given", ["U A() U", "U R() U"])
def test_count_treats_an_empty_id_as_a_defect(given):
    """A lone half with an empty id is not exempt like one that has none."""
    messages, _ = sweep(notation(given), "count")
    assert oracle.spell(messages) == "U U"


def test_a_custom_message_does_not_end_the_last_turn():
    """A call of the last turn stays open when only a custom message stands behind it."""
    assert spelled(*sweep(notation("U A(x) C"), "contract")) == "U0 A1(x) C2"


def test_a_custom_message_displaces_a_result():
    """A result behind a custom message is moved to its call, and the turn rule removes it."""
    given = notation("U A(x) C R(x) U")
    assert spelled(*sweep(given, "contract")) == "U0 A1(x) R3(x) C2 U4"
    assert spelled(*sweep(given, "turn")) == "U0 A1(x) C2 U4"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param("U A(x) A(y) R(y) R(x) U", None, id="one-turn-in-two-messages"),
        pytest.param("U A(x) R(x) U A(y) U", "U0 A1(x) R2(x) U3 A4(y) S(y) U5", id="unanswered"),
        pytest.param("U R(x) U A(y) R(y)", "U0 U2 A3(y) R4(y)", id="orphan"),
    ],
)
def test_contract_in_an_anthropic_array(given, expected):
    """Neighbouring messages of one role are one turn for Anthropic, so a parallel turn in two messages is sound."""
    assert spelled(*sweep(notation(given), "contract", form="anthropic")) == (expected or unchanged(given))
