"""What the count rule does beyond calls and results: reasoning, and messages that lose everything."""

from condense_cli.model.messages import Call, Message, Record, Result, Role
from condense_cli.pairing.count import count
from condense_cli.pairing.decision import MessageOutline


def outlines(*spec):
    """Messages from pairs of a role letter and block kinds; every call and result has the id x."""
    found = []
    for number, (letter, kinds) in enumerate(spec):
        record = Record(number, 0, 0)
        role = {"u": Role.USER, "a": Role.ASSISTANT, "r": Role.RESULT}[letter]
        calls = tuple(Call(record, part, "x", "bash") for part, kind in enumerate(kinds) if kind == "c")
        results = tuple(Result(record, part, "x") for part, kind in enumerate(kinds) if kind == "r")
        found.append(MessageOutline(Message(record, role, calls, results, "t" in kinds or "h" in kinds), kinds))
    return found


def left(*spec):
    """What stays of the block kinds, message by message; None: the message goes."""
    given = outlines(*spec)
    decision = count(given)
    return [
        None if n in decision.dropped else "".join(k for part, k in enumerate(outline.kinds) if part not in decision.without(n, outline))
        for n, outline in enumerate(given)
    ]


def test_reasoning_goes_with_the_call_behind_it():
    """A call that goes strands the reasoning in front of it, and the message that held both goes."""
    assert left(("u", "t"), ("a", "hc"), ("u", "t")) == ["t", None, "t"]


def test_reasoning_stays_in_front_of_what_an_assistant_says():
    """A run of reasoning over two messages stays if text or a call that stays follows it."""
    assert left(("u", "t"), ("a", "h"), ("a", "ht"), ("a", "hc"), ("r", "r")) == ["t", "h", "ht", "hc", "r"]


def test_trailing_reasoning_goes():
    """Reasoning at the end, or in front of a user message, is followed by nothing."""
    assert left(("u", "t"), ("a", "th"), ("u", "t"), ("a", "h")) == ["t", "t", "t", None]


def test_text_keeps_a_message_that_loses_its_call():
    """Only the call goes from a message that says something, too."""
    assert left(("u", "t"), ("a", "tc"), ("u", "t")) == ["t", "t", "t"]
