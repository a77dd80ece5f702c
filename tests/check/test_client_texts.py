"""What the client sends of a session, compared between two files."""

import json

import pytest
from condense_cli.check.client_texts import missing
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.pi.format import Pi
from condense_cli.formats.read import read_document
from tests.strategies import as_lines, calls, pi_file, pi_records

SESSION = [("user",), calls(["a"]), ("result", "a"), ("text",)]


def document(data, name="pi"):
    """A document of these bytes."""
    return read_document("s", BytesInMemory(data), name)


def lost(before, after, name="pi"):
    """The (line, kind) of what is no longer sent."""
    return [(piece.line, piece.kind) for piece in missing(document(before, name), document(after, name)).pieces]


def changed(number, **more):
    """The session with other keys in one of its records."""
    records = pi_records(SESSION)
    records[number].update(more)
    return b"".join(as_lines(records))


def test_nothing_is_missing_in_the_same_session():
    """Neither as it is, nor with ids and parents of other names."""
    data = pi_file(SESSION)

    assert missing(document(data), document(data)) == ({}, ())
    assert lost(data, data.replace(b"0000000", b"aaaaaaa").replace(b'"a"', b'"b"')) == []


def test_what_is_no_longer_on_the_thread_is_missing():
    """A parent that leads past messages takes them away from the client, though their bytes are there."""
    assert lost(pi_file(SESSION), changed(4, parentId="00000001")) == [(3, "call"), (4, "result")]
    assert lost(changed(4, parentId="00000001"), pi_file(SESSION)) == []


def test_a_changed_text_is_missing():
    """Whatever else the message says."""
    data = pi_file(SESSION)

    assert lost(data, data.replace(b'"m3"', b'"m4"')) == [(5, "text")]
    assert lost(data, data.replace(b"bash", b"dash")) == [(3, "call")]


def test_a_message_that_is_skipped_is_not_sent():
    """pi leaves an aborted turn out, so its texts need not stay, and one that becomes aborted loses them."""
    aborted = pi_file(SESSION).replace(b'"stopReason":"stop"', b'"stopReason":"aborted"')

    assert lost(pi_file(SESSION), aborted) == [(5, "text")]
    assert lost(aborted, changed(4, parentId="00000003", message={"role": "user", "content": "x"})) == []


def test_what_is_said_twice_is_counted():
    """One of two equal texts that goes is one missing piece, at one of two places."""
    twice = pi_file([("user",), ("text",), ("text",)]).replace(b'"m2"', b'"m1"')
    once = twice[: twice.rindex(b'{"type":"message"')]
    found = missing(document(twice), document(once))

    assert [piece.line for piece in found.pieces] in ([3, 4], [4])
    assert sum(found.times.values()) == 1


def test_a_long_thread_is_not_loaded_for_one_record_that_changed(monkeypatch):
    """A thread that is found again is new as a whole; only the record with the id of the changed one is compared."""
    turns = [("user",), *[("text",)] * 40]
    whole = pi_records(turns)
    cut = [dict(record) for record in whole]
    cut[-1]["parentId"] = None
    loaded = []
    turn = Pi.turn
    monkeypatch.setattr(Pi, "turn", lambda *given: loaded.append(given) or turn(*given))
    assert lost(b"".join(as_lines(cut)), b"".join(as_lines(whole))) == []
    assert len(loaded) == 2
    whole[-1], whole[-2] = {**whole[-1], "message": whole[-2]["message"]}, {**whole[-2], "message": whole[-1]["message"]}
    assert lost(b"".join(as_lines(cut)), b"".join(as_lines(whole))) == []


@pytest.mark.parametrize("depth", [3, 900])
def test_deep_arguments_are_compared(depth):
    """Arguments may be nested as deep as JSON is read."""
    deep = b'{"tag":' * depth + b"1" + b"}" * depth
    data = pi_file(SESSION).replace(b'{"tag":"m1.0"}', deep)

    assert deep in data
    assert lost(data, data.replace(b'"toolCall"', b'"toolUse"')) == []
    assert lost(data, data.replace(b'{"tag":1}', b'{"tag":2}')) == [(3, "call")]


def test_neighbours_that_the_api_joins_are_each_looked_at():
    """A text after the first of two assistant messages is sent as well."""
    messages = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "one"}, {"role": "assistant", "content": "two"}]
    before, after = json.dumps(messages).encode(), json.dumps(messages[:2]).encode()

    assert [(p.index, p.kind) for p in missing(document(before, "anthropic"), document(after, "anthropic")).pieces] == [(2, "text")]
