"""Files of other agents and APIs: none of them is edited, and none is called clean, whatever --format says."""

import json

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.errors import UnreadableError
from condense_cli.formats import BY_NAME
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan

ASK = "Is there tea?"
T = "2026-10-12T08:00:00.000Z"


def lines(*values):
    """A file of lines."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def whole(value):
    """A file that is one JSON document."""
    return json.dumps(value, indent=1).encode() + b"\n"


def entry(ident, parent, message):
    """An entry of pi's shape."""
    return {"type": "message", "id": ident, "parentId": parent, "timestamp": T, "message": message}


PI = {"type": "session", "version": 3, "id": "s", "timestamp": T, "cwd": "/srv"}
USE = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
DONE = {"type": "tool_result", "tool_use_id": "c1", "content": "4"}
CHAT = [
    {"role": "user", "content": ASK},
    {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "c1", "content": "4"},
]

# name: (what the message names, the file when all is well, the same with a call that nothing answers or an answer without its call)
SHAPES = {
    "ai-sdk-mixed": ("AI SDK", *(whole([{"role": "user", "content": ASK}, {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "look", "input": {}}]}, *rest]) for rest in ([{"role": "tool", "tool_call_id": "c", "content": "4"}], [{"role": "user", "parts": [{"text": ASK}]}]))),
    "responses-mixed": ("Responses", *(whole([{"role": "user", "content": ASK}, {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}, {"role": role, "parts": [{"text": ASK}]}]) for role in ("user", "model"))),
    "gemini-contents-mixed": ("Bedrock|Gemini", *(whole([{"role": "user", "parts": [{"text": ASK}]}, {"role": "assistant", "content": [{"toolUse": {}}]}, {"role": role, "parts": []}]) for role in ("user", "model"))),
    "gemini-contents-too-few": ("Gemini", *(whole([{"role": "user", "parts": [{"text": text}]}]) for text in (ASK, "Well?"))),
    "gemini-checkpoint": ("Gemini", *(whole({"history": [{"role": "user", "parts": [{"text": text}]}], "clientHistory": []}) for text in (ASK, "Well?"))),
    "gemini-stream": ("gemini", *(
        lines({"type": "init", "session_id": "s"}, {"type": "message", "role": "user", "content": ASK}, {"type": "tool_use", "tool_name": "look", "tool_id": "t", "parameters": {}}, *rest)
        for rest in ([{"type": "tool_result", "tool_id": "t", "status": "success"}], [])
    )),
    "droid-store": ("Droid", *(
        lines({"type": "session_start", "id": "d"}, entry("a", "d", {"role": "user", "content": ASK}), entry("b", "a", {"role": "assistant", "content": [USE]}), *rest)
        for rest in ([entry("c", "b", {"role": "user", "content": [DONE]})], [])
    )),
    "droid-stream": ("Droid|droid", *(
        lines({"type": "message", "session_id": "s", "role": "user", "text": ASK}, {"type": "tool_call", "session_id": "s", "toolCallId": "c", "parameters": {}}, *rest)
        for rest in ([{"type": "tool_result", "session_id": "s", "toolCallId": "c", "value": {}}], [])
    )),
    "cursor": ("Cursor", *(
        lines({"role": "user", "message": {"content": [{"type": "text", "text": text}]}}, {"role": "assistant", "message": {"content": [{"type": "tool_use", "name": "look", "input": {}}]}}) for text in (ASK, "")
    )),
    "amp": ("Amp", *(whole({"id": "T-1", "messages": [{"role": "user", "text": ASK}, {"role": "assistant", "content": [block]}]}) for block in ({"type": "text", "text": "Yes."}, USE))),
    "amp-blocks": ("Amp", *(whole({"v": 1, "messages": [{"role": "assistant", "content": [{**USE, "complete": True}]}, *rest]}) for rest in ([{"role": "user", "content": [DONE]}], []))),
    "command-code": ("Command Code", *(
        lines(PI, entry("a", None, {"role": "user", "content": ASK, "meta": {"source": "user"}}), entry("b", "a", {"role": "assistant", "content": [USE], "meta": {"source": "model"}}), *rest)
        for rest in ([entry("c", "b", {"role": "user", "content": [DONE], "meta": {"source": "tool"}})], [])
    )),
    "pi-with-other-blocks": ("blocks of another API", *(
        lines(PI, entry("a", None, {"role": "user", "content": ASK}), entry("b", "a", {"role": "assistant", "content": [USE]}), *rest) for rest in ([entry("c", "b", {"role": "user", "content": [DONE]})], [])
    )),
    "hub-trace": ("Hugging Face", *(lines({"type": "session", "harness": "h", "id": "s"}, *({"type": "message", "message": message} for message in messages)) for messages in (CHAT, CHAT[:2]))),
    "goose": ("Goose", *(
        lines({"role": "user", "created": 1, "content": [{"type": "text", "text": ASK}]}, {"role": "assistant", "created": 2, "content": [{"type": "toolRequest", "id": "t", "toolCall": {"status": "success", "value": {"name": "look"}}}]}, *rest)
        for rest in ([{"role": "user", "created": 3, "content": [{"type": "toolResponse", "id": "t", "toolResult": {}}]}], [])
    )),
    "goose-header": ("Goose", *(lines({"working_dir": "/srv", "message_count": 1}, {"role": "user", "created": 1, "content": content}) for content in ([{"type": "text", "text": ASK}], []))),
    "langchain-stream": ("LangChain", *(whole([{"type": "human", "content": ASK, "additional_kwargs": {}}, {"type": "AIMessageChunk", "content": text, "additional_kwargs": {}, "tool_call_chunks": []}]) for text in ("Yes.", ""))),
    "langchain-mixed": ("LangChain", *(whole([{"type": "ai", "content": text, "additional_kwargs": {}, "tool_calls": []}, {"role": "user", "content": ASK}]) for text in ("Yes.", ""))),
    "langchain-prompt": ("LangChain", *(whole([{"lc": 1, "type": "constructor", "id": ["langchain", "prompts", "chat", name], "kwargs": {"messages": []}}]) for name in ("ChatPromptTemplate", "MessagesPlaceholder"))),
    "opencode-record": ("OpenCode", whole({"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {"created": 1}}), lines({"id": "prt_1", "sessionID": "ses_1", "messageID": "msg_1", "type": "tool", "callID": "c"})),
    "opencode-run": ("opencode run", *(lines({"type": kind, "timestamp": 1, "sessionID": "ses_1", "part": {}}) for kind in ("step_start", "tool_use"))),
    "codex-exec": ("codex exec", *(lines({"type": "thread.started", "thread_id": "t"}, {"type": kind, "item": {"id": "i"}}) for kind in ("item.completed", "item.started"))),
    "claude-stream": ("stream-json", *(lines({"type": "system", "subtype": "init", "session_id": "s"}, {"type": "assistant", "session_id": "s", "message": {"role": "assistant", "content": [block]}}) for block in ({"type": "text", "text": "Yes."}, USE))),
    "pi-stream": ("pi --mode json", *(lines({"type": "agent_start"}, {"type": kind, "message": CHAT[0]}) for kind in ("message_end", "message_start"))),
    "claude-no-uuid": ("uuid", *(lines({"type": "user", "sessionId": "s", "message": {"role": "user", "content": ASK}}, {"type": "assistant", "sessionId": "s", "message": {"role": "assistant", "content": [block]}}) for block in ({"type": "text", "text": "Yes."}, USE))),
    "copilot-stream": ("copilot", *(lines({"type": "assistant.turn_start", "id": "1", "parentId": None, "timestamp": T, "data": {}}, {"type": kind, "id": "2", "parentId": "1", "timestamp": T, "ephemeral": True, "data": {}}) for kind in ("assistant.message_delta", "model.call_start"))),
    "copilot-vscode": ("Copilot in VS Code", *(lines({"type": "session.start", "id": "1", "parentId": None, "timestamp": T, "data": {"producer": "copilot-agent", "vscodeVersion": "1.110", "copilotVersion": v}}) for v in ("0.40", "0.41"))),
    "copilot-chat": ("Copilot in VS Code", *(whole({"requesterUsername": "me", "requests": requests}) for requests in ([], [{"message": {}}]))),
    "copilot-chat-journal": ("Copilot in VS Code", *(lines({"kind": 0, "v": {"requests": []}}, {"kind": kind, "k": ["requests"], "v": []}) for kind in (1, 2))),
    "kimi-wire": ("wire log", *(lines({"type": "metadata", "protocol_version": "1.4"}, {"type": kind, "timestamp": 1.0}) for kind in ("turn.end", "turn.begin"))),
    "dsh": ("dsh", *(lines({"type": "session", "version": 0, "id": "s"}, {"type": kind, "seq": 1}) for kind in ("turn/end", "turn/start"))),
    "antigravity": ("Antigravity", *(lines({"step_index": 1, "source": "USER", "type": "USER_INPUT", "status": status}) for status in ("DONE", "RUNNING"))),
    "grok": ("Grok", *(lines({"type": "user", "content": text, "prompt_index": 0}) for text in (ASK, ""))),
    "kiro": ("Kiro", *(lines({"version": "v1", "kind": kind, "data": {}}) for kind in ("Prompt", "ToolResults"))),
    "openhands": ("OpenHands", *(lines({"kind": kind, "id": "e", "timestamp": T, "source": "agent", "tool_call_id": "c"}) for kind in ("MessageEvent", "ActionEvent"))),
    "openhands-v0": ("OpenHands", *(whole([{"id": 1, "timestamp": T, "source": "agent", "message": "", "action": action, "args": {}}]) for action in ("message", "run"))),
    "atif": ("ATIF", *(whole({"schema_version": "ATIF-v1.4", "agent": {"name": "a"}, "steps": [{"step_id": n, "source": "user", "message": ASK}]}) for n in (1, 7))),
    "swe-agent": ("SWE-agent", *(whole({"trajectory": [{"action": "ls", "observation": text}], "history": [], "info": {}}) for text in ("4", ""))),
    "tau": ("tau-bench", *(whole({"task_id": 1, "reward": 1.0, "traj": messages}) for messages in (CHAT, CHAT[:2]))),
    "sharegpt": ("ShareGPT", *(lines({"conversations": [{"from": who, "value": ASK}]}) for who in ("human", "observation"))),
    "aider": ("aider", b"# aider chat started at 2026-10-12\n\n#### hello\n", b"# aider chat started at 2026-10-12\n"),
    "sqlite": ("SQLite", b"SQLite format 3\0" + b"\0" * 84, b"SQLite format 3\0\x10\0"),
    "gzip": ("gzip", b"\x1f\x8b\x08\0\0\0\0\0", b"\x1f\x8b\x08"),
}
FILES = [pytest.param(said, data, id=f"{name}-{how}") for name, (said, *both) in SHAPES.items() for how, data in zip(("sound", "broken"), both, strict=True)]
FORCED = sorted(BY_NAME)


def test_there_are_enough_shapes():
    """At least thirty, each twice."""
    assert len(SHAPES) >= 30


@pytest.mark.parametrize(("said", "data"), FILES)
def test_it_is_named_and_refused(said, data):
    """Nobody reads it as a session: the error names what it is."""
    with pytest.raises(UnreadableError) as refused:
        read_document("s.jsonl", BytesInMemory(data))

    assert any(name in str(refused.value) for name in said.split("|")), refused.value


@pytest.mark.parametrize(("said", "data"), FILES)
@pytest.mark.parametrize("name", FORCED)
def test_no_byte_is_edited_when_a_format_is_forced(said, data, name):
    """With --format it is refused, or read without an edit: a repair is refused, or changes nothing."""
    try:
        document = read_document("s.jsonl", BytesInMemory(data), name)
    except UnreadableError:
        return
    if document.refusal() is not None:
        return
    plan = make_plan(document, Choice())
    assert b"".join(apply(plan.segments, document.source)) == data, plan.edits


@pytest.mark.parametrize("name", ["anthropic", "openai-chat"])
def test_one_message_in_other_words_keeps_the_file_as_it_is(name):
    """A list of which one message was not understood is checked, says so, and is not repaired."""
    data = whole([{"role": "user", "content": ""}, {"role": "assistant", "parts": [{"type": "text", "text": "Yes."}]}])
    document = read_document("s.json", BytesInMemory(data), name)

    assert document.refusal() is not None
    assert "1 in all" in document.notice()
    assert [record.message is None for record in document.records] == [False, True]


def test_a_header_alone_is_an_empty_session():
    """Bookkeeping that a format knows is no message that was not understood."""
    assert read_document("s.jsonl", BytesInMemory(lines(PI)), "auto").format.name == "pi"
    title = lines({"type": "custom-title", "customTitle": "x", "sessionId": "s"})
    assert read_document("s.jsonl", BytesInMemory(title)).format.name == "claude-code"
