"""The layers of a file are scanned once for everybody who fixes the same, and the outcome keeps no document alive."""

import gc
import weakref

import pytest
from condense_cli.check import layers
from condense_cli.check.engine import find
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from tests.strategies import as_lines, calls, pi_file, pi_records


@pytest.fixture
def scans(monkeypatch):
    """The rules that were scanned, in order."""
    done = []
    scan = layers._scan_rule
    monkeypatch.setattr(layers, "_scan_rule", lambda now, rule, *more: done.append(rule.name) or scan(now, rule, *more))
    return done


def damaged():
    """A session that breaks off in its last line, and another one in it that two records have the same id."""
    lines = as_lines(pi_records([("user",), ("text",), ("user",), ("text",)]))
    return read_document("s.jsonl", BytesInMemory(b"".join([*lines[:2], lines[1], *lines[2:]])[:-30]), "pi")


def test_who_chooses_the_same_gets_the_same(scans):
    """The document is scanned once, whoever asks, and anew for another choice."""
    document = damaged()
    first = layers.scan_file(document)
    once = len(scans)
    again = layers.scan_file(document, lambda finding: finding.possible)

    assert {finding.rule for finding in first.findings} == {"duplicate-record", "torn-tail"}
    assert (again.document, again.findings, again.edits) == (first.document, first.findings, first.edits)
    assert len(scans) == once

    less = layers.scan_file(document, lambda finding: finding.rule != "torn-tail")
    assert len(scans) > once
    assert len(less.document.records) == len(first.document.records) + 1


def test_what_less_was_fixed_in_is_not_taken_for_all():
    """Whoever chose less before does not decide what the next one gets."""
    document = damaged()
    less = layers.scan_file(document, lambda _: False)

    assert less.document is document
    assert len(layers.scan_file(document).document.records) == len(document.records) - 2


def test_a_document_that_was_looked_at_is_given_back():
    """Memory is not collected while a command runs: nothing may refer to itself."""
    document = read_document("s.jsonl", BytesInMemory(pi_file([("user",), calls(["a"]), ("user",)])), "pi")
    gone = weakref.ref(document)
    was = gc.isenabled()
    gc.disable()
    try:
        assert find(document, ["pi"]).findings
        del document
        assert gone() is None
    finally:
        if was:
            gc.enable()
