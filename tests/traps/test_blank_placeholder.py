"""Trap: a placeholder of one space is not empty, so it is written, and blank, so it is refused."""

import json

import pytest
from tests.oracle import notation
from tests.strategies import anthropic_array, as_lines, chat_array, pi_file, pi_records, repair


def texts_put_in(before, after):
    """The texts of the new file that the old one does not have."""

    def texts(value):
        match value:
            case dict():
                return [
                    t
                    for key, v in value.items()
                    for t in ([v] if key in {"text", "content"} and isinstance(v, str) else texts(v))
                ]
            case list():
                return [t for v in value for t in texts(v)]
            case _:
                return []

    def parsed(data):
        return json.loads(data) if data.startswith(b"[") else [json.loads(line) for line in data.split(b"\n") if line]

    return [text for text in texts(parsed(after)) if text not in texts(parsed(before))]


@pytest.mark.parametrize(("write", "name"), [(pi_file, "s.jsonl"), (chat_array, "s.json"), (anthropic_array, "s.json")])
def test_an_inserted_answer_says_something(write, name):
    """The answer put in for a lost one is no blank text."""
    data = write(notation("U A(x) U"))
    _, repaired = repair(data, name=name)
    put_in = texts_put_in(data, repaired)
    assert len(put_in) == 1
    assert put_in[0].strip()


def test_a_blank_user_message_does_not_get_another_blank():
    """What fills a user message that says nothing is visible."""
    records = pi_records(notation("U A(x) R(x) U T"))
    data = b"".join(as_lines(records))
    array = json.loads(anthropic_array(notation("U A(x) R(x) T U T U")))
    array[4]["content"] = [{"type": "text", "text": " "}]
    outcome, repaired = repair(json.dumps(array).encode(), name="s.json")
    assert outcome.code == 0
    filled = json.loads(repaired)[4]["content"]
    assert (filled if isinstance(filled, str) else filled[0]["text"]).strip()
    assert repair(data)[1] == data
