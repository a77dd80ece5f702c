"""Records: bytes and values of one file, and the position of a message in its array."""

from __future__ import annotations

import json

from condense_cli.document.memory import BytesInMemory
from condense_cli.document.records import Shape
from condense_cli.formats.read import read_document
from hypothesis import given
from hypothesis import strategies as st


def test_lines_have_no_index_and_keep_their_endings() -> None:
    data = b'{"role":"user","content":"a"}\r\n{"role":"assistant","content":"b"}\r\n'
    document = read_document("x.jsonl", BytesInMemory(data), "openai-chat")
    assert document.shape is Shape.LINES
    assert document.newline == b"\r\n"
    assert [document.index(record) for record in document.records] == [None, None]
    assert b"".join(document.raw(record) for record in document.records) == data


@given(st.lists(st.lists(st.text(max_size=3), min_size=1, max_size=6), min_size=2, max_size=6))
def test_the_index_counts_in_each_conversation(lines: list[list[str]]) -> None:
    data = b"".join(json.dumps({"messages": [{"role": "user", "content": text} for text in texts]}).encode() + b"\n" for texts in lines)
    document = read_document("x.jsonl", BytesInMemory(data), "openai-chat")
    assert document.shape is Shape.CONVERSATIONS
    assert [document.index(record) for record in document.records] == [n for texts in lines for n in range(len(texts))]
    assert [document.value(record)["content"] for record in document.records] == [text for texts in lines for text in texts]
