"""What is kept of a session, and read again."""

from condense_cli.cli.doctor.sessions import packed, unpacked
from condense_cli.model.findings import Finding, Report, Severity
from condense_cli.model.messages import Record
from condense_cli.output.doctor import Patient

FINDING = Finding("orphan-result", 5, Record(5, 0, 0), Severity.ERROR, "v", 1, "c", (2, 3), "d", None, "e", fixable=True)
PATIENT = Patient("pi", 2.5, Report("/s", "pi", "1.6.0", 1, 2, 3, 4, (FINDING, FINDING._replace(severity=None)), own_contract="pi"), "title", "/w")


def test_a_session_comes_back_as_it_was():
    """With all that writers show."""
    back = unpacked("/s", "pi", 2.5, packed(PATIENT))
    records = [finding.record.line for finding in back.report.findings]
    assert records == [5, 5]
    same = [finding._replace(record=FINDING.record) for finding in back.report.findings]
    assert back._replace(report=back.report._replace(findings=tuple(same))) == PATIENT


def test_what_is_something_else_is_none():
    """It is looked at again then."""
    for data in ("", "{}", "[1]", '["t","f",[],[]]', '["t","f",["pi",null,1,2,3,4,"pi",""],[[1]]]'):
        assert unpacked("/s", "pi", 0, data) is None
