"""Damaged lines: each is explained by one rule, and what can be recovered keeps its bytes."""

import json

import pytest
from condense_cli.check.layers import scan_file
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.rules.catalogue import RULES, Layer
from tests.strategies import as_lines, pi_records

HEAD, ASK, SAY, BYE = as_lines(pi_records([("user",), ("text",), ("user",)]))
NOT_UNDERSTOOD = b'{"type":"message","id":"af28b070","parentId":"9b89b634","role":"user","content":"a"}'
LONG = as_lines([{**json.loads(SAY), "padding": "x" * 300}])[0]


def mended(*lines, wanted=lambda rule: True):
    """The findings as (rule, line, variant, detail), and the new bytes."""
    data = b"".join(lines)
    document = read_document("s.jsonl", BytesInMemory(data), "pi")
    scanned = scan_file(document, lambda f: RULES[f.rule].layer is Layer.LINE and wanted(f.rule))
    new = b"".join(document.source.read(s.start, s.end) if hasattr(s, "start") else s.data for s in scanned.document.segments())
    found = sorted((f for f in scanned.findings if RULES[f.rule].layer is Layer.LINE), key=lambda f: f.line)
    return [(f.rule, f.line, f.variant, f.detail) for f in found], new


@pytest.mark.parametrize(
    ("between", "detail", "parts"),
    [
        pytest.param(b"", "2 whole records", 2, id="nothing"),
        pytest.param(b" ,\0", "2 whole records", 2, id="a comma"),
        pytest.param(b'{"type":"mess', "2 whole records and 1 fragment", 2, id="a fragment"),
        pytest.param(b'{"x":1}', "2 whole records and 1 fragment", 2, id="an object that is no record"),
        pytest.param(NOT_UNDERSTOOD, "2 whole records and 1 fragment", 2, id="a message that is not understood"),
    ],
)
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_records_on_one_line_get_a_line_each(between, detail, parts, ending):
    """Whole records keep their bytes and get the line's ending, fragments go, and only what says something is one."""
    lines = [line[:-1] + ending for line in (HEAD, ASK, SAY, BYE)]
    ((rule, line, _, said), *rest), new = mended(lines[0], ASK[:-1] + between + lines[2], lines[3])

    assert (rule, line, said, rest) == ("fused-line", 2, detail, [])
    assert new == b"".join(lines)


@pytest.mark.parametrize(
    ("fragment", "again", "variant"),
    [
        pytest.param(SAY[:60], SAY, "repeated", id="the next record begins with it"),
        pytest.param(LONG[:250], LONG.replace(b"2026-01-01T00:00:02.000Z", b"2026-01-01T00:00:09.999Z", 1), "repeated", id="with another time"),
        pytest.param(SAY[:100], SAY.replace(b"00:00:02.000Z", b"00:00:09.999Z"), "", id="a short one with another time is only the envelope"),
        pytest.param(SAY[:60], BYE, "", id="another record"),
    ],
)
def test_an_unreadable_line_goes_when_the_next_record_says_it_in_full(fragment, again, variant):
    """Else its bytes stay, for nothing else has them."""
    found, new = mended(HEAD, ASK, fragment + b"\n", again)

    assert [(rule, line, v) for rule, line, v, _ in found] == [("unreadable-line", 3, variant)]
    assert new == b"".join([HEAD, ASK, again] if variant else [HEAD, ASK, fragment + b"\n", again])


@pytest.mark.parametrize(("ending", "escape"), [(b"\n", "\n"), (b"\r\n", "\r\n")])
def test_a_record_on_several_lines_is_joined(ending, escape):
    """Raw line breaks inside its string become escapes, a carriage return, too."""
    torn = SAY.replace(b'"text":"m1"', b'"text":"one' + ending + b"two" + ending + b'three"')
    found, new = mended(HEAD, ASK, torn, BYE)
    lines = new.splitlines()

    assert [(rule, line) for rule, line, *_ in found] == [("split-record", 3)]
    assert len(lines) == 4
    assert json.loads(lines[2])["message"]["content"][0]["text"] == escape.join(["one", "two", "three"])
    assert (lines[0] + b"\n", lines[3] + b"\n") == (HEAD, BYE)


@pytest.mark.parametrize(
    ("lines", "expected", "kept"),
    [
        pytest.param([b"\xef\xbb\xbf" + HEAD, ASK], [("bom", 1)], [HEAD, ASK], id="a byte order mark"),
        pytest.param([HEAD, b"\0" * 9 + b"\n", ASK], [("nul-bytes", 2)], [HEAD, ASK], id="a line of NULs"),
        pytest.param([HEAD, b"\0\0" + ASK], [("nul-bytes", 2)], [HEAD, ASK], id="NULs before a record"),
        pytest.param([HEAD, ASK, SAY[:30]], [("torn-tail", 3)], [HEAD, ASK], id="a torn tail"),
        pytest.param([HEAD, ASK, SAY[:30] + b"\n", b"\0\n \n"], [("torn-tail", 3), ("nul-bytes", 4)], [HEAD, ASK, b" \n"], id="only blanks behind it"),
        pytest.param([HEAD, ASK[:-1]], [("missing-final-newline", 2)], [HEAD, ASK], id="no newline at the end"),
        pytest.param([HEAD, b"[1]\n", ASK], [("unreadable-line", 2)], [HEAD, b"[1]\n", ASK], id="JSON, but no object"),
        pytest.param([HEAD, b"{nothing}\n", ASK], [("unreadable-line", 2)], [HEAD, b"{nothing}\n", ASK], id="nothing that explains it"),
        pytest.param([HEAD, b"\n", b"  \r\n", ASK], [], [HEAD, b"\n", b"  \r\n", ASK], id="blank lines are no fault"),
        pytest.param([HEAD, ASK.replace(b"m0", b"\\ud800")], [("lone-surrogate", 2)], [HEAD, ASK.replace(b"m0", b"\\ufffd")], id="half of a pair"),
        pytest.param([HEAD, ASK.replace(b"m0", b"\xff")], [("invalid-utf8", 2)], [HEAD, ASK.replace(b"m0", b"\xef\xbf\xbd")], id="not UTF-8"),
    ],
)
def test_each_damage_has_its_rule(lines, expected, kept):
    """One finding for one fault; every other byte stays; what is not wanted stays, too, and is found all the same."""
    found, new = mended(*lines)
    unwanted, same = mended(*lines, wanted=lambda rule: False)

    assert [(rule, line) for rule, line, *_ in found] == expected
    assert new == b"".join(kept)
    assert [(rule, line) for rule, line, *_ in unwanted] == expected
    assert same == b"".join(lines)


def test_a_line_separator_ends_no_line():
    """U+2028 and U+0085 are legal in strings: lines end at 0x0A only."""
    line = SAY.replace(b"m1", "a\u2028b\u0085c".encode())

    assert mended(HEAD, ASK, line, BYE) == ([], HEAD + ASK + line + BYE)
