"""Findings as JUnit XML: a suite per file, a test case per layer, so that the cases have the same names in every run."""

from __future__ import annotations

import html
import re
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
    """Write all suites; a layer fails with findings of severity warning or error, infos are its output. ASCII only."""
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="condense">\n')
    for report in reports:
        stream.writelines(_error(report) if report.error is not None else _suite(report))
    stream.write("</testsuites>\n")


def _error(report: Report) -> Iterable[str]:
    path = _xml(report.path)
    yield f'<testsuite name="{path}" tests="1" failures="0" errors="1">\n'
    yield f'  <testcase classname="{path}" name="file">\n'
    yield f'    <error message="{_xml(problem(report))}">{_xml(report.advice)}</error>\n'
    yield "  </testcase>\n</testsuite>\n"


def _suite(report: Report) -> Iterable[str]:
    path = _xml(report.path)
    by_layer: dict[Layer, list[Finding]] = {layer: [] for layer in Layer}
    for finding in report.findings:
        by_layer[_layer(finding)].append(finding)
    failed = sum(any(map(_fails, findings)) for findings in by_layer.values())
    yield f'<testsuite name="{path}" tests="{len(by_layer)}" failures="{failed}" errors="0">\n'
    for layer, findings in by_layer.items():
        head = f'  <testcase classname="{path}" name="{layer.value}"'
        if not findings:
            yield f"{head}/>\n"
            continue
        yield f"{head}>\n"
        yield from _failure(report.path, [finding for finding in findings if _fails(finding)])
        yield from _output(report.path, [finding for finding in findings if not _fails(finding)])
        yield "  </testcase>\n"
    yield "</testsuite>\n"


def _failure(path: str, findings: list[Finding]) -> Iterable[str]:
    if findings:
        rules = ", ".join(dict.fromkeys(finding.rule for finding in findings))
        yield f'    <failure type="{_xml(rules)}" message="{counted(len(findings), "finding")}">{_list(path, findings)}</failure>\n'


def _output(path: str, findings: list[Finding]) -> Iterable[str]:
    if findings:
        yield f"    <system-out>{_list(path, findings)}</system-out>\n"


def _list(path: str, findings: list[Finding]) -> str:
    return "\n".join(_xml(_line(path, finding)) for finding in findings)


def _line(path: str, finding: Finding) -> str:
    text = f"{path}:{finding.line}: {finding.severity or Severity.INFO} {finding.rule}: {sentence(finding.rule, finding.detail)}"
    about = facts(finding)
    said = f"{finding.contract}: {finding.provider_error}" if finding.contract and finding.provider_error else ""
    return "; ".join(filter(None, (text, about, said)))


def _layer(finding: Finding) -> Layer:
    rule = RULES.get(finding.rule)
    return rule.layer if rule else Layer.CONTENT


def _fails(finding: Finding) -> bool:
    return finding.severity is not None and finding.severity.rank >= Severity.WARNING.rank


def _xml(text: str) -> str:
    """Return text for an element or a quoted attribute; what is not ASCII becomes a reference."""
    plain = _NO_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", one_line(text))
    return html.escape(plain).encode("ascii", "xmlcharrefreplace").decode("ascii")
