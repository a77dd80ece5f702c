"""The quick look at a conversation: what passes it is what the check finds nothing in."""

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.document.records import Passed
from condense_cli.formats.openai_chat.sound import quick_look
from condense_cli.formats.read import read_document
from hypothesis import given
from hypothesis import strategies as st
from tests.dataset.rows import BASH, asks, call, chat, result
from tests.strategies import broken_lists, chat_array, law

FIRST = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}
WHOLE = chat(asks(call("c1"), call("c2")), result("c2"), result("c1"), {"role": "assistant", "content": "Done."})


def as_file(rows):
    """Rows as a file with one on each line, in bytes."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows)


def reports(data, contracts=()):
    """What a check says of a file that was read in whole, and of one that was read with the quick look; and its document."""
    found = []
    for judged_by in (None, contracts):
        document = read_document("s.jsonl", BytesInMemory(data), "openai-chat", judged_by=judged_by)
        report = check(document, contracts or ["openai-chat"])
        found.append(report._replace(findings=tuple(f._replace(record=f.record.start, cause=None) for f in report.findings)))
    return *found, document


@law(60)
@given(st.lists(broken_lists(odd_ids=True), min_size=1, max_size=4), st.sampled_from([(), ("training",), ("openai-chat", "training"), ("anthropic",)]))
def test_a_check_with_the_quick_look_says_the_same(conversations, contracts):
    """Counts, findings and their places, whatever stands around what passes."""
    rows = [FIRST, *({"messages": json.loads(chat_array(one))} for one in conversations), WHOLE, json.loads(chat_array(conversations[0]))]

    whole, quick, _ = reports(as_file(rows), contracts)

    assert quick == whole


def changed(**fields):
    """A whole conversation whose message with calls has other fields."""
    return [{**turn, **fields} if "tool_calls" in turn else turn for turn in WHOLE]


ODD = {
    "a call by name": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y", "function_call": {"name": "ls", "arguments": "{}"}}],
    "another client's words": changed(content="x", toolInvocations=[]),
    "others' key in the place of a content": [{k: v for k, v in turn.items() if k != "content"} for turn in changed(parts=[])],
    "reasoning once": [{**WHOLE[0], "reasoning_content": "hm"}, *WHOLE[1:]],
    "a blank part": changed(content=[{"type": "text", "text": " "}, {"type": "text", "text": "x"}]),
    "an image": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]}, *WHOLE[1:]],
    "no calls": changed(tool_calls=[]),
    "a role that is no text": [{"role": ["user"], "content": "x"}, *WHOLE[1:]],
    "no message": [5, *WHOLE],
    "a result of nothing": [*WHOLE, {**result("c1"), "content": None}],
    "an id used again": [*WHOLE, *WHOLE],
    "a long id": chat(asks(call("c" * 41)), result("c" * 41)),
    "a bad name": chat(asks(call("c1", "ls -l")), result("c1")),
    "arguments that are no text": chat(asks(call("c1", arguments={"a": 1})), result("c1")),
    "a custom call": chat(asks({**call("c1"), "type": "custom"}), result("c1")),
    "U+0000": [{"role": "user", "content": "a\0b"}, *WHOLE[1:]],
    "nothing": [],
}


@pytest.mark.parametrize("turns", ODD.values(), ids=ODD)
def test_what_may_be_wrong_is_left_to_the_check(turns):
    """Nothing passes that has anything the check would look at; what it then says is the same."""
    data = as_file([FIRST, {"messages": turns}])

    whole, quick, document = reports(data)

    assert document.passed == Passed()
    assert quick == whole


def test_what_passes_leaves_no_records():
    """The first conversation stands for the file; of the others only what has to be looked at is kept."""
    broken = {"messages": chat(asks(call("c1")))}

    whole, quick, document = reports(as_file([FIRST, WHOLE, {"messages": WHOLE}, broken, WHOLE, b"{", WHOLE]))

    assert document.passed == Passed(4, 4 * len(WHOLE), 8, 8)
    assert len(document.records) == len(FIRST["messages"]) + len(broken["messages"])
    assert quick == whole
    assert (whole.threads, [f.line for f in quick.findings]) == (6, [4, 6])


def test_other_contracts_get_the_whole_check():
    """Anthropic minds what the quick look does not; declared tools matter to `training` alone."""
    row = {"messages": WHOLE, "tools": [BASH]}

    assert quick_look(("anthropic",)) is None
    assert quick_look(("training",))(b"", row) is None
    assert quick_look(())(b"", row) == Passed(1, len(WHOLE), 2, 2)
    assert quick_look(())(b" " * (1 << 20) + b"x", row) is None
