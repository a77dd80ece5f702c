"""Messages of LangChain: three shapes, several containers, and calls that are told more than once."""

import json

import pytest
from condense_cli.errors import UnreadableError
from condense_cli.model.blocks import ANSWER
from tests.formats.test_contract import healthy, read
from tests.strategies import condense

STATE = json.loads(healthy("langchain").read_text(encoding="utf-8"))
MESSAGES = STATE["values"]["messages"]
CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "system": "SystemMessage", "tool": "ToolMessage"}


def flat(message):
    return message


def bare(message):
    return {key: message[key] for key in ("type", "content", "tool_calls", "tool_call_id") if key in message}


def stored(message):
    return {"type": message["type"], "data": message}


def dumped(message):
    return {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", CLASSES[message["type"]]], "kwargs": message}


SHAPES = [flat, bare, stored, dumped]
CONTAINERS = {
    "array": lambda ms: json.dumps(ms, indent=1),
    "object": lambda ms: json.dumps({"messages": ms}),
    "state": lambda ms: json.dumps({"values": {"messages": ms}, "next": []}),
    "checkpoint": lambda ms: json.dumps({"channel_values": {"messages": ms}}, indent=2),
    "rows": lambda ms: "".join(json.dumps(m) + "\n" for m in ms),
    "arrays": lambda ms: json.dumps(ms) + "\n" + json.dumps(ms) + "\n",
    "states": lambda ms: (json.dumps({"values": {"messages": ms}}) + "\n") * 2,
}


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read_in_every_container(shape, container, tmp_path):
    """The same messages, calls and results, in each conversation."""
    path = tmp_path / "s.json"
    path.write_text(CONTAINERS[container]([shape(m) for m in MESSAGES]), encoding="utf-8")
    report = json.loads(condense("check", "--json", path).out)["files"][0]
    times = 2 if container in ("arrays", "states") else 1

    assert (report["format"], report["error"], report["findings"]) == ("langchain", None, [])
    assert (report["threads"], report["messages"], report["calls"], report["results"]) == (times, 10 * times, 3 * times, 3 * times)


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_an_answer_is_written_in_the_shape_of_its_call(shape, container, tmp_path):
    """It has the members that the library reads, and a check of the repaired file finds nothing."""
    path, new = tmp_path / "s.json", tmp_path / "new.json"
    path.write_text(CONTAINERS[container]([shape(m) for m in MESSAGES if m.get("tool_call_id") != "call_B"]), encoding="utf-8")
    done = condense("repair", path, "-o", new)

    assert done.code == 0, done.err
    assert condense("check", new).code == 0
    made = {"content": ANSWER, "name": "Shell", "tool_call_id": "call_B", "status": "error"}
    told = {"additional_kwargs": {}, "response_metadata": {}, "type": "tool", **made}
    wanted = {"stored": {"type": "tool", "data": told}, "dumped": shape({**made, "type": "tool"}) | {"kwargs": made}}.get(shape.__name__, told)
    assert json.dumps(wanted, separators=(",", ":")) in new.read_text(encoding="utf-8").replace(": ", ":").replace(', "', ',"')


@pytest.mark.parametrize(
    "other",
    [
        {"role": "user", "content": "Hello."},
        {"type": "AIMessageChunk", "content": "", "additional_kwargs": {}},
        {"type": "ai", "content": "", "additional_kwargs": {}, "tool_call_chunks": []},
        {"type": "ai", "content": [1]},
        {"type": "ai"},
        {"lc": 1, "type": "constructor", "id": ["langchain", "tools", "Tool"], "kwargs": {"content": ""}},
    ],
)
def test_one_message_of_others_is_none_of_its(other, tmp_path):
    """A list is of this format only if all of it is: evidence for it, and none against it."""
    path = tmp_path / "s.json"
    path.write_text(json.dumps([*MESSAGES, other]), encoding="utf-8")

    assert condense("check", path).code == 3


def test_a_type_that_others_have_too_is_no_evidence(tmp_path):
    """System and tool messages alone could be anybody's."""
    path = tmp_path / "s.json"
    path.write_text(json.dumps([{"type": "system", "content": "Be brief."}]), encoding="utf-8")

    assert condense("check", path).code == 3
    with pytest.raises(UnreadableError):
        read("langchain", b'[{"role": "user", "content": "Hello."}]')


CALL = {"name": "look", "args": {}, "id": "c1", "type": "tool_call"}
RAW = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
USE = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}


@pytest.mark.parametrize(
    ("members", "number"),
    [
        ({"content": "", "tool_calls": [CALL], "additional_kwargs": {"tool_calls": [RAW]}}, 1),
        ({"content": [USE], "tool_calls": [CALL]}, 1),
        ({"content": [USE, {**USE, "id": "c2"}], "tool_calls": [CALL]}, 2),
        ({"content": "", "additional_kwargs": {"tool_calls": [RAW]}}, 1),
        ({"content": [{"type": "tool_call", "id": "c1", "name": "look", "args": {}}], "tool_calls": [CALL]}, 1),
        ({"content": "", "tool_calls": [], "invalid_tool_calls": [{**CALL, "args": "{"}]}, 1),
        ({"content": "", "additional_kwargs": {"function_call": {"name": "look", "arguments": "{}"}}}, 1),
        ({"content": "Yes.", "tool_calls": None, "additional_kwargs": None}, 0),
    ],
)
def test_a_call_is_counted_once_however_often_it_is_told(members, number, tmp_path):
    """`tool_calls` counts; what a provider sent counts where nothing else tells it."""
    path = tmp_path / "s.json"
    path.write_text(json.dumps([{"type": "human", "content": "Look."}, {"type": "ai", **members}]), encoding="utf-8")

    assert json.loads(condense("check", "--json", path).out)["files"][0]["calls"] == number
    request = json.loads(condense("render", "--as", "openai-chat", path).out)
    assert sum(len(m.get("tool_calls", ())) for m in request["messages"]) == number


def test_a_function_message_answers_by_name(tmp_path):
    """Old messages have no ids: the answer has the name of the function."""
    path = tmp_path / "s.json"
    told = {"content": "", "additional_kwargs": {"function_call": {"name": "look", "arguments": "{}"}}}
    messages = [{"type": "human", "data": {"content": "Look."}}, {"type": "ai", "data": told}, {"type": "human", "data": {"content": "And?"}}]
    path.write_text(json.dumps(messages), encoding="utf-8")

    assert condense("repair", path, "-o", tmp_path / "new.json").code == 0
    assert json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))[2]["data"]["name"] == "look"
    assert condense("repair", "--unanswered", "drop", path, "-o", tmp_path / "less.json").code == 0
    assert len(json.loads((tmp_path / "less.json").read_text(encoding="utf-8"))) == 2


def test_it_is_made_smaller_in_its_own_shape(tmp_path):
    """`compact` writes a file of messages that the library reads."""
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"values": {"messages": [stored(m) for m in MESSAGES]}}), encoding="utf-8")

    assert condense("compact", path, "-o", tmp_path / "new.json", "--now", "1786600000000").code == 0
    checked = json.loads(condense("check", "--json", tmp_path / "new.json").out)["files"][0]
    assert (checked["format"], checked["findings"]) == ("langchain", [])
