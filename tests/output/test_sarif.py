"""Findings as SARIF."""

from __future__ import annotations

import json
import os
import re

import jsonschema
import pytest
from condense_cli.model.findings import Severity
from condense_cli.output import sarif as writer
from condense_cli.rules.catalogue import RULES

SUBSET = os.path.join(os.path.dirname(__file__), "sarif-2.1.0-subset.json")


@pytest.fixture
def log(written):
    """Write a log, check it against the schema and return its only run."""
    with open(SUBSET, encoding="utf-8") as file:
        validator = jsonschema.Draft7Validator(json.load(file))

    def run(*reports, base="/repo") -> dict:
        text = written(writer, *reports, base=base)
        assert text.isascii()
        value = json.loads(text)
        assert [error.message for error in validator.iter_errors(value)] == []
        return value["runs"][0]

    return run


def prints(run) -> list[str]:
    """All fingerprints of a run."""
    return [result["partialFingerprints"]["condense/v1"] for result in run["results"]]


def test_whole_result(log, finding, report):
    """A result has its rule, level, sentence, place, related places, what else is known, and a fingerprint."""
    found = finding(
        part=0, call_id="c1", entry="e4", related=(2,), detail="d", contract="pi", provider_error="no", fixable=True
    )
    (result,) = log(report(found, path="/repo/a b/ü.jsonl"))["results"]

    assert re.fullmatch("[0-9a-f]{32}", result.pop("partialFingerprints")["condense/v1"])
    artifact = {"uri": "a%20b/%C3%BC.jsonl", "uriBaseId": "%SRCROOT%"}
    assert result == {
        "ruleId": "orphan-result",
        "ruleIndex": list(RULES).index("orphan-result"),
        "level": "error",
        "message": {"text": "nothing on the thread asked for this result: d (call c1; entry e4; part 0)"},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": 4}}}],
        "relatedLocations": [{"id": 1, "physicalLocation": {"artifactLocation": artifact, "region": {"startLine": 2}}}],
        "properties": {
            "contract": "pi",
            "providerError": "no",
            "callId": "c1",
            "entry": "e4",
            "part": 0,
            "fixable": True,
        },
    }


def test_every_rule_is_declared(log):
    """The log of a run without files declares all rules in order, so that it has the same shape in every run."""
    run = log()

    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    assert [rule["shortDescription"]["text"] for rule in rules] == [rule.means for rule in RULES.values()]
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_default_levels(log):
    """A rule's default level is that of the contract that minds it most, and no rule is without one."""
    rules = {rule["id"]: rule["defaultConfiguration"]["level"] for rule in log()["tool"]["driver"]["rules"]}

    assert {name: rules[name] for name in ("orphan-result", "foreign-session", "trailing-call")} == {
        "orphan-result": "error",
        "foreign-session": "warning",
        "trailing-call": "note",
    }
    assert "none" not in rules.values()


def test_levels(log, finding, report):
    """Error, warning and info are error, warning and note."""
    results = log(report(*(finding(severity=severity) for severity in Severity)))["results"]

    assert [result["level"] for result in results] == ["error", "warning", "note"]


def test_unreadable_file(log, report, unreadable):
    """A file that could not be checked is a notification, and the run was not successful."""
    (invocation,) = log(report(), unreadable)["invocations"]

    assert invocation == {
        "executionSuccessful": False,
        "toolExecutionNotifications": [
            {
                "descriptor": {"id": "unreadable-file", "index": 0},
                "level": "error",
                "message": {"text": "no session"},
                "locations": [
                    {"physicalLocation": {"artifactLocation": {"uri": "notes.jsonl", "uriBaseId": "%SRCROOT%"}}}
                ],
            }
        ],
    }


def test_file_outside_the_base(log, finding, report):
    """A file that is not below the base has an absolute URI."""
    (result,) = log(report(finding(), path="/else/s.jsonl"))["results"]

    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///else/s.jsonl"}


def test_fingerprints_survive_lines_above(log, finding, report):
    """A finding with an id keeps its fingerprint when it moves down; the same one twice has two."""
    before = prints(log(report(finding(entry="e"), finding(entry="e"), finding(call_id="c"), finding(line=4))))
    after = prints(
        log(
            report(
                finding(line=9, entry="e"), finding(line=9, entry="e"), finding(line=9, call_id="c"), finding(line=9)
            )
        )
    )

    assert before[:3] == after[:3]
    assert before[3] != after[3]
    assert len(set(before)) == 4


def test_hostile_ids(log, finding, report, hostile):
    """An id cannot make a link of the message or break the log for a strict reader."""
    link = "[here](https://example.com)"
    (result,) = log(report(finding(call_id=hostile, entry=link, detail=link), path="x\udcff\n"))["results"]

    assert r"\[here\](https://example.com)" in result["message"]["text"]
    assert not re.search(r"(?<!\\)[\[\]]", result["message"]["text"])
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "x%FF%0A"
    json.dumps(result, ensure_ascii=False).encode()  # fails if half a surrogate pair is left
