"""Findings as JUnit XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from condense_cli.model.findings import Severity
from condense_cli.output import junit as writer
from condense_cli.rules.catalogue import Layer


def test_whole_text(written, finding, report, unreadable):
    """A file is a suite with a case per layer; errors and warnings fail it, infos are output, an unreadable file is an error."""
    text = written(
        writer,
        report(
            finding(call_id="<c1>", contract="gemini", provider_error="no"),
            finding("duplicate-result", 6, Severity.WARNING),
            finding("trailing-call", 9, Severity.INFO),
            path='a"b.jsonl',
        ),
        unreadable,
    )

    assert text == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<testsuites name="condense">\n'
        '<testsuite name="a&quot;b.jsonl" tests="7" failures="1" errors="0">\n'
        '  <testcase classname="a&quot;b.jsonl" name="line"/>\n'
        '  <testcase classname="a&quot;b.jsonl" name="header"/>\n'
        '  <testcase classname="a&quot;b.jsonl" name="tree"/>\n'
        '  <testcase classname="a&quot;b.jsonl" name="pairing">\n'
        '    <failure type="orphan-result, duplicate-result" message="2 findings">'
        "a&quot;b.jsonl:4: error orphan-result: nothing on the thread asked for this result; call &lt;c1&gt;; gemini: no\n"
        "a&quot;b.jsonl:6: warning duplicate-result: the call was answered already</failure>\n"
        "    <system-out>a&quot;b.jsonl:9: info trailing-call: the last turn waits for the result of this call, which may be running</system-out>\n"
        "  </testcase>\n"
        '  <testcase classname="a&quot;b.jsonl" name="call"/>\n'
        '  <testcase classname="a&quot;b.jsonl" name="content"/>\n'
        '  <testcase classname="a&quot;b.jsonl" name="condense"/>\n'
        "</testsuite>\n"
        '<testsuite name="notes.jsonl" tests="1" failures="0" errors="1">\n'
        '  <testcase classname="notes.jsonl" name="file">\n'
        '    <error message="no session">name its format with --format</error>\n'
        "  </testcase>\n"
        "</testsuite>\n"
        "</testsuites>\n"
    )


def test_counts_agree_with_the_cases(written, finding, report):
    """The numbers of a suite are those of its cases, of which there is one per layer in every run."""
    suite = ET.fromstring(
        written(writer, report(finding(), finding("bom", 1), finding("empty-message", 2, Severity.INFO)))
    )[0]

    assert [case.get("name") for case in suite.iter("testcase")] == list(Layer)
    assert (suite.get("tests"), suite.get("failures")) == (str(len(Layer)), str(len(list(suite.iter("failure")))))
    assert suite.get("failures") == "2"


def test_hostile_ids_are_well_formed(written, finding, report, hostile):
    """Control characters, surrogates and non-characters, which XML cannot hold, are spelled out; the file is ASCII."""
    text = written(writer, report(finding(call_id=hostile + "\ufffe\uffff\U0001f600", detail="]]>"), path=hostile))

    assert text.isascii()
    failure = next(ET.fromstring(text).iter("failure")).text or ""
    assert r"\x1b]0;owned\x07[bold]x[/bold]" in failure
    assert r"\ud800\x00 %41\ufffe\uffff" in failure
    assert "\U0001f600" in failure
