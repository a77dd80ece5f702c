"""A thread as items of the Responses API."""

import json

from condense_cli.document.views import Block
from condense_cli.model.blocks import ANSWER
from condense_cli.model.messages import Role
from tests.request.test_media import PDF_FILE, pdf
from tests.request.test_request import PNG, SIGNATURE, assistant, call, request, result, text, tool, turn, user

API = "openai-responses"


def items(*said):
    return request(API, *said)[0]["input"]


def test_calls_and_outputs_are_items_of_their_own():
    """What is said, asked and answered stands in its order, each output behind its call, an open call answered."""
    found = items(user(), assistant(text("so"), call("a", "my.tool", {"n": 1}), call("b")), user(text("wait")), tool(result("a", "late")))

    assert found == [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "so"}]},
        {"type": "function_call", "call_id": "a", "name": "my", "arguments": '{"n":1}'},
        {"type": "function_call", "call_id": "b", "name": "bash", "arguments": '{"command":"ls"}'},
        {"type": "function_call_output", "call_id": "a", "output": "late"},
        {"type": "function_call_output", "call_id": "b", "output": ANSWER},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "wait"}]},
    ]


def test_system_and_tools_have_fields_of_their_own():
    """System texts are the instructions; declared tools are flat, and not strict."""
    tools = [{"type": "function", "function": {"name": "bash", "description": "Run.", "parameters": {"type": "object"}}}]
    found, _ = request(API, turn(Role.SYSTEM, text("be brief")), user(), tools=tools, model="gpt-x")

    assert list(found) == ["model", "instructions", "input", "tools"]
    assert found["instructions"] == "be brief"
    assert found["tools"] == [{"type": "function", "name": "bash", "description": "Run.", "parameters": {"type": "object", "properties": {}}, "strict": False}]


def test_ids_are_legal_and_their_own():
    """An id is 64 characters at most, and used once."""
    ids = ["x" * 70, "functions.bash:0", "ok", "ok", None]
    found = items(user(), *(part for ident in ids for part in (assistant(call(ident)), tool(result(ident)))))

    calls = [item["call_id"] for item in found if item["type"] == "function_call"]
    assert calls == ["x" * 64, "functions_bash_0", "ok", "ok_2", "call"]
    assert calls == [item["call_id"] for item in found if item["type"] == "function_call_output"]


def test_reasoning_goes_back_encrypted_to_its_provider_alone():
    """It is carried where an item of its turn follows, in a request that is not stored; else it is left out and named."""
    thought = Block("thinking", "hm", signature=SIGNATURE)
    found, notes = request(API, user(), assistant(thought, call("a"), signer="openai"), tool(result("a")), assistant(text("so"), thought, signer="openai"))

    assert found["input"][1] == {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": SIGNATURE}
    assert found["store"] is False
    assert "left out: 1 × thinking" in notes
    for strange in (assistant(thought, text("so")), assistant(thought._replace(signature=""), text("so"), signer="openai")):
        found, notes = request(API, user(), strange, user())
        assert [item["type"] for item in found["input"]] == ["message"] * 3 and "store" not in found
        assert notes == ("left out: 1 × thinking",)


def test_media_are_carried_in_messages_and_outputs():
    """An output with an image or a document is a list of parts; a failed one loses its mark, which is said."""
    image = Block("image", media_type="image/png", data=PNG)
    shown = Block("result", "seen", "a", inner=(text("seen"), image, pdf()), error=True)
    found, notes = request(API, user(image, Block("image", url="https://x.example/a.png"), pdf(url="https://x.example/a.pdf", data="")), assistant(call("a")), tool(shown))

    assert found["input"][0]["content"] == [
        {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
        {"type": "input_image", "image_url": "https://x.example/a.png"},
        {"type": "input_file", "file_url": "https://x.example/a.pdf"},
    ]
    assert [part["type"] for part in found["input"][2]["output"]] == ["input_text", "input_image", "input_file"]
    assert found["input"][2]["output"][2] == {"type": "input_file", "filename": "report.pdf", "file_data": f"data:application/pdf;base64,{PDF_FILE}"}
    assert notes == ("left out: 1 × mark of a failed result",)
    assert json.dumps(found)
