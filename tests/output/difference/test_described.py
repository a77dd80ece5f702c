"""A changed record in words."""

from __future__ import annotations

import json

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.output.difference.align import Changed
from condense_cli.output.difference.described import _differ_in, describe
from tests.output.difference.test_align import aligned
from tests.strategies import as_lines, calls, pi_file, pi_records


def described(data: bytes):
    """All changed records of a repair."""
    old, new, _, found = aligned(data)
    return [describe(one, old, new) for one in found.changed]


def text_of(text):
    return ["".join(piece.text for piece in line) for line in text or []]


def test_each_kind_of_change_has_its_words():
    """Removed, inserted, moved and linked."""
    removed, linked = described(pi_file([("user",), ("result", "b"), ("text",)]))
    inserted, *_ = described(pi_file([("user",), calls(["a"]), ("user",), ("text",)]))
    moved, *_ = described(pi_file([("user",), calls(["a"]), ("user",), ("result", "a"), ("text",)]))

    assert (removed.place, removed.who, removed.what) == ("line 3", "result b", "is removed")
    assert (linked.place, linked.linked) == ("line 4", True)
    assert (inserted.place, inserted.what) == ("after line 3", "is inserted")
    assert "[condense]" in text_of(inserted.pairs[0].new)[-1]
    assert (moved.place, moved.what, moved.pairs[0].same) == ("line 5", "is moved after line 3", True)


@pytest.mark.parametrize(
    ("was", "will", "only"),
    [
        (b'{"parentId": "a", "n": 1}', b'{"parentId": "b", "n": 1}', True),
        (b'{"parentId": "a", "n": 1}', b'{"parentId": null, "n": 1}', True),
        (b'{"parentId": "a", "n": 1}', b'{"parentId": "b", "n": 2}', False),
        (b'{"parentId": "a", "n": 1}', b'{"parentId": "a", "n": 1}', False),
        (b'{"parentId": "a", "n": 1}', b'{"parentId": "\\u0061", "n": 1}', False),
        (b'{"parentId": "a", "parentId": "c"}', b'{"parentId": "b", "parentId": "c"}', False),
        (b'{"n": 1}', b'{"parentId": "b", "n": 1}', False),
    ],
)
def test_a_record_is_only_linked_where_nothing_else_differs(was, will, only):
    """Another spelling of the same id is no other link, and of a repeated key the last one counts."""
    head = as_lines(pi_records([("user",)])[:1])[0]
    old, new = (read_document("s.jsonl", BytesInMemory(head + raw + b"\n"), "pi") for raw in (was, will))

    assert _differ_in("parentId", Changed(old.records[1], new.records[1]), old, new) is only


def test_the_field_that_changes_is_named():
    """Old and new value of one field, not the whole record."""
    records = pi_records([("user",), calls(["a"]), ("result", "a"), ("text",)])
    for record in records:
        for block in record.get("message", {}).get("content", []):
            if block["type"] == "toolCall":
                block["arguments"] = "no object"
    data = b"".join(as_lines(records))
    changed = described(data)[0]

    assert changed.what == "changes"
    assert [pair.label for pair in changed.pairs] == ["message.content[0].arguments"]
    assert text_of(changed.pairs[0].old) == ["no object"]
    assert text_of(changed.pairs[0].new) == ["{}"]


def test_other_bytes_of_the_same_fields_are_shown():
    """A line end that is missing is no field; the bytes around it are shown."""
    (changed,) = described(pi_file([("user",), ("text",)]).rstrip(b"\n"))

    assert changed.pairs[0].label == "bytes"
    assert text_of(changed.pairs[0].old)[0].endswith("(no newline at the end)")


def test_what_a_line_held_is_shown():
    """A line that nobody could read is shown as it is, its record as text."""
    lines = pi_file([("user",), ("text",), ("user",)]).splitlines(keepends=True)
    first, *_ = described(b"".join([lines[0], b'{"type":"mess', *lines[1:]]))

    assert first.pairs[0].old is not None
    assert text_of(first.pairs[0].old)[0].startswith('{"type":"mess')
    assert text_of(first.pairs[0].new)[0] == "m0"


def test_removed_text_is_short_and_new_text_is_whole():
    """Of a long text that is removed eight lines are shown, and how many more there are."""
    records = pi_records([("user",), ("result", "b"), ("text",)])
    records[2]["message"]["content"] = [{"type": "text", "text": "\n".join(f"row {n}" for n in range(50))}]
    removed, *_ = described(b"".join(json.dumps(record).encode() + b"\n" for record in records))

    assert text_of(removed.pairs[0].old)[-1] == "… 43 more lines"
    assert len(removed.pairs[0].old) == 9
