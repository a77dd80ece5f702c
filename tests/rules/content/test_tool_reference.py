"""unknown-tool-reference: proved where tools are declared, told elsewhere, and taken out."""

from __future__ import annotations

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.choice import Choice
from condense_cli.repair.engine import make_plan

USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "find", "input": {}}]}
TOOLS = [{"name": "find", "input_schema": {"type": "object"}}, {"name": "order", "input_schema": {"type": "object"}, "defer_loading": True}]


def request(*names, tools=TOOLS):
    references = [{"type": "tool_reference", "tool_name": name} for name in names]
    used = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": references}]}
    return ({} if tools is None else {"tools": tools}) | {"messages": [{"role": "user", "content": "Order plums."}, USE, used]}


def found(value):
    report = check(read_document("s.json", BytesInMemory(json.dumps(value).encode()), "anthropic"), ["anthropic"])
    return [(f.index, str(f.severity)) for f in report.findings if f.rule == "unknown-tool-reference"]


def repaired(value, select=()):
    source = BytesInMemory(json.dumps(value).encode())
    plan = make_plan(read_document("s.json", source, "anthropic"), Choice(("anthropic",), select=frozenset(select)))
    return json.loads(b"".join(apply(plan.segments, source)))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (request("order", "find"), []),
        (request("order", "fax"), [(2, "error")]),
        (request("fax", tools=[]), [(2, "error")]),
        (request("order", tools=None), [(2, "info")]),
        (request("fax", tools=[*TOOLS, {"type": "mcp_toolset", "mcp_server_name": "office"}]), [(2, "info")]),
        (request(), []),
    ],
)
def test_it_is_proved_where_tools_are_declared_by_name(value, expected):
    """A server's tools are declared without their names."""
    assert found(value) == expected


def test_only_the_unknown_reference_goes():
    """All else stays as it is."""
    assert repaired(request("fax", "order", "telex")) == request("order")
    assert repaired(request("order", tools=None)) == request("order", tools=None)


def test_on_request_all_go_where_nothing_is_declared():
    """An empty result is legal."""
    assert repaired(request("order", tools=None), ["unknown-tool-reference"]) == request(tools=None)


def test_each_conversation_has_tools_of_its_own():
    """Lines of conversations: what one declares says nothing about the next."""
    lines = [request("order"), request("order", tools=TOOLS[:1]), request("fax", tools=None)]
    raw = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    report = check(read_document("s.jsonl", BytesInMemory(raw), "anthropic"), ["anthropic"], every=True)
    assert [(f.line, str(f.severity)) for f in report.findings if f.rule == "unknown-tool-reference"] == [(2, "error"), (3, "info")]
