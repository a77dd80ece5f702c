"""Where chains begin and end in a thread of any format."""

import pytest
from condense_cli.model.messages import SERVER, Call, Message, Record, Result, Role
from condense_cli.pi_condense.compact.chains import Standing
from condense_cli.pi_condense.compact.spans import ChainSpan, detect, standings

ROLES = {"U": Role.USER, "M": Role.SUMMARY, "A": Role.ASSISTANT, "C": Role.ASSISTANT, "V": Role.ASSISTANT, "R": Role.RESULT, "X": Role.USER, "S": Role.USER, "K": Role.CUSTOM, "D": Role.SYSTEM, "E": Role.ASSISTANT}


def thread(letters):
    """A: answer, C: call, V: call at the provider, R: result, X: user text beside a result, S: stand-in, E: failed, K and D: others."""
    messages = []
    for n, letter in enumerate(letters):
        record = Record(n + 1, 0, 0)
        calls = (Call(record, 0, "x", "ls", SERVER if letter == "V" else ""),) if letter in "CVE" else ()
        results = (Result(record, 0, "x"),) if letter in "RX" else ()
        messages.append(Message(record, ROLES[letter], calls, results, letter != "R", letter == "E"))
    return messages


def spans(letters):
    return detect(thread(letters), lambda n: letters[n] == "S")


@pytest.mark.parametrize(
    ("letters", "found"),
    [
        ("UCRA", [ChainSpan(0, 3, (1, 2))]),
        ("UCRCRAUA", [ChainSpan(0, 5, (1, 2, 3, 4)), ChainSpan(6, 7, ())]),
        ("UCR", []),  # open at the end
        ("UCRUCRA", [ChainSpan(0, None, (1, 2)), ChainSpan(3, 6, (4, 5))]),  # steering interrupts
        ("UCXCRA", [ChainSpan(0, None, (1,)), ChainSpan(2, 5, (3, 4))]),  # so does text beside a result
        ("UCRACRA", [ChainSpan(0, 3, (1, 2))]),  # what follows an answer belongs to no chain
        ("MCRA", [ChainSpan(0, 3, (1, 2))]),  # a compaction's summary opens, too
        ("USAUCRA", [ChainSpan(0, 2, (), stand_in=True), ChainSpan(3, 6, (4, 5))]),
        ("SCRA", []),  # a stand-in opens nothing
        ("UKCDRA", [ChainSpan(0, 5, (2, 4))]),  # others are passed over
        ("UECRA", [ChainSpan(0, 4, (2, 3))]),  # so are failed turns
        ("UVA", [ChainSpan(0, 1, ())]),  # what ran at the provider is part of an answer
        ("CRA", []),
    ],
)
def test_a_chain_goes_from_a_user_message_to_the_first_answer_without_a_call(letters, found):
    """Users open and interrupt, answers close, calls and results are between them."""
    assert spans(letters) == found


@pytest.mark.parametrize(("window", "standing"), [(0, "EEE"), (1, "EER"), (2, "ERR"), (9, "RRR")])
def test_the_last_chains_are_left_alone(window, standing):
    """As many as the window says; chains without calls, interrupted and compressed ones take no place in it."""
    letters = "UCRAUCRA" + "UA" + "UCRUCRA" + "USA"
    names = {Standing.ELIGIBLE: "E", Standing.RECENT: "R", Standing.TOOLLESS: "T", Standing.INTERRUPTED: "I", Standing.COMPRESSED: "S"}

    found = "".join(names[one] for one in standings(spans(letters), window))

    assert found == f"{standing[0]}{standing[1]}TI{standing[2]}S"
