"""A swept thread: the object around its messages, what is told of it, and what it changes."""

import json

from tests import oracle
from tests.strategies import chat_array, condense, session_file

BROKEN = chat_array(oracle.notation("U A(x) U R(x) A(y) R(z) U"))


def render(*options):
    with session_file(BROKEN, "s.json") as path:
        return condense("render", *options, path)


def test_json_is_the_object_of_every_render():
    """Messages, the flag, both sizes in UTF-16 units of their JSON, and what became of each half."""
    value = json.loads(render("--output-format", "json").out)
    context = json.loads(render("--output-format", "json", "--view", "context").out)

    def size(messages):
        return sum(len(json.dumps(one, separators=(",", ":"), ensure_ascii=False)) for one in messages)

    assert list(value) == ["messages", "pruned", "beforeChars", "afterChars", "diagnostics"]
    assert (value["pruned"], value["beforeChars"], value["afterChars"]) == (True, size(context["messages"]), size(value["messages"]))
    assert (context["pruned"], context["diagnostics"]) == (False, [])
    assert {(d["kind"], d["key"], d["detail"].split(": ")[1]) for d in value["diagnostics"]} == {
        ("displaced-result", "x", "moved"),
        ("orphan-result", "z", "dropped"),
        ("unanswered-call", "y", "answered"),
    }


def test_the_differences_add_up():
    """Each change is told with its place; sizes before and after are those of what is shown."""
    found = json.loads(render("--dry-run", "--output-format", "json").out)

    assert [(c["change"], c["message"]) for c in found["changes"]] == [("move", 2), ("drop", 5), ("insert", 5)]
    assert found["firstChanged"] == 2
    assert found["afterChars"] == found["beforeChars"] + sum(c["afterChars"] - c["beforeChars"] for c in found["changes"])


def test_a_sound_thread_changes_nothing():
    """A list without a fault has no differences and the object says that nothing was pruned."""
    with session_file(chat_array(oracle.notation("U A(x) R(x) T")), "s.json") as path:
        assert condense("render", "--dry-run", path).out == b"nothing is pruned\n"
        assert json.loads(condense("render", "--output-format", "json", path).out)["pruned"] is False


def test_text_cannot_steer_a_terminal():
    """Control characters of a session show as escapes in a text rendering."""
    data = json.dumps([{"role": "user", "content": "a\x1b[2Jb"}, {"role": "assistant", "tool_calls": [], "content": "c"}]).encode()
    with session_file(data, "s.json") as path:
        out = condense("render", "--output-format", "text", "--format", "openai-chat", path).out

    assert b"\x1b" not in out and rb"a\x1b[2Jb" in out


def test_other_formats_have_no_wire_view():
    """What pi hands to a provider is pi's; elsewhere the way to a request is named."""
    outcome = render("--view", "wire")

    assert outcome.code == 2 and "--as anthropic" in outcome.err
