"""Findings as JUnit XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from condense_cli.model.findings import Severity
from condense_cli.output import junit as writer
from condense_cli.rules.catalogue import RULES, Layer


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

    sentences = [RULES[name].means for name in ("orphan-result", "duplicate-result", "trailing-call")]
    broken, unread = ET.fromstring(text)
    assert broken.attrib == {"name": 'a"b.jsonl', "tests": "7", "failures": "1", "errors": "0", "skipped": "0"}
    assert [case.get("name") for case in broken if len(case)] == ["pairing"]
    failure, output = next(case for case in broken if len(case))
    assert failure.attrib == {"type": "orphan-result, duplicate-result", "message": "2 findings"}
    assert failure.text == (
        f'a"b.jsonl:4: error orphan-result: {sentences[0]}; call <c1>; gemini: no\n'
        f'a"b.jsonl:6: warning duplicate-result: {sentences[1]}'
    )
    assert output.text == f'a"b.jsonl:9: info trailing-call: {sentences[2]}'
    assert unread.attrib == {"name": "notes.jsonl", "tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    error = unread.find("testcase/error")
    assert (error.get("message"), error.text) == ("no session", "name its format with --format")


def test_passed_over_is_a_skipped_test(written, report):
    """A file that was passed over is neither a failure nor nothing."""
    (suite,) = ET.fromstring(written(writer, report(path="t.jsonl", passed_over="torn", error="no session")))

    assert (suite.get("tests"), suite.get("errors"), suite.get("skipped")) == ("1", "0", "1")
    assert suite.find("testcase/skipped").get("message") == "passed over (torn)"


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
