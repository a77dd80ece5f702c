"""image-in-result: where images of results go in a chat, and where they may stay."""

from __future__ import annotations

import json

from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.choice import Choice
from condense_cli.repair.engine import make_plan

DOOR, GATE = ({"type": "image_url", "image_url": {"url": f"https://example.com/{name}.png", "detail": "low"}} for name in ("door", "gate"))


def call(*idents):
    listed = [{"id": ident, "type": "function", "function": {"name": "camera", "arguments": "{}"}} for ident in idents]
    return {"role": "assistant", "content": None, "tool_calls": listed}


def result(ident, *blocks):
    return {"role": "tool", "tool_call_id": ident, "content": list(blocks)}


def say(text):
    return {"type": "text", "text": text}


USER = {"role": "user", "content": "Show them."}
DONE = {"role": "assistant", "content": "Both are shut."}


def repaired(messages, name="openai-chat"):
    source = BytesInMemory(json.dumps(messages).encode())
    document = read_document("s.json", source, name)
    plan = make_plan(document, Choice((document.format.contract,)))
    assert not [finding for finding in plan.remaining if finding.severity != "info"]
    return json.loads(b"".join(apply(plan.segments, source)))


def test_the_images_of_a_run_go_to_one_user_message_after_it():
    """Two results of one turn: the pictures follow both, in order, byte for byte; the results name them."""
    messages = [USER, call("a", "b"), result("a", say("door"), DOOR), result("b", GATE), DONE]
    new = repaired(messages)
    assert [m["role"] for m in new] == ["user", "assistant", "tool", "tool", "user", "assistant"]
    assert [block for block in new[4]["content"] if block["type"] == "image_url"] == [DOOR, GATE]
    assert new[2]["content"][0] == say("door")
    assert "image 1" in new[2]["content"][1]["text"]
    assert "image 2" in new[3]["content"][0]["text"]
    assert (new[0], new[1], new[5]) == (messages[0], messages[1], messages[4])


def test_each_run_has_a_message_of_its_own():
    """A picture of a later turn stays behind that turn, also at the end of the conversation."""
    new = repaired([USER, call("a"), result("a", DOOR), call("b"), result("b", GATE)])
    assert [m["role"] for m in new] == ["user", "assistant", "tool", "user", "assistant", "tool", "user"]
    assert [new[3]["content"][1], new[6]["content"][1]] == [DOOR, GATE]


def test_what_a_client_sends_its_own_way_is_no_error():
    """Kimi CLI's context may hold pictures in results: the client's own business; nothing is moved."""
    lines = [USER, call("a"), result("a", DOOR), DONE]
    source = BytesInMemory(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    document = read_document("context.jsonl", source, "kimi")
    found = [f for f in check(document, ["openai-chat"]).findings if f.rule == "image-in-result"]
    assert [(str(f.severity), f.fixable) for f in found] == [("info", False)]
