"""undeclared-tool and arguments-not-by-schema: calls held against what their conversation declares, for training alone."""

from __future__ import annotations

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.rules.schemas import can_judge_schemas

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
SHAPES = ["openai-chat", "anthropic"]


def conversation(shape, name="count", arguments=None, *, tools=True):
    arguments = {"n": 1} if arguments is None else arguments
    if shape == "openai-chat":
        declared = [{"type": "function", "function": {"name": "count", "parameters": SCHEMA}}]
        call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        messages = [{"role": "assistant", "content": None, "tool_calls": [call]}, {"role": "tool", "tool_call_id": "call_1", "content": "1"}]
    else:
        declared = [{"name": "count", "input_schema": SCHEMA}]
        call = {"type": "tool_use", "id": "call_1", "name": name, "input": arguments}
        result = {"type": "tool_result", "tool_use_id": "call_1", "content": "1"}
        messages = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    messages = [{"role": "user", "content": "Count."}, *messages, {"role": "assistant", "content": "One."}]
    return ({"tools": declared} if tools else {}) | {"messages": messages}


def found(shape, values, contract="training"):
    raw = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    report = check(read_document("s.jsonl", BytesInMemory(raw), shape), [contract], every=True)
    return [(f.rule, f.line, f.index, str(f.severity)) for f in report.findings if f.severity != "info"]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_call_of_a_tool_that_is_not_declared(shape):
    """Of two conversations the one that declares other tools is named; a provider does not mind."""
    values = [conversation(shape), conversation(shape, "guess")]
    assert found(shape, values) == [("undeclared-tool", 2, 1, "error")]
    assert found(shape, values, shape) == []


@pytest.mark.skipif(not can_judge_schemas(), reason="needs the extra `data`")
@pytest.mark.parametrize("shape", SHAPES)
def test_arguments_that_the_schema_refuses(shape):
    """The declared schema decides."""
    assert found(shape, [conversation(shape, arguments={"n": "one"})]) == [("arguments-not-by-schema", 1, 1, "error")]


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_is_declared(shape):
    """Then nothing can be undeclared."""
    assert found(shape, [conversation(shape, "guess", {"n": "one"}, tools=False)]) == []
