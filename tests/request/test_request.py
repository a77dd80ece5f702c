"""Requests: what is carried over, in whose words, and that providers accept it."""

import base64
import importlib.util
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from condense_cli.document.views import Block, Turn
from condense_cli.errors import RefusedError, UnreadableError
from condense_cli.model.blocks import ANSWER, USER_NOTE
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record, Role
from condense_cli.request.build import build, refuse
from condense_cli.request.gather import Said
from hypothesis import given
from hypothesis import strategies as st
from tests import oracle
from tests.strategies import anthropic_array, broken_lists, chat_array, condense, law, pi_file, read_back, session_file

SHARED = Path(__file__).parents[3] / "shared"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 40).decode()
SIGNATURE = "s" * 80
PROOF = {"anthropic": "anthropic", "openai-chat": "chat", "openai-responses": "responses", "gemini": "gemini"}  # the stand-in's name of each API


def text(words):
    return Block("text", words)


def call(ident="c1", name="bash", arguments=None):
    return Block("call", id=ident, name=name, arguments={"command": "ls"} if arguments is None else arguments)


def result(ident="c1", words="done", **more):
    return Block("result", words, ident, inner=(text(words),), **more)


def user(*blocks):
    return turn(Role.USER, *(blocks or (text("go on"),)))


def assistant(*blocks, **more):
    return turn(Role.ASSISTANT, *blocks, **more)


def tool(*blocks):
    return turn(Role.RESULT, *blocks)


def turn(role, *blocks, signer="anthropic", skipped=False):
    return Said(Turn(Record(1, 0, 0), role, blocks, skipped), signer)


def request(target, *said, model="", tools=None):
    built = build("s.jsonl", said, target, model, tools)
    return json.loads(built.data), built.notes


def messages(target, *said):
    return request(target, *said)[0]["messages"]


def test_anthropic_roles_alternate_and_results_come_first():
    """Results of one turn share a user message, in front of what the user says behind them."""
    found = messages("anthropic", user(), assistant(text("so"), call("a"), call("b")), tool(result("b")), tool(result("a")), user(text("and?")))

    assert [m["role"] for m in found] == ["user", "assistant", "user"]
    assert [(b["type"], b.get("tool_use_id")) for b in found[2]["content"]] == [("tool_result", "a"), ("tool_result", "b"), ("text", None)]


def test_chat_results_stand_right_behind_their_calls():
    """A late result is put to its call, an open call gets a marked error, and a stranger goes."""
    found, notes = request("openai-chat", user(), assistant(call("a"), call("b")), user(text("wait")), tool(result("a", "late")), tool(result("q")), user())

    assert [m["role"] for m in found["messages"]] == ["user", "assistant", "tool", "tool", "user", "user"]
    assert [m["content"] for m in found["messages"][2:4]] == ["late", ANSWER]
    assert notes == ("left out: 1 × result without its call", "made up: 1 × answer to an open call")


def test_system_texts_go_where_the_api_has_them():
    """Anthropic has a field for them, chat a first message."""
    said = (turn(Role.SYSTEM, text("be brief")), user(), turn(Role.SYSTEM, text("really")), assistant(text("ok")))

    assert request("anthropic", *said)[0]["system"] == "be brief\n\nreally"
    assert messages("openai-chat", *said)[0] == {"role": "system", "content": "be brief\n\nreally"}


def test_a_request_to_anthropic_begins_with_a_user():
    """A marked note stands in front of an answer that begins the thread."""
    assert messages("anthropic", assistant(text("hello")), user())[0] == {"role": "user", "content": [{"type": "text", "text": USER_NOTE}]}


@pytest.mark.parametrize(("target", "limit"), [("anthropic", 64), ("openai-chat", 40)])
def test_ids_are_made_legal_and_unique_with_their_results(target, limit):
    """An id that is too long, illegal, missing or used before is replaced in call and result; a legal one stays."""
    ids = ["x" * 70, "functions.bash:0", "ok", "ok", None, ""]
    said = [part for ident in ids for part in (assistant(call(ident)), tool(result(ident)))]
    found = messages(target, user(), *said, user())
    if target == "anthropic":
        calls = [b["id"] for m in found for b in m["content"] if b["type"] == "tool_use"]
        answered = [b["tool_use_id"] for m in found for b in m["content"] if b["type"] == "tool_result"]
    else:
        calls = [c["id"] for m in found for c in m.get("tool_calls", [])]
        answered = [m["tool_call_id"] for m in found if m["role"] == "tool"]

    assert calls == answered == ["x" * limit, "functions_bash_0", "ok", "ok_2", "call", "call_2"]


def test_names_and_arguments_are_of_the_right_kind():
    """A name is cut at its first illegal character; what is no object becomes a member of one; chat wants a text."""
    said = (user(), assistant(call("a", "my.tool", '{"n":1}'), call("b", "", "free text"), call("c", "t", None or [])), user())
    blocks = list(messages("anthropic", *said)[1]["content"])
    functions = [c["function"] for c in messages("openai-chat", *said)[1]["tool_calls"]]

    assert [(b["name"], b["input"]) for b in blocks] == [("my", {"n": 1}), ("unknown_tool", {"input": "free text"}), ("t", {})]
    assert [(f["name"], json.loads(f["arguments"])) for f in functions] == [(b["name"], b["input"]) for b in blocks]


def test_thinking_goes_back_whole_or_not_at_all():
    """Only Anthropic gets thinking, only what it signed, and no part of a turn."""
    good, cut = Block("thinking", "hm", signature=SIGNATURE), Block("thinking", "hm", signature="short")

    def kinds(said, target="anthropic"):
        return [b["type"] for b in messages(target, user(), said, user())[1]["content"]]

    assert kinds(assistant(good, text("a"))) == ["thinking", "text"]
    assert kinds(assistant(good, cut, text("a"))) == ["text"]
    assert kinds(assistant(good, text("a"), signer="")) == ["text"]
    assert kinds(assistant(text("a"), good)) == ["text"]  # an answer may not end in it
    assert messages("openai-chat", user(), assistant(good, text("a")))[1] == {"role": "assistant", "content": "a"}


def test_images_are_carried_or_named():
    """An image is carried with the type that its bytes have; one that cannot be one becomes a note."""
    said = user(Block("image", media_type="image/jpeg", data=PNG), Block("image", media_type="image/png", data="AAAA"), Block("image", url="https://x.example/a.png"))
    content = messages("anthropic", said)[0]["content"]
    parts, notes = request("openai-chat", said)

    assert content[0]["source"] == {"type": "base64", "media_type": "image/png", "data": PNG}
    assert content[1] == {"type": "text", "text": "[image removed: image/png, the bytes are no image]"}
    assert content[2]["source"] == {"type": "url", "url": "https://x.example/a.png"}
    assert [p["type"] for p in parts["messages"][0]["content"]] == ["image_url", "text", "image_url"]
    assert parts["messages"][0]["content"][0]["image_url"]["url"] == f"data:image/png;base64,{PNG}"
    assert notes == ("left out: 1 × image",)


def test_images_of_results_do_not_come_between_results():
    """Chat gets them in a user message behind the whole run; Anthropic in the result, unless it failed."""
    image = Block("image", media_type="image/png", data=PNG)
    shown = Block("result", "seen", "a", inner=(text("seen"), image))
    said = (user(), assistant(call("a"), call("b")), tool(shown), tool(result("b")), user())

    assert [m["role"] for m in messages("openai-chat", *said)] == ["user", "assistant", "tool", "tool", "user", "user"]
    assert [b["type"] for b in messages("anthropic", *said)[2]["content"][0]["content"]] == ["text", "image"]
    failed = (user(), assistant(call("a")), tool(shown._replace(error=True)), user())
    assert [b["type"] for b in messages("anthropic", *failed)[2]["content"]] == ["tool_result", "image", "text"]


def test_what_stands_behind_a_result_in_one_turn_is_said_later():
    """A turn that holds results, too, is taken apart so that each result follows its call."""
    found = messages("openai-chat", user(), assistant(call("a"), result("a"), text("next"), call("b"), result("b"), text("done")))

    assert [m["role"] for m in found] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]


def test_failed_turns_and_blank_texts_are_left_out():
    """What the client does not send is not carried, nor are texts of white space; NUL becomes U+FFFD."""
    found = messages("anthropic", user(text(" "), text("a\0b")), assistant(text("half"), call("a"), skipped=True), tool(result("a")), assistant(text("\n"), text("yes \n")))

    assert found == [
        {"role": "user", "content": [{"type": "text", "text": "a\ufffdb"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "yes"}]},
    ]


def test_nothing_to_say_is_an_error():
    """A thread without messages makes no request."""
    with pytest.raises(UnreadableError):
        build("s.jsonl", [turn(Role.SYSTEM, text("be brief"))], "openai-chat")


def test_a_request_that_breaks_its_contract_is_refused():
    """What the check finds stops the request, with the rules that it breaks."""
    with pytest.raises(RefusedError, match="anthropic: orphan-result"):
        refuse("s.jsonl", "anthropic", [Finding("orphan-result", 1, Record(1, 0, 0))])


def test_the_model_is_named_where_it_is_known():
    """A request names the model that it is told."""
    assert request("anthropic", user(), model="claude-x")[0] == {"model": "claude-x", "messages": [{"role": "user", "content": [{"type": "text", "text": "go on"}]}]}


# ---------------------------------------------------------------------- from the command line


@law(60)
@given(broken_lists(odd_ids=True), st.sampled_from([pi_file, chat_array, anthropic_array]), st.sampled_from(["anthropic", "openai-chat"]))
def test_whatever_is_broken_the_request_is_accepted(given_list, write, target):
    """An independent checker of the API finds nothing to refuse in a request from any list, of any format."""
    with session_file(write(given_list), "s.jsonl" if write is pi_file else "s.json") as path:
        outcome = condense("render", "--as", target, path)

    assert outcome.code == 0, outcome.err
    found, _ = read_back(json.loads(outcome.out)["messages"])
    assert oracle.accepted(found, target) == []
    ids = Counter(ident for message in found if message[0] == "call" for ident in message[1])
    assert all(number == 1 for number in ids.values())


def calls_of_items(request):
    """Yield (calls, answers) as Responses pairs them: all of the list, by call_id."""
    items = request["input"]
    yield [i["call_id"] for i in items if i["type"] == "function_call"], [i["call_id"] for i in items if i["type"] == "function_call_output"]


def calls_of_contents(request):
    """Yield (calls, answers) of each turn as Gemini pairs them: by name and order, with the content right behind."""
    rows = [[[part[key]["name"] for part in content["parts"] if key in part] for key in ("functionCall", "functionResponse")] for content in request["contents"]]
    assert all(content["parts"] and content["role"] in {"user", "model"} for content in request["contents"])
    assert request["contents"][0]["role"] == "user" and not rows[0][1]
    for (calls, _), (_, answers) in pairwise([*rows, ([], [])]):
        yield calls, answers


def calls_of_converse(request):
    """Yield (calls, answers) of each turn as Bedrock pairs them: by id, with the message right behind; roles alternate."""
    messages = request["messages"]
    assert [m["role"] for m in messages] == [("user", "assistant")[n % 2] for n in range(len(messages))]
    rows = [[[block[key]["toolUseId"] for block in m["content"] if key in block] for key in ("toolUse", "toolResult")] for m in messages]
    assert not rows[0][1]
    for (calls, _), (_, answers) in pairwise([*rows, ([], [])]):
        yield calls, answers


PAIRS = {"openai-responses": calls_of_items, "gemini": calls_of_contents, "bedrock": calls_of_converse}


@law(60)
@given(broken_lists(odd_ids=True), st.sampled_from([pi_file, chat_array, anthropic_array]), st.sampled_from(sorted(PAIRS)))
def test_whatever_is_broken_every_call_has_its_answer_where_the_api_looks_for_it(given_list, write, target):
    """As many answers as calls, of the same ids or names, in the place that each API pairs; an id is used once."""
    with session_file(write(given_list), "s.jsonl" if write is pi_file else "s.json") as path:
        outcome = condense("render", "--as", target, path)

    assert outcome.code == 0, outcome.err
    ids = Counter()
    for calls, answers in PAIRS[target](json.loads(outcome.out)):
        assert calls == answers if target == "gemini" else Counter(calls) == Counter(answers)
        ids.update(calls if target != "gemini" else ())
    assert all(number == 1 and len(ident) <= 64 and ident for ident, number in ids.items())


def test_it_is_written_to_a_file_or_to_a_pipe(tmp_path):
    """-o holds the same bytes as standard output, and notes go to standard error."""
    with session_file(pi_file(oracle.notation("U A(x) U")), "s.jsonl") as path:
        piped = condense("render", "--as", "openai-chat", path)
        written = condense("render", "--as", "openai-chat", "-o", tmp_path / "r.json", path)

    assert (tmp_path / "r.json").read_bytes() == piped.out and written.out == b""
    assert piped.err == "condense: made up: 1 × answer to an open call\n"


def test_other_views_are_no_request():
    """--as is about what is rendered: another view or shape beside it is a contradiction."""
    with session_file(pi_file(oracle.notation("U T")), "s.jsonl") as path:
        assert condense("render", "--as", "anthropic", "--view", "stored", path).code == 2
        assert condense("render", "--as", "anthropic", "--output-format", "text", path).code == 2


def recorded():
    """Real sessions and sessions of the lab, as far as they are here."""
    found = [*SHARED.glob("real/*/*.json*"), *SHARED.glob("lab/cases/*/*.json*")]
    # An OpenCode export that is cut off is no session: that client reads it as a whole or not at all.
    return sorted(p for p in found if p.parent.name != "lookalike" and p != SHARED / "lab/cases/opencode/torn-end.json")


@pytest.fixture(scope="module")
def provider():
    spec = importlib.util.spec_from_file_location("mock_provider", SHARED / "lab" / "mock_provider.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not (SHARED / "lab" / "mock_provider.py").exists(), reason="the recorded sessions are not here")
@pytest.mark.parametrize("target", PROOF)
def test_recorded_sessions_make_accepted_requests(provider, target):
    """A strict stand-in of the provider answers 200 to the request of every recorded session, sound or broken."""
    paths = recorded()
    assert paths
    for path in paths:
        outcome = condense("render", "--as", target, path)
        assert outcome.code == 0, (path, outcome.err)
        _, broken = provider.check_request(PROOF[target], outcome.out)
        assert broken == [], path
