"""Findings as workflow commands."""

from __future__ import annotations

import re

from condense_cli.model.findings import Severity
from condense_cli.output import github as writer


def test_whole_text(written, finding, report, unreadable):
    """Errors, warnings and infos become error, warning and notice at their line; an unreadable file is an error."""
    text = written(
        writer,
        report(
            finding(call_id="c1", related=(2,), contract="gemini", provider_error="100% wrong"),
            finding("blank-text", 5, Severity.WARNING, detail="a: b"),
            finding("trailing-call", 9, Severity.INFO),
            path="a,b:c%.jsonl",
        ),
        unreadable,
    )

    assert text == (
        "::error file=a%2Cb%3Ac%25.jsonl,line=4,title=condense%3A orphan-result::"
        "nothing on the thread asked for this result%0Asee line 2; call c1%0Agemini: 100%25 wrong\n"
        "::warning file=a%2Cb%3Ac%25.jsonl,line=5,title=condense%3A blank-text::one of its text blocks is blank: a: b\n"
        "::notice file=a%2Cb%3Ac%25.jsonl,line=9,title=condense%3A trailing-call::"
        "the last turn waits for the result of this call, which may be running\n"
        "::error file=notes.jsonl,title=condense::no session\n"
    )


def test_paths_are_relative_to_the_base(written, finding, report):
    """A path below the base loses it, one elsewhere stays, and standard input has no file."""
    found = [
        written(writer, report(finding(), path=path), base="/repo").split("::")[1]
        for path in ("/repo/x/s", "/other/s", "<stdin>")
    ]

    assert [re.findall("file=([^,]*)", head) for head in found] == [["x/s"], ["/other/s"], []]


def test_hostile_ids_cannot_give_commands(written, finding, report, hostile):
    """Nothing in an id, a path or an answer ends the command or begins another one."""
    text = written(
        writer,
        report(
            finding(call_id=hostile, detail=hostile, contract="pi", provider_error=hostile), path=hostile, error=hostile
        ),
    )

    lines = text.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("::error file=") for line in lines)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800]", text)
    assert "%41" not in text


def test_what_is_left_out_is_counted(written, finding, report):
    """A file that was passed over is a warning at its place, and a notice has the numbers."""
    text = written(writer, report(path="t.jsonl", passed_over="torn", error="no session"), report(not_shown=(finding(),)))

    assert text == (
        "::warning file=t.jsonl,title=condense::passed over (torn): no session\n"
        "::notice title=condense::1 file checked: 1 error, 0 warnings, 0 infos; "
        "1 file passed over (1 torn); 1 finding not shown (--max-findings)\n"
    )
