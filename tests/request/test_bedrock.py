"""A thread in the words of Bedrock Converse."""

from condense_cli.document.views import Block
from condense_cli.model.blocks import USER_NOTE
from condense_cli.model.messages import Role
from condense_cli.request.bedrock import NO_OUTPUT, WITH_DOCUMENT
from tests.request.test_media import PDF_FILE, pdf
from tests.request.test_request import PNG, SIGNATURE, assistant, call, request, result, text, tool, turn, user

API = "bedrock"


def messages(*said):
    return request(API, *said)[0]["messages"]


def test_roles_alternate_and_results_come_first():
    """Results of one turn share a user message, in front of what the user says behind them."""
    found = messages(user(), assistant(call("a"), text("so"), call("b")), tool(result("b")), tool(result("a", error=True)), user(text("and?")))

    assert [m["role"] for m in found] == ["user", "assistant", "user"]
    assert [next(iter(block)) for block in found[1]["content"]] == ["text", "toolUse", "toolUse"]
    assert found[2]["content"] == [
        {"toolResult": {"toolUseId": "a", "content": [{"text": "done"}], "status": "error"}},
        {"toolResult": {"toolUseId": "b", "content": [{"text": "done"}], "status": "success"}},
        {"text": "and?"},
    ]


def test_a_user_begins_and_an_answer_ends_in_a_word():
    """A marked note stands in front of an answer that begins the thread; the last one ends in no white space."""
    found, notes = request(API, assistant(text("hello")), user(), assistant(text("yes \n")))

    assert found["messages"][0] == {"role": "user", "content": [{"text": USER_NOTE}]}
    assert found["messages"][-1]["content"] == [{"text": "yes"}]
    assert notes[-1] == "the request ends with an answer of the assistant, which some models refuse"


def test_no_result_is_empty():
    """An empty output, which is refused, is a note, which is said."""
    found, notes = request(API, user(), assistant(call("a")), tool(result("a", "  ")))

    assert found["messages"][2]["content"][0]["toolResult"]["content"] == [{"text": NO_OUTPUT}]
    assert "1 × note for an empty result" in notes[0]


def test_tools_are_declared_wherever_one_is_called():
    """By what the session declares, else by their names alone, which is said; without calls there is none."""
    said = (user(), assistant(call("a", "my.tool"), call("b", "my.tool")), tool(result("a")), tool(result("b")))
    bare, notes = request(API, *said)
    told, _ = request(API, *said, tools=[{"name": "my.tool", "description": "Do.", "input_schema": {"type": "object", "properties": {"n": {}}}}])

    assert bare["toolConfig"] == {"tools": [{"toolSpec": {"name": "my", "inputSchema": {"json": {"type": "object", "properties": {}}}}}]}
    assert notes == ("made up: 1 × declaration of a tool",)
    assert told["toolConfig"]["tools"][0]["toolSpec"] == {"name": "my", "description": "Do.", "inputSchema": {"json": {"type": "object", "properties": {"n": {}}}}}
    assert "toolConfig" not in request(API, user())[0]


def test_system_and_model_are_where_the_api_has_them():
    """System texts are blocks, and the model is `modelId`."""
    found, _ = request(API, turn(Role.SYSTEM, text("be brief")), user(), model="claude-x")

    assert (found["modelId"], found["system"]) == ("claude-x", [{"text": "be brief"}])


def test_thinking_goes_back_whole_or_not_at_all():
    """Only what Anthropic's models signed, in whole turns, and never at the end of an answer."""
    good = Block("thinking", "hm", signature=SIGNATURE)

    def kinds(said):
        return [next(iter(block)) for block in messages(user(), said, user())[1]["content"]]

    assert kinds(assistant(good, text("a"))) == ["reasoningContent", "text"]
    assert kinds(assistant(good, good._replace(signature=""), text("a"))) == ["text"]
    assert kinds(assistant(good, text("a"), signer="google")) == ["text"]
    assert kinds(assistant(text("a"), good)) == ["text"]


def test_media_are_carried_or_named():
    """Bytes alone: an address is a note. A document has a name of its own, and a text beside it."""
    image = Block("image", media_type="image/jpeg", data=PNG)
    found, notes = request(API, user(image, Block("image", url="https://x.example/a.png")), assistant(text("a")), user(pdf(), pdf()))

    assert found["messages"][0]["content"] == [
        {"image": {"format": "png", "source": {"bytes": PNG}}},
        {"text": "[image removed: unknown type, an address, which this API does not take]"},
    ]
    assert found["messages"][2]["content"] == [
        {"document": {"format": "pdf", "name": "document-1", "source": {"bytes": PDF_FILE}}},
        {"document": {"format": "pdf", "name": "document-2", "source": {"bytes": PDF_FILE}}},
        {"text": WITH_DOCUMENT},
    ]
    assert notes == ("left out: 1 × image", "made up: 1 × text beside a document")


def test_a_failed_result_holds_texts_only():
    """Its images follow the results."""
    image = Block("image", media_type="image/png", data=PNG)
    shown = Block("result", "", "a", inner=(image,), error=True)
    content = messages(user(), assistant(call("a"), call("b")), tool(shown), tool(result("b")))[2]["content"]

    assert [next(iter(block)) for block in content] == ["toolResult", "toolResult", "image"]
    assert content[0]["toolResult"]["content"] == [{"text": NO_OUTPUT}]
