"""Findings as JUnit XML: a suite per file, a test case per layer, so that the cases have the same names in every
run.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, TextIO

from condense_cli.model.findings import Severity
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import counted, facts, problem, sentence
from condense_cli.rules.catalogue import RULES, Layer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.model.findings import Finding, Report

# XML 1.0 has no way to write these, not even as references; plain.one_line has taken care of the others.
_NO_XML = re.compile("[\ufffe\uffff]")


def write(reports: Iterable[Report], stream: TextIO) -> None:
    """Write a suite per file, as they come; a layer fails with findings of severity warning or error, infos are its
    output.

    A file that was passed over is a skipped test. ASCII only.
    """
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="condense">\n')
    for report in reports:
        suite = (
            _passed_over(report)
            if report.passed_over
            else _error(report)
            if report.error is not None
            else _suite(report)
        )
        ET.indent(suite)
        stream.write(ET.tostring(suite, encoding="us-ascii", xml_declaration=False).decode("ascii") + "\n")
    stream.write("</testsuites>\n")


def _new(report: Report, *, tests: int, failures: int = 0, errors: int = 0, skipped: int = 0) -> ET.Element:
    numbers = {"tests": tests, "failures": failures, "errors": errors, "skipped": skipped}
    return ET.Element(
        "testsuite", {"name": _xml(report.path), **{name: str(number) for name, number in numbers.items()}}
    )


def _case(suite: ET.Element, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", {"classname": suite.attrib["name"], "name": name})


def _passed_over(report: Report) -> ET.Element:
    suite = _new(report, tests=1, skipped=1)
    message = f"passed over ({report.passed_over})"
    ET.SubElement(_case(suite, "file"), "skipped", {"message": _xml(message)})
    return suite


def _error(report: Report) -> ET.Element:
    suite = _new(report, tests=1, errors=1)
    ET.SubElement(_case(suite, "file"), "error", {"message": _xml(problem(report))}).text = _xml(report.advice)
    return suite


def _suite(report: Report) -> ET.Element:
    by_layer: dict[Layer, list[Finding]] = {layer: [] for layer in Layer}
    for finding in report.findings:
        by_layer[_layer(finding)].append(finding)
    suite = _new(report, tests=len(by_layer), failures=sum(any(map(_fails, found)) for found in by_layer.values()))
    for layer, findings in by_layer.items():
        case = _case(suite, layer.value)
        failing = [finding for finding in findings if _fails(finding)]
        if failing:
            rules = ", ".join(dict.fromkeys(finding.rule for finding in failing))
            attributes = {"type": _xml(rules), "message": counted(len(failing), "finding")}
            ET.SubElement(case, "failure", attributes).text = _list(report.path, failing)
        if others := [finding for finding in findings if not _fails(finding)]:
            ET.SubElement(case, "system-out").text = _list(report.path, others)
    return suite


def _list(path: str, findings: list[Finding]) -> str:
    return "\n".join(_xml(_line(path, finding)) for finding in findings)


def _line(path: str, finding: Finding) -> str:
    text = f"{path}:{finding.line}: {finding.severity or Severity.INFO} {finding.rule}: {sentence(finding.rule, finding.detail)}"  # noqa: E501 - a sentence is one text
    about = facts(finding)
    said = f"{finding.contract}: {finding.provider_error}" if finding.contract and finding.provider_error else ""
    return "; ".join(filter(None, (text, about, said)))


def _layer(finding: Finding) -> Layer:
    rule = RULES.get(finding.rule)
    return rule.layer if rule else Layer.CONTENT


def _fails(finding: Finding) -> bool:
    return finding.severity is not None and finding.severity.rank >= Severity.WARNING.rank


def _xml(text: str) -> str:
    """Return text without what XML cannot hold."""
    return _NO_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", one_line(text))
