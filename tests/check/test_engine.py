"""What check makes of one thread: one fault gives one finding, and the worst that a contract says of it counts."""

import json

import pytest
from condense_cli.check.engine import check, judge
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Finding, Severity
from tests.strategies import as_lines, calls, pi_file, pi_records

BAD_IMAGE = {"type": "image", "data": "???", "mimeType": "image/png"}


def pi(change, messages):
    """A pi session with its records changed, read."""
    records = pi_records(messages)
    change(records)
    return read_document("s.jsonl", BytesInMemory(b"".join(as_lines(records))), "pi")


def chat(ident):
    """A chat of one call with this id, read."""
    call = {"id": ident, "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    rows = [{"role": "user", "content": "x"}, {"role": "assistant", "content": None, "tool_calls": [call]}, {"role": "tool", "tool_call_id": ident, "content": "y"}]
    return read_document("m.json", BytesInMemory(json.dumps(rows).encode()), "openai-chat")


def found(document, *contracts):
    """Rules with severities."""
    return [(f.rule, str(f.severity)) for f in check(document, list(contracts or ["pi"])).findings]


def test_the_worst_of_two_variants_counts():
    """Two findings about one half are one, with the worse severity, whichever came first."""
    document = read_document("s.jsonl", BytesInMemory(pi_file([("user",), calls(["a"]), ("result", "a")])), "pi")
    record = document.records[2]
    long, own = (Finding("invalid-call-id", 3, record, variant=variant, part=0, call_id="a") for variant in ("long", "own"))

    for both in ([long, own], [own, long]):
        assert [(f.variant, f.severity) for f in judge(document, both, "pi", "pi")] == [("own", Severity.ERROR)]
    assert [f.severity for f in judge(document, [long], "pi", "pi")] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("length", "expected"),
    [(40, []), (41, [("invalid-call-id", "info")]), (64, [("invalid-call-id", "info")]), (65, [("invalid-call-id", "error")])],
)
def test_lengths_of_ids(length, expected):
    """More than 40 characters are worth knowing, more than 64 are refused."""
    assert found(chat("x" * length), "openai-chat") == expected


def test_an_orphan_is_one_finding():
    """What else is wrong with a result that nobody asked for is not told: it goes anyway."""

    def change(records):
        records[2]["message"]["content"] = [BAD_IMAGE]

    assert found(pi(change, [("user",), ("result", "b"), ("text",)])) == [("orphan-result", "error")]
    assert found(pi(lambda r: change(r[1:]), [("user",), calls(["a"]), ("result", "a"), ("text",)])) == [("invalid-image", "error")]


def test_of_a_turn_that_is_not_sent_only_images_count():
    """An aborted turn is left out of the request, but the client decodes its images all the same."""

    def change(records):
        records[2]["message"].update(content=[{"type": "text", "text": ""}, {"type": "text", "text": "x"}, BAD_IMAGE], stopReason="aborted")

    assert found(pi(change, [("user",), ("text",), ("user",)])) == [("invalid-image", "error")]


def test_a_contract_is_named_only_when_several_could_be_meant():
    """Judged by its own client a finding has neither contract nor the provider's words."""
    data = pi_file([("user",), ("result", "b"), ("text",)])
    (own,) = check(read_document("s.jsonl", BytesInMemory(data), "pi"), ["pi"]).findings
    (other,) = check(read_document("s.jsonl", BytesInMemory(data), "pi"), ["openai-chat"]).findings

    assert (own.contract, own.provider_error) == (None, None)
    assert other.contract == "openai-chat"
    assert "tool" in (other.provider_error or "")
