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

# The whole schema of OASIS comes with the npm package @microsoft/jest-sarif (MIT): `npm install` it, or name a copy.
WHOLE = [
    path
    for path in (
        os.environ.get("SARIF_SCHEMA", ""),
        os.path.join(os.path.dirname(__file__), "../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
    )
    if os.path.isfile(path)
]


def validator(path):
    """The validator for one schema, of the draft that it names; formats are checked."""
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    return jsonschema.validators.validator_for(schema, jsonschema.Draft7Validator)(
        schema, format_checker=jsonschema.FormatChecker()
    )


@pytest.fixture
def log(written):
    """Write a log, check it against the schema and return its only run."""
    validators = [validator(path) for path in (SUBSET, *WHOLE)]

    def run(*reports, base="/repo") -> dict:
        text = written(writer, *reports, base=base)
        assert text.isascii()
        value = json.loads(text)
        for one in validators:
            assert [error.message for error in one.iter_errors(value)] == []
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
        "message": {"text": f"{RULES['orphan-result'].means}: d (call c1; entry e4; part 0)"},
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

    assert {name: rules[name] for name in ("orphan-result", "ends-with-assistant")} == {
        "orphan-result": "error",
        "ends-with-assistant": "note",
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


def test_a_log_is_cut_at_what_github_takes(log, finding, report, monkeypatch):
    """The most severe results stay, in their order, and a notification says how many are left out."""
    monkeypatch.setattr(writer, "MOST_RESULTS", 3)
    monkeypatch.setattr(writer, "MOST_LOCATIONS", 5)
    infos = [finding("trailing-call", n, Severity.INFO) for n in range(1, 4)]
    related = tuple(range(1, 20))
    run = log(report(*infos, finding(line=9, related=related), finding("blank-text", 10, Severity.WARNING)))

    assert [result["level"] for result in run["results"]] == ["note", "error", "warning"]
    assert len(run["results"][1]["relatedLocations"]) == 4
    (notice,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notice["level"] == "warning"
    assert "2 results are left out" in notice["message"]["text"]


def test_what_was_passed_over_is_a_notification(log, report):
    """The run succeeded, and the log says which files are not in it and how many."""
    run = log(report(path="/repo/t.jsonl", passed_over="torn", error="no session"), report())
    invocation = run["invocations"][0]

    assert invocation["executionSuccessful"] is True
    assert [(n["level"], n["descriptor"]["id"]) for n in invocation["toolExecutionNotifications"]] == [
        ("warning", "unreadable-file"),
        ("note", "not-complete"),
    ]


def test_a_rule_has_a_description_and_an_address(log):
    """fullDescription says what repair does, helpUri is absolute and of this rule."""
    for rule in log()["tool"]["driver"]["rules"]:
        assert rule["fullDescription"]["text"] != rule["shortDescription"]["text"]
        assert re.fullmatch(rf"[a-z]+:\S*{rule['id']}", rule["helpUri"])


def test_github_tells_alerts_apart(log, finding, report):
    """primaryLocationLineHash has the form of GitHub's own, and equal findings get a number each."""
    results = log(report(finding(), finding(), finding(line=9)))["results"]
    hashes = [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]

    assert all(re.fullmatch("[0-9a-f]{16}:[0-9]+", name) for name in hashes)
    assert [name.split(":")[1] for name in hashes] == ["1", "2", "1"]
    assert len({name.split(":")[0] for name in hashes}) == 2
