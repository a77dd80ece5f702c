"""The text of a report."""

from condense_cli.minimize.run import Minimized
from condense_cli.model.findings import Finding, Severity
from condense_cli.model.messages import Record
from condense_cli.output.minimized import issue


def test_a_report_says_what_where_and_how_to_see_it():
    """Rule, contract, answers, command, file."""
    finding = Finding("orphan-result", 2, Record(2, 0, 0), Severity.ERROR)
    made = Minimized(b'{"a":"\x1b"}\n{"b":1}\n', finding, "pi", "1.6.0", "pi", (90, 2), 0, (("anthropic", "unexpected `x`"),))
    text = issue(made, "/tmp/s.jsonl")
    assert text.startswith("pi 1.6.0: nothing on the thread asked for this result\n")
    assert "`orphan-result` (error, by the contract pi) in line 2 of s.jsonl, 2 records." in text
    assert "- anthropic: `unexpected" in text
    assert "`condense check --fail-on info s.jsonl`" in text
    assert '    {"b":1}' in text
    assert "\x1b" not in text


def test_a_large_file_is_not_in_it():
    """Its name is."""
    finding = Finding("orphan-result", 2, Record(2, 0, 0), Severity.ERROR)
    made = Minimized(b"x" * 5000, finding, "pi", None, "mistral", (90, 2), 0, ())
    text = issue(made, "s.jsonl")
    assert len(text) < 1000
    assert "--contract mistral s.jsonl" in text
