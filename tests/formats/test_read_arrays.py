"""Reading of arrays: their records are where they are in the file, whichever way they are found."""

from __future__ import annotations

import json

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats import read_arrays
from condense_cli.formats.read import read_document
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import condense, law

TEXT = st.lists(st.sampled_from(['"messages"', '},{"role"', "\\", "\0", "x", "ü"]), max_size=3).map("".join)
MESSAGE = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool"]), "content": TEXT | st.none()})
LINE = st.lists(MESSAGE, max_size=5).flatmap(lambda listed: st.sampled_from([{"messages": listed}, {"id": 1, "messages": listed, "more": {"messages": []}}, {"messages": 5}]))


def facts(data):
    document = read_document("s.jsonl", BytesInMemory(data), "openai-chat")
    records = [(r.line, r.start, r.end, r.kind, r.damaged) for r in document.records]
    return records, [body[:3] for body in document.bodies], [r.start for r in document.damaged], [r.start for r in document.with_nul]


@law(150)
@given(st.lists(LINE, min_size=1, max_size=5), st.sampled_from([b"", b'{"messages":[{"role":"user"', b'{"messages":[{"role":"user","content":"\\ud800"}]}', b"[]", b'{"messages":[],"messages":[{"role":"user","content":"b"}]}']), st.booleans())
def test_conversations_are_read_as_lines_that_are_parsed_first(lines, odd, spaced):
    """The quick way is taken for strict JSON alone, and comes to the same."""
    first = {"messages": [{"role": "user", "content": "a"}, {"role": "tool", "tool_call_id": "t", "content": "b"}]}
    written = [json.dumps(line, ensure_ascii=False, separators=None if spaced else (",", ":")).encode() for line in (first, *lines)]
    data = b"\n".join([*written, odd, written[-1]]) + b"\n"
    quick = facts(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read_arrays, "_sound", lambda *_: None)
        assert facts(data) == quick


def test_an_array_behind_other_members_is_found():
    """Where its key stands once it is not walked over; of a key that stands twice the last one counts."""
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    for value in (messages, {"model": "m", "messages": messages}, {"messages": messages, "metadata": {"messages": [1]}}):
        data = json.dumps(value, indent=1).encode()
        document = read_document("s.json", BytesInMemory(data), "openai-chat")
        assert [json.loads(data[r.start : r.end]) for r in document.records] == messages
    twice = b'{"messages":[{"role":"user","content":"a"}],"messages":[{"role":"user","content":"b"}]}'
    assert [r.start for r in read_document("s.json", BytesInMemory(twice), "openai-chat").records] == [twice.rindex(b'{"role"')]


def test_a_long_array_is_told_by_its_ends():
    """What stands in the middle of thousands of messages is read, and does not say whose the file is."""
    plain = [{"role": "user", "content": "a"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "n", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]}]
    odd = [{"role": "tool", "tool_call_id": "t", "content": "x"}]
    document = read_document("s.json", BytesInMemory(json.dumps(plain * 600 + odd + plain * 600).encode()))
    assert (document.format.name, len(document.records)) == ("anthropic", 3601)


def test_what_hermes_wrote_out_is_checked_and_said_not_to_be_what_it_reads(tmp_path):
    """Its messages are chat; a repair of them reaches nobody."""
    chat = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi."}, {"role": "developer", "content": "Brief."}]
    for name, more in (("hermes", {"session_id": "s", "platform": "cli"}), ("plain", {"session_id": "s"})):
        (tmp_path / name).write_text(json.dumps({**more, "messages": chat}), encoding="utf-8")

    assert "state.db" in condense("repair", tmp_path / "hermes").err + condense("check", tmp_path / "hermes").out.decode()
    assert "state.db" not in condense("repair", tmp_path / "plain").err + condense("check", tmp_path / "plain").out.decode()


def test_a_line_of_conversations_that_cannot_be_read_is_told(tmp_path):
    """A check was green however many of the conversations were torn, or fused with the next one."""
    said = b'{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}, {"role": "user", "content": "x"}]}'
    path = tmp_path / "set.jsonl"
    path.write_bytes(b"\n".join([said, said[:40], said, said + said, b"", said, said[:30]]))

    done = condense("check", str(path))
    assert done.code == 1
    assert b"unreadable-line \xc3\x973 at lines 2, 4, 7" in done.out
    assert condense("repair", str(path), "-o", str(tmp_path / "new.jsonl")).code == 1
    assert (tmp_path / "new.jsonl").read_bytes() == path.read_bytes()


def test_a_file_without_one_whole_conversation_is_refused(tmp_path):
    """It was a bug (exit 70)."""
    said = b'{"values": {"messages": [{"type": "human", "content": "Hi.", "additional_kwargs": {}, "response_metadata": {}}]}}'
    path = tmp_path / "set.jsonl"
    path.write_bytes(said.replace(b'"content"', b'Q "content"') + b"\n" + said + said + b"\n")

    for command in ("check", "render", "repair"):
        assert condense(command, str(path)).code == 3
