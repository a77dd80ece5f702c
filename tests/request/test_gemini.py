"""A thread as contents of the Gemini API."""

from condense_cli.document.views import Block
from condense_cli.model.blocks import ANSWER, USER_NOTE
from condense_cli.model.messages import Role
from condense_cli.request.gemini import UNSIGNED
from condense_cli.request.media import OF_RESULTS
from tests.request.test_media import PDF_FILE, pdf
from tests.request.test_request import PNG, SIGNATURE, assistant, call, request, result, text, tool, turn, user

API = "gemini"
GIF = "R0lGODlhAQABAAAAACw="


def contents(*said):
    return request(API, *said)[0]["contents"]


def test_responses_stand_alone_behind_their_calls_in_their_order():
    """No ids: as many responses as calls, by name and order, in one content; what the user says is another."""
    found = contents(user(), assistant(text("so"), call("b", "two", {"n": 1}), call("a", "one")), tool(result("a", "1")), user(text("and?")), assistant(text("ok")), user())

    assert [content["role"] for content in found] == ["user", "model", "user", "user", "model", "user"]
    assert found[1]["parts"] == [
        {"text": "so"},
        {"functionCall": {"name": "two", "args": {"n": 1}}},
        {"functionCall": {"name": "one", "args": {"command": "ls"}}},
    ]
    assert found[2]["parts"] == [
        {"functionResponse": {"name": "two", "response": {"error": ANSWER}}},
        {"functionResponse": {"name": "one", "response": {"output": "1"}}},
    ]


def test_neighbours_of_one_role_are_joined_and_a_user_begins():
    """A call comes right after the user: an answer before it is in the same content."""
    found, notes = request(API, assistant(text("hello")), assistant(call("a")), tool(result("a")), user(text("x")), user(text("y")))

    assert [[next(iter(part)) for part in content["parts"]] for content in found["contents"]] == [["text"], ["text", "functionCall"], ["functionResponse"], ["text", "text"]]
    assert found["contents"][0] == {"role": "user", "parts": [{"text": USER_NOTE}]}
    assert notes == ("made up: 1 × user note at the beginning",)


def test_a_name_begins_with_a_letter():
    """Call, response and declaration have the same legal name."""
    found, _ = request(API, user(), assistant(call("a", "7zip")), tool(result("a")), user(), tools=[{"name": "7zip", "input_schema": {"type": "object"}}])

    assert found["contents"][1]["parts"][0]["functionCall"]["name"] == "_7zip"
    assert found["contents"][2]["parts"][0]["functionResponse"]["name"] == "_7zip"
    assert found["tools"] == [{"functionDeclarations": [{"name": "_7zip", "parametersJsonSchema": {"type": "object", "properties": {}}}]}]


def test_system_texts_have_a_field_of_their_own():
    """They are the system instruction."""
    assert request(API, turn(Role.SYSTEM, text("be brief")), user())[0]["systemInstruction"] == {"parts": [{"text": "be brief"}]}


def test_signatures_go_back_to_their_maker_and_the_current_turn_has_some():
    """Gemini's own are carried; the first call of each later step has the documented mark; thoughts are left out."""
    signed, thought = call("a")._replace(signature=SIGNATURE), Block("thinking", "hm")
    said = (user(), assistant(thought, signed, signer="google"), tool(result("a")), user())
    found, notes = request(API, *said, assistant(call("b"), call("c")), tool(result("b")), tool(result("c")), assistant(call("d")), tool(result("d")))
    calls = [part for content in found["contents"] for part in content["parts"] if "functionCall" in part]

    assert [part.get("thoughtSignature") for part in calls] == [SIGNATURE, UNSIGNED, None, UNSIGNED]
    assert notes == ("left out: 1 × thinking", "made up: 2 × mark in the place of a thought signature")
    blank = contents(user(), assistant(call("a")), tool(result("a")), user(text(" ")))  # it is not sent, and begins no turn
    assert blank[1]["parts"][0]["thoughtSignature"] == UNSIGNED
    strange = contents(user(), assistant(signed), tool(result("a")), user())
    assert "thoughtSignature" not in strange[1]["parts"][0]


def test_media_are_carried_or_named():
    """Images and PDFs are data or files; a GIF, which this API takes from nobody, is a note."""
    image = Block("image", media_type="image/png", data=PNG)
    web = Block("image", url="https://x.example/a.webp?size=1")
    found, notes = request(API, user(image, web, Block("image", url="https://x.example/a"), Block("image", media_type="image/gif", data=GIF), Block("image", media_type="image/heic", data="AAAA"), pdf()))

    assert found["contents"][0]["parts"] == [
        {"inlineData": {"mimeType": "image/png", "data": PNG}},
        {"fileData": {"mimeType": "image/webp", "fileUri": "https://x.example/a.webp?size=1"}},
        {"text": "[image removed: unknown type, an address that does not say its type]"},
        {"text": "[image removed: image/gif, this API takes none]"},
        {"inlineData": {"mimeType": "image/heic", "data": "AAAA"}},
        {"inlineData": {"mimeType": "application/pdf", "data": PDF_FILE}},
    ]
    assert notes == ("left out: 2 × image",)


def test_images_of_results_have_a_content_of_their_own():
    """Nothing stands between responses, or beside them."""
    shown = Block("result", "seen", "a", inner=(text("seen"), Block("image", media_type="image/png", data=PNG)))
    found = contents(user(), assistant(call("a"), call("b")), tool(shown), tool(result("b")), user())

    assert [next(iter(part)) for part in found[2]["parts"]] == ["functionResponse"] * 2
    assert found[3]["parts"][0] == {"text": OF_RESULTS} and "inlineData" in found[3]["parts"][1]
