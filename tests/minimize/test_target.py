"""The finding that must stay."""

from condense_cli.minimize.target import Target, answers, findings, mark_of, worst
from condense_cli.model.findings import Finding, Severity
from condense_cli.model.messages import Record
from condense_cli.session.opened import open_session
from tests.conversations import chains, written


def torn(tmp_path):
    path = written(tmp_path, "claude-code", chains(2))
    path.write_bytes(path.read_bytes()[:-40])
    return path


def test_the_worst_finding_is_meant(tmp_path):
    """Or the one of the rule that is named; nothing where there is none."""
    with open_session(str(torn(tmp_path))) as session:
        found = findings(session.document, "claude-code")
    assert worst(found, None).rule == "torn-tail"
    assert worst(found, "orphan-result") is worst((), None) is None


def test_it_is_found_in_other_bytes_or_not(tmp_path):
    """Not in a sound session, not in another format, not in no session."""
    path = torn(tmp_path)
    with open_session(str(path)) as session:
        finding = worst(findings(session.document, "claude-code"), None)
    target = Target(str(path), "claude-code", "claude-code", mark_of(finding, "claude-code"))
    data = path.read_bytes()
    assert target.found(data).rule == "torn-tail"
    assert target.found(data[: data.rindex(b"\n") + 1]) is None
    assert target.found(b'[{"role": "user", "content": "x') is target.found(b"") is None


def test_an_id_of_one_letter_has_a_shape():
    """And the answers are whole."""
    one, two = (Finding("orphan-result", 1, Record(1, 0, 0), Severity.ERROR, call_id=ident) for ident in ("t", "q"))
    assert mark_of(one, "pi") == mark_of(two, "pi")
    assert "tool_result" in dict(answers(one, "pi"))["anthropic"]
