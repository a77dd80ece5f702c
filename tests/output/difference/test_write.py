"""A difference for people."""

from __future__ import annotations

import io
import json
import re

import pytest
from condense_cli.output.difference.write import Look, edit_lines, lines
from condense_cli.output.lines import line_writer
from condense_cli.output.wrapped import cells
from tests.output.difference.test_align import aligned
from tests.strategies import as_lines, calls, pi_file, pi_records

MOVED = [("user",), calls(["a"]), ("user",), ("result", "a"), ("text",)]


def shown(data: bytes, **look) -> list[str]:
    """The lines of the difference of a repair."""
    old, new, plan, _ = aligned(data)
    return ["".join(text for text, _ in line) for line in lines(plan, old, new, Look(**look))]


def blank_session() -> bytes:
    """A session in which a NUL character is in the middle of a text."""
    records = pi_records([("user",), ("text",), ("user",)])
    records[1]["message"]["content"] = [{"type": "text", "text": "the cat\ud800 sat on the mat"}]
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def test_what_a_reader_sees():
    """What happens, why, the text; neighbours that are only linked anew are one line."""
    found = shown(pi_file(MOVED))

    assert found[0] == "line 5 result a is moved after line 3"
    assert found[1].startswith("  displaced-result: ")
    assert found[2:] == ["    <- a", "    m3", "lines 4, 6 are only linked to other parents"]


def test_a_reason_is_given_once_for_neighbours():
    """Two records with one reason."""
    found = shown(pi_file([("user",), ("result", "b"), ("result", "c"), ("text",)]))

    assert sum("orphan-result" in line for line in found) == 1


def test_changed_words_are_marked_without_colour():
    """Signs stand for the colours."""
    found = shown(blank_session())

    assert any(line.startswith("  - the cat[-") and "-] sat" in line for line in found)
    assert any(line.startswith("  + the cat{+") and "+} sat" in line for line in found)
    assert not any("[-" in line for line in shown(blank_session(), color=True))


@pytest.mark.parametrize("side_by_side", [False, True])
@pytest.mark.parametrize("width", [40, 80])
def test_it_fits_the_terminal(side_by_side, width):
    """No line is wider, and no text is lost."""
    records = pi_records([("user",), ("result", "b"), ("text",)])
    records[2]["message"]["content"] = [{"type": "text", "text": "漢字 and many words " * 8}]
    data = b"".join(as_lines(records))
    found = shown(data, width=width, side_by_side=side_by_side)

    assert max(map(cells, (line.rstrip() for line in found))) <= width
    left = [line.split("│")[0] if side_by_side else line.removeprefix("  - ") for line in found]
    assert "".join(" ".join(left).split()).count("漢字andmanywords") == 8


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("side_by_side", [False, True])
def test_any_encoding_takes_it(encoding, side_by_side):
    """A character that the stream does not have is an escape: nothing breaks."""
    old, new, plan, _ = aligned(blank_session())
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    say = line_writer(stream, color=False)
    for line in lines(plan, old, new, Look(side_by_side=side_by_side)):
        say(*line)
    stream.flush()

    assert b"the cat" in raw.getvalue()


def test_nothing_steers_the_terminal(hostile):
    """Ids and texts of the session are made visible."""
    records = pi_records([("user",), ("result", "b"), ("text",)])
    records[2]["message"]["toolCallId"] = hostile
    records[2]["message"]["content"] = [{"type": "text", "text": hostile}]
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    for look in ({}, {"side_by_side": True}, {"width": 40}):
        text = "\n".join(shown(data, **look))
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800]", text)
        assert text.count("owned") == 3


def test_only_so_many_records(finding):
    """What is left out is counted."""
    found = shown(pi_file([("user",), *(("result", f"b{n}") for n in range(9)), ("text",)]), most=4)

    assert sum(line.endswith("is removed") for line in found) == 4
    assert found[-1] == "and 6 more records: `condense diff` shows all"


def test_a_line_per_edit():
    """Where something is written anyway, each edit is one line."""
    _, _, plan, _ = aligned(pi_file(MOVED))
    found = ["".join(text for text, _ in line) for line in edit_lines(plan, None)]

    assert len(found) == len(plan.edits)
    assert any(line.startswith("line 5 move displaced-result: ") for line in found)
