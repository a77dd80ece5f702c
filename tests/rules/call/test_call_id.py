"""Call ids that are refused: a new one is made only where it is better."""

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan
from tests.strategies import as_lines, calls, pi_records


def session(ident, name="pi", provider="openai"):
    """A pi session with one call of this id, answered."""
    records = pi_records([("user",), calls([ident]), ("result", ident), ("text",)])
    for record in records:
        if record.get("message", {}).get("role") == "assistant":
            record["message"] |= {"provider": provider, "api": f"{provider}-responses"}
    return read_document("s.jsonl", BytesInMemory(b"".join(as_lines(records)).replace(b'"x_x"', json.dumps(ident).encode())), name)


def ids(data):
    """The ids of calls in these bytes."""
    return [block["id"] for line in data.splitlines() for block in json.loads(line).get("message", {}).get("content", ()) if block.get("type") == "toolCall"]


@pytest.mark.parametrize(
    ("ident", "contract", "possible", "new"),
    [
        pytest.param("call_1|fc_1", "copilot", False, "call_1|fc_1", id="pi needs the item behind the bar"),
        pytest.param("call:1|fc_1", "copilot", True, "call_1|fc_1_1", id="what stands before it is mended"),
        pytest.param("call:1", "copilot", True, "call_1", id="without an item"),
    ],
)
def test_an_item_behind_a_bar_stays(ident, contract, possible, new):
    """Another id with the same item would be refused as well: it is not made, so that a second repair changes nothing."""
    document = session(ident)
    found = [f for f in check(document, [contract]).findings if f.rule == "invalid-call-id"]
    plan = make_plan(document, Choice(contracts=(contract,)))

    assert [f.possible for f in found] == [possible]
    assert ids(b"".join(apply(plan.segments, document.source))) == [new]
