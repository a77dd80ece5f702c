"""Kimi Code: what a repair puts in is where the client reads it."""

import json
from pathlib import Path

from tests.strategies import condense

HEALTHY = Path(__file__).parents[3] / "fixtures" / "sessions" / "kimi-code" / "healthy.jsonl"


def test_a_first_message_of_the_user_is_before_the_step_that_answers(tmp_path):
    """Inside the step it would be sent after it: a second repair put another one in."""
    lines = HEALTHY.read_bytes().splitlines(keepends=True)
    asked = next(n for n, line in enumerate(lines) if b'"context.append_message"' in line)
    path, new = tmp_path / "wire.jsonl", tmp_path / "new.jsonl"
    path.write_bytes(b"".join(lines[:asked] + lines[asked + 1 :]))

    assert condense("repair", str(path), "--contract", "roo", "-o", str(new)).code in (0, 1)
    kinds = [record.get("event", record).get("type") for record in map(json.loads, new.read_bytes().splitlines())]
    assert kinds.index("context.append_message") < kinds.index("step.begin")
    assert b"starts-without-user" not in condense("check", str(new), "--contract", "roo").out
    assert condense("repair", str(new), "--contract", "roo", "-o", str(path)).code in (0, 1)
    assert path.read_bytes() == new.read_bytes()
