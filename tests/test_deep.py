"""Values that nest deeper than Python's stack, where a client writes a word."""

import pytest
from tests.strategies import as_lines, calls, condense, pi_records, session_file

DEEP = "[" * 1015 + "]" * 1015  # as deep as orjson goes


@pytest.mark.parametrize("place", ["toolCallId", "toolName", "timestamp", "text", "type", "id", "name"])
@pytest.mark.parametrize("command", [["check"], ["render"], ["render", "--as", "anthropic"], ["render", "--diff"], ["compact", "--now", "5"], ["diff"]], ids=" ".join)
def test_a_deep_value_is_no_bug(place, command):
    """Whatever comes out, it is not the exit code of a bug."""
    records = pi_records([("user",), calls(["a"]), ("result", "a"), ("text",)])
    head, *lines = as_lines(records)
    data = head + b"".join(lines).replace(f'"{place}":"'.encode(), f'"{place}":{DEEP},"was":"'.encode())
    with session_file(data) as path:
        assert condense(*command, "--format", "pi", path).code < 5
