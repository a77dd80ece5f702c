"""Which half belongs to which: the cases that are easily taken for another one."""

import pytest
from condense_cli.model.messages import SERVER, Call, Message, Paused, Record, Result, Role, TurnResult
from condense_cli.pairing.pair import BY_NAME, is_sound, pair, quick_pairing

U, T = "user", "text"


def messages(*rows):
    """Messages from rows: "user", "text", or a list of halves for one message.

    A half is `+id` for a call, `-id` for a result; `~` in front of it makes it the provider's own, `!` a turn
    that was aborted, and `id@family` gives it a family. An empty id is none.
    """
    found = []
    for line, row in enumerate(rows, 1):
        record = Record(line, 0, 0)
        if isinstance(row, str):
            found.append(Message(record, {"user": Role.USER, "text": Role.ASSISTANT, "custom": Role.CUSTOM, "summary": Role.SUMMARY}[row]))
            continue
        calls, results, skipped = [], [], False
        for part, word in enumerate(row):
            skipped = skipped or "!" in word
            sign, rest = word.lstrip("!~")[0], word.lstrip("!~")[1:]
            ident, _, named = rest.partition("@")
            family = SERVER if "~" in word else named
            if sign == "+":
                kind = Paused if family == SERVER and part == len(row) - 1 else Call
                calls.append(kind(record, part, ident or None, "bash", family))
            else:
                results.append(Result(record, part, ident or None, family=family))
        role = Role.ASSISTANT if calls else Role.RESULT
        found.append(Message(record, role, tuple(calls), tuple(results), said=False, skipped=skipped))
    return found


def faults(*rows, shared=False):
    """The faults as (rule, lines of call and result), in the order of their halves."""
    made = messages(*rows)
    pairing = pair(made, shared_results=shared)
    found = [(f.rule + (f":{f.variant}" if f.variant else ""), f.call.record.line if f.call else None, f.result.record.line if f.result else None) for f in pairing.faults]
    assert is_sound(made) <= (not found)
    quick = quick_pairing(made)
    assert quick is None or quick.faults == pairing.faults
    return sorted(found, key=lambda f: (f[2] or f[1] or 0, f[0]))


def pairs(*rows):
    """The pairs as lines of call and result."""
    return sorted((p.call.record.line, p.result.record.line) for p in pair(messages(*rows)).pairs)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([U, ["+a"], ["-a"], T, ["+b"], ["-b"], ["-a"], ["+a"]], [("duplicate-result", 2, 7), ("reused-id", 8, None), ("trailing-call", 8, None)], id="an early result of an id that was used before is no answer to the last call"),
        pytest.param([U, ["-a"], ["+a"]], [("result-before-call", 3, 2)], id="an early result is the last call's when nobody else has that id"),
        pytest.param([U, ["-a"], ["-a"], ["+a"]], [("orphan-result", None, 2), ("orphan-result", None, 3), ("trailing-call", 4, None)], id="of two early results none is"),
        pytest.param([U, ["-a"], ["+a"], ["-a"], T], [("orphan-result", None, 2)], id="an early result of an answered call is no second answer"),
        pytest.param([U, ["+a"], ["-a"], T, U, ["-a"], T], [("duplicate-result", 2, 6)], id="a late one is"),
        pytest.param([U, ["-a"], ["!+a"], U], [("orphan-result", None, 2), ("partial-call", 3, None)], id="an early result of an aborted call is nobody's"),
        pytest.param([U, ["!+a"], T, ["-a"], U], [("partial-call", 2, None), ("result-of-skipped-call", 2, 4)], id="a late one is that call's"),
        pytest.param([U, ["!+a"], ["-a"], U], [("result-of-skipped-call", 2, 3)], id="one in its cycle, too"),
        pytest.param([U, ["+a"], U, ["+a"], U, ["-b"], T], [("unanswered-call", 2, None), ("reused-id", 4, None), ("unanswered-call", 4, None), ("orphan-result", None, 6)], id="two calls of one id, unanswered"),
        pytest.param([U, ["+a"], U, T, ["-a"], T], [("displaced-result", 2, 5)], id="a result in a later cycle belongs to the only open call"),
        pytest.param([U, ["+a"], U, ["+a"], U, T, ["-a"], T], [("unanswered-call", 2, None), ("reused-id", 4, None), ("unanswered-call", 4, None), ("orphan-result", None, 7)], id="but not when two calls could own it"),
        pytest.param([U, ["+a"], U, T, ["-a"], T, ["-a"]], [("unanswered-call", 2, None), ("orphan-result", None, 5), ("orphan-result", None, 7)], id="and not when there are two of it"),
        pytest.param([U, ["-a"], T, ["+a"], U, ["+a"], ["-a"], T], [("orphan-result", None, 2), ("unanswered-call", 4, None), ("reused-id", 6, None)], id="nor in front of it, when another call has that id"),
        pytest.param([U, ["+a"], "custom", ["-a"], T], [("displaced-result", 2, 4)], id="a custom message cuts"),
        pytest.param([U, ["+a"], "custom"], [("trailing-call", 2, None)], id="but does not end a cycle that may be running"),
        pytest.param([U, ["+a"], U], [("unanswered-call", 2, None)], id="a user does"),
        pytest.param([U, ["+a"], "summary"], [("unanswered-call", 2, None)], id="a summary does"),
    ],
)  # fmt: skip
def test_across_cycles(rows, expected):
    """Halves of different turns are matched only when exactly one partner is possible."""
    assert sorted(faults(*rows), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([U, ["+a"], ["-"], T], [("invalid-call-id", 2, 3)], id="the only call"),
        pytest.param([U, ["+a", "+b"], ["-"], T], [("unanswered-call", 2, None), ("unanswered-call", 2, None), ("invalid-call-id:lost", None, 3)], id="one of two calls"),
        pytest.param([U, ["+a", "+b"], ["-"], ["-b"], T], [("invalid-call-id", 2, 3)], id="the only one that is left when the cycle ends"),
        pytest.param([U, ["+", "+b"], ["-"], ["-b"], T], [], id="a call without an id, too"),
        pytest.param([U, ["-"], T], [("invalid-call-id:lost", None, 2)], id="no call at all"),
        pytest.param([U, ["!+a"], ["-"], U], [("partial-call", 2, None), ("result-of-skipped-call", None, 3)], id="an aborted turn"),
        pytest.param([U, ["+a@x"], ["-@y"], T], [("unanswered-call", 2, None), ("invalid-call-id:lost", None, 3)], id="a call of another family"),
    ],
)
def test_results_without_an_id(rows, expected):
    """Such a result is the only waiting call's, and nobody's where several wait."""
    assert sorted(faults(*rows), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([U, ["~+a", "~-a"], T], [], id="answered in its message"),
        pytest.param([U, ["~+a"]], [], id="the last of the last message: it may run"),
        pytest.param([U, ["~+a", "+b"]], [("trailing-call", 2, None), ("unanswered-call:server", 2, None)], id="not the last of it"),
        pytest.param([U, ["~+a"], T], [("unanswered-call:server", 2, None)], id="not in the last message"),
        pytest.param([U, ["~-a", "~+a"], T], [("result-before-call", 2, 2)], id="answered in front of it"),
        pytest.param([U, ["~+a"], U], [("unanswered-call:server", 2, None)], id="the user went on"),
        pytest.param([U, ["+b", "~+a"], ["-b"]], [("unanswered-call:server", 2, None)], id="the client's results went on"),
        pytest.param([U, ["~+a"], ["-a"], T], [("unanswered-call:server", 2, None), ("orphan-result", None, 3)], id="a client's result is not its answer"),
    ],
)
def test_calls_of_the_provider(rows, expected):
    """A server-side tool is answered in its own message, and by its own kind of result."""
    assert sorted(faults(*rows), key=str) == sorted(expected, key=str)


def test_families_do_not_mix():
    """A result answers only a call of its own family, and one id in two families is two calls."""
    assert faults(U, ["+a@x"], ["-a@y"], T) == [("unanswered-call", 2, None), ("orphan-result", None, 3)]
    assert pairs(U, ["+a@x"], ["-a@x"], ["+a@y"], ["-a@y"], T) == [(2, 3), (4, 5)]


def test_calls_without_ids_are_answered_by_name():
    """Where the tool's name is all there is, using it again is no fault."""
    assert faults(U, [f"+ls@{BY_NAME}", f"+ls@{BY_NAME}"], [f"-ls@{BY_NAME}"], [f"-ls@{BY_NAME}"], [f"+ls@{BY_NAME}"], [f"-ls@{BY_NAME}"], T) == []
    assert faults(U, [f"+ls@{BY_NAME}", f"+ls@{BY_NAME}"], [f"-ls@{BY_NAME}"], T) == [("unanswered-call", 2, None)]


def test_a_message_of_shared_results_is_complete():
    """Where all results share one message, a call that it leaves out is not running any more."""
    rows = [U, ["+a", "+b"], ["-a"]]

    assert faults(*rows) == [("trailing-call", 2, None)]
    assert faults(*rows, shared=True) == [("unanswered-call", 2, None)]
    assert faults(U, ["+a", "+b"], shared=True) == [("trailing-call", 2, None), ("trailing-call", 2, None)]


def test_pairs_are_made_in_order():
    """Of several calls with one id the first that is open is answered first."""
    made = messages(U, ["+a", "+a"], ["-a"], ["-a"], T)
    found = pair(made)

    assert [(p.call.part, p.result.record.line) for p in found.pairs] == [(0, 3), (1, 4)]
    assert [f.rule for f in found.faults] == ["duplicate-call-id"]


def test_nothing_to_pair():
    """A conversation without tools is sound, and has no cycle to look at."""
    assert pair(messages(U, T, U)) == ((), (), ())
    assert is_sound(messages(U, T, U))
    assert is_sound(messages(U, ["+a"], ["-a"], T))
    assert not is_sound(messages(U, ["+a"]))


def test_what_is_stored_twice_is_no_second_answer():
    """A result in a turn of its own, of a call that holds its result, is one that was stored twice."""
    asked, said = Record(1, 0, 0), Record(2, 0, 0)
    own = Message(asked, Role.ASSISTANT, (Call(asked, 0, "a", "ls", "x"),), (Result(asked, 0, "a", family="x"),))
    copy = Message(said, Role.USER, (), (TurnResult(said, 0, "a", family="x"),), said=False)

    assert [(f.rule, f.result.record) for f in pair([own, copy]).faults] == [("stored-twice", said)]
    assert [f.rule for f in pair([Message(asked, Role.ASSISTANT, own.calls), copy]).faults] == []
