"""Declarations of tools, out of the words of any API."""

from collections import Counter

import pytest
from condense_cli.request.declared import Tool, declared, nameless
from tests.request.test_request import request, user

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}


@pytest.mark.parametrize(
    "tool",
    [
        {"type": "function", "function": {"name": "bash", "description": "Run.", "parameters": SCHEMA}},
        {"type": "function", "name": "bash", "description": "Run.", "parameters": SCHEMA, "strict": True},
        {"name": "bash", "description": "Run.", "input_schema": SCHEMA},
        {"name": "bash", "description": "Run.", "parametersJsonSchema": SCHEMA},
        {"name": "bash", "description": "Run.", "parameters": {"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}}},
    ],
)
def test_all_words_say_the_same(tool):
    """Chat, Responses, Anthropic, Gemini in both of its ways."""
    assert declared([tool], Counter()) == (Tool("bash", "Run.", SCHEMA),)


def test_what_no_other_provider_takes_is_left_out_and_counted():
    """Tools that run at the provider, schemas with alternatives at the top, and what is no declaration."""
    left_out = Counter()
    found = declared([{"type": "web_search_20250305", "name": "web_search"}, {"name": "a.b", "parameters": {"anyOf": [SCHEMA]}}, {"name": "a"}, None, {"googleSearch": {}}], left_out)

    assert found == (Tool("a", "", {"type": "object", "properties": {}}),)
    assert left_out == {"tool of the provider": 1, "part of a tool's schema": 1, "declaration of a tool": 2}


def test_a_tool_of_free_text_takes_one_text():
    """Its calls are sent with the text as `input`."""
    (tool,) = declared([{"type": "custom", "name": "patch", "format": {"type": "grammar"}}], Counter())

    assert tool.schema["required"] == ["input"]


def test_names_alone_are_declared_once_each():
    """Whatever arguments they take."""
    assert [tool.name for tool in nameless(["b", "a", "b"])] == ["b", "a"]


@pytest.mark.parametrize(("api", "where"), [("openai-chat", ("function", "parameters")), ("anthropic", ("input_schema",))])
def test_they_are_in_the_request(api, where):
    """In the words of the API."""
    (tool,) = request(api, user(), tools=[{"name": "bash", "parameters": SCHEMA}])[0]["tools"]

    for key in where:
        tool = tool[key]
    assert tool == SCHEMA
