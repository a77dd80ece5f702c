"""Rows for the tests of data sets."""

import json

BASH = {"type": "function", "function": {"name": "bash", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}}}


def call(ident, name="bash", arguments='{"command":"ls"}'):
    """A chat call."""
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}


def asks(*calls, text="Looking."):
    """An assistant message with calls."""
    return {"role": "assistant", "content": text, "tool_calls": list(calls)}


def result(ident, text="a.txt"):
    """A chat result."""
    return {"role": "tool", "tool_call_id": ident, "content": text}


def chat(*middle):
    """A conversation with a user turn before and an answer after."""
    return [{"role": "user", "content": "List the files."}, *middle, {"role": "assistant", "content": "Done."}]


GOOD = chat(asks(call("c1")), result("c1"))


def lines(*rows):
    """Rows as JSON lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
