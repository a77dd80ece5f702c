"""What the contract rule does with turns that failed, placeholders and messages that hold several results."""

from condense_cli.model.messages import Call, Message, Record, Result, Role
from condense_cli.pairing.contract import contract
from condense_cli.pairing.decision import MessageOutline, steps


def said(number, role, *, calls=(), results=(), text=False, skipped=False, made_up=()):
    record = Record(number, 0, 0)
    asked = tuple(Call(record, part, ident, "bash") for part, ident in enumerate(calls))
    answered = tuple(Result(record, len(calls) + part, ident, ident in made_up) for part, ident in enumerate(results))
    kinds = "c" * len(calls) + "r" * len(results) + ("t" if text else "")
    return MessageOutline(Message(record, role, asked, answered, text, skipped), kinds)


def user(number, *results, text=True):
    return said(number, Role.USER, results=results, text=text)


def outcome(outlines, **options):
    decision = contract(outlines, **options)
    return decision, [
        step.number if step.number is not None else (f"moved {step.result.id}" if step.result else f"answer {step.answer.id}")
        for step in steps(len(outlines), decision)
    ]


def test_the_result_of_a_failed_turn_goes_with_its_call():
    """A turn that the client does not send keeps its record, but neither calls nor results."""
    outlines = [user(0), said(1, Role.ASSISTANT, calls=["x"], text=True, skipped=True), said(2, Role.RESULT, results=["x"]), user(3)]
    decision, order = outcome(outlines)

    assert order == [0, 1, 3]
    assert decision.without(1, outlines[1]) == {0}


def test_a_placeholder_gives_way_to_the_real_output():
    """Of two results the made-up one goes, and the other stands at the call."""
    placeholder = said(2, Role.RESULT, results=["x"], made_up=["x"])
    outlines = [user(0), said(1, Role.ASSISTANT, calls=["x"]), placeholder, user(3), said(4, Role.RESULT, results=["x"]), user(5)]
    decision, order = outcome(outlines)

    assert order == [0, 1, "moved x", 3, 5]
    assert [half.record.line for half in decision.gone] != [] and decision.owners[outlines[4].message.results[0]].id == "x"


def test_one_of_several_results_moves_out_of_its_message():
    """A late result leaves the user message that holds it, whose text stays."""
    outlines = [user(0), said(1, Role.ASSISTANT, calls=["x"]), user(2), said(3, Role.ASSISTANT, calls=["y"]), user(4, "y", "x", text=True)]
    decision, order = outcome(outlines, shared_results=True)

    assert order == [0, 1, "moved x", 2, 3, 4]
    assert decision.without(4, outlines[4]) == {1}


def test_a_shared_message_of_results_closes_the_last_turn():
    """Where all results share one message, a call that it leaves out is answered, though it is the last turn."""
    outlines = [user(0), said(1, Role.ASSISTANT, calls=["x", "y"]), user(2, "x", text=False)]

    assert outcome(outlines, shared_results=True)[1] == [0, 1, 2, "answer y"]
    assert outcome(outlines, shared_results=False)[1] == [0, 1, 2]


def test_trailing_calls_are_answered_on_request():
    """The calls of the last turn stay open unless they are to be closed."""
    outlines = [user(0), said(1, Role.ASSISTANT, calls=["x"])]

    assert outcome(outlines)[1] == [0, 1]
    assert outcome(outlines, trailing=True)[1] == [0, 1, "answer x"]
