"""Reports for people."""

from __future__ import annotations

import io
import re
import subprocess
import sys

import pytest
from condense_cli.model.findings import Severity
from condense_cli.output import terminal as writer
from condense_cli.rules.catalogue import RULES


def means(rule: str) -> str:
    """The sentence of a rule."""
    return RULES[rule].means


ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
ANSWER = (
    "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)


def test_whole_report(written, finding, report, unreadable):
    """Place, severity, rule and sentence come first, then evidence, the next command, and a summary at the end."""
    text = written(
        writer,
        report(
            finding(part=0, call_id="toolu_01", entry="3fa2", related=(2, 9), fixable=True),
            finding("trailing-call", 12, INFO, call_id="toolu_02"),
            finding("invalid-tool-name", 14, WARNING, detail="blank at character 5", index=7),
            path="my session.jsonl",
        ),
        report(path="sound.jsonl"),
        unreadable,
    )

    assert text == (
        "my session.jsonl\n"
        f"  error orphan-result at line 4: {means('orphan-result')}\n"
        "    see lines 2, 9; call toolu_01; entry 3fa2; part 0\n"
        f"  warning invalid-tool-name at line 14: {means('invalid-tool-name')}: blank at character 5\n"
        "    message 7\n"
        f"  info trailing-call at line 12: {means('trailing-call')}\n"
        "    call toolu_02\n"
        "  next: condense repair 'my session.jsonl'\n"
        "notes.jsonl\n"
        "  error: no session\n"
        "    name its format with --format\n"
        "2 files checked: 1 error, 1 warning, 1 info; 1 file could not be checked\n"
    )


def test_lines_wrap_at_the_width(written, finding, report):
    """At 80 and 40 columns every line fits but for words that are longer, and no word is lost."""
    one = report(finding("unanswered-call", contract="anthropic", provider_error=ANSWER), path="p" * 90)
    whole = written(writer, one)

    for width in (80, 40):
        text = written(writer, one, width=width)
        assert all(len(line) <= width for line in text.splitlines()[1:-1])
        assert text.split() == whole.split()


def test_equal_findings_are_one_with_a_number(written, finding, report):
    """Sixteen calls of one message are one line with their lines, the first ids and how many more there are."""
    text = written(writer, report(*(finding("partial-call", 33, WARNING, call_id=f"c{n}", part=n) for n in range(16)), finding()))

    assert text.splitlines()[1:-1] == [
        f"  error orphan-result at line 4: {means('orphan-result')}",
        f"  warning partial-call ×16 at line 33: {means('partial-call')}",
        "    calls c0, c1, c2 and 13 more",
    ]
    assert text.endswith("1 file checked: 1 error, 16 warnings, 0 infos\n")


def test_statistics_count_each_rule(written, finding, report):
    """A row per rule, the most severe and the most frequent first."""
    text = written(
        writer,
        report(*(finding("partial-call", n, WARNING, fixable=True) for n in range(12)), finding()),
        statistics=True,
    )

    assert text.splitlines()[-3:-1] == [" 1  orphan-result  error", "12  partial-call   warning  fixable"]


def test_what_is_not_shown_is_counted(written, finding, report):
    """Findings that --max-findings leaves out stand in the summary, and still lead to the next command."""
    text = written(writer, report(finding(), not_shown=(finding(fixable=True), finding(severity=WARNING))))

    assert "  2 more findings not shown (--max-findings)\n  next: condense repair s.jsonl\n" in text
    assert text.endswith("1 file checked: 2 errors, 1 warning, 0 infos; 2 findings not shown (--max-findings)\n")


def test_what_was_passed_over_is_said_and_counted(written, report):
    """What looks damaged comes before what is something else; after twenty lines there is only a number."""
    over = [report(path=f"{n}.json", passed_over="foreign", error="no session") for n in range(30)]
    text = written(writer, *over, report(path="t.jsonl", passed_over="torn", error="no session"))

    lines = text.splitlines()
    assert lines[0] == "passed over (torn): t.jsonl"
    assert len(lines) == 22
    assert lines[-2:] == [
        "passed over: 11 more files; `--unknown error` reports each of them",
        "0 files checked: 0 errors, 0 warnings, 0 infos; 31 files passed over (30 foreign, 1 torn)",
    ]


def test_what_is_only_counted_has_no_line(written, report):
    """Without an error of its own a file that was passed over is only in the summary."""
    text = written(writer, report(path="t.jsonl", passed_over="torn"))

    assert text == "0 files checked: 0 errors, 0 warnings, 0 infos; 1 file passed over (1 torn)\n"


def test_the_heading_links_to_the_file(finding, report, terminal, monkeypatch):
    """A terminal gets a link to the file, a dumb one and a pipe do not."""
    monkeypatch.setenv("TERM", "xterm-256color")
    writer.write([report(finding(), path="a b.jsonl")], terminal, color=True)
    assert "/a%20b.jsonl\x1b\\" in terminal.getvalue()
    assert "\x1b]8;" in terminal.getvalue()

    monkeypatch.setenv("TERM", "dumb")
    for stream in (type(terminal)(), io.StringIO()):
        writer.write([report(finding(), path="a b.jsonl")], stream, color=True)
        assert "\x1b]8;" not in stream.getvalue()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_no_encoding_breaks_a_report(finding, report, encoding):
    """What the encoding does not have becomes an escape or a plain character; every word is still there."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    many = [finding("partial-call", 1, WARNING, call_id="ключ", part=n) for n in range(3)]
    writer.write([report(*many, path="sitzung-ü-日.jsonl")], stream, width=40)
    stream.flush()

    text = raw.getvalue().decode(encoding)
    assert ("日" in text) or r"\u65e5" in text
    assert ("ключ" in text) or r"\u043a" in text
    assert "×3" in text or "x3" in text


def test_pipe_keeps_answers_whole(written, finding, report):
    """In a pipe a provider's answer stays on one line, so that it can be searched for."""
    assert ANSWER in written(writer, report(finding(contract="anthropic", provider_error=ANSWER)))


def test_contracts_share_a_finding_and_a_table(written, finding, report):
    """What several contracts say about one place is one finding at its worst, and a table says who minds."""
    where = {"part": 0, "call_id": "c1", "fixable": True}
    text = written(
        writer,
        report(
            finding(severity=WARNING, contract="pi", **where),
            finding(contract="anthropic", provider_error="no such id", **where),
            finding(contract="bedrock", provider_error="no such id", **where),
            finding("trailing-call", 9, INFO, contract="pi"),
            own_contract="pi",
        ),
        contracts=("pi", "anthropic", "bedrock", "gemini"),
    )

    assert text == (
        "s.jsonl\n"
        f"  error orphan-result at line 4: {means('orphan-result')}\n"
        "    call c1; part 0\n"
        "    anthropic, bedrock: no such id\n"
        f"  info trailing-call at line 9: {means('trailing-call')}\n"
        "                 pi  anthropic  bedrock  gemini\n"
        "  orphan-result  W   E          E        -\n"
        "  trailing-call  I   -          -        -\n"
        "  next: condense repair s.jsonl\n"
        "1 file checked: 1 error, 0 warnings, 1 info\n"
    )


def test_equal_findings_of_one_contract_are_not_merged(written, finding, report):
    """Two findings that look alike stay two when one contract made both."""
    text = written(writer, report(finding(contract="pi"), finding(contract="pi")))

    assert text.endswith("1 file checked: 2 errors, 0 warnings, 0 infos\n")


def test_table_of_all_contracts_fits_eighty_columns(written, finding, report):
    """A table that is too wide continues in a second block, and each contract stands in one of them."""
    names = [
        "pi",
        "openclaw",
        "claude-code",
        "codex",
        "anthropic",
        "openai-chat",
        "openai-responses",
        "gemini",
        "bedrock",
        "kimi",
        "deepseek",
        "mistral",
    ]
    text = written(
        writer, report(*(finding("result-of-skipped-call", contract=name) for name in names)), contracts=names, width=80
    )

    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if "openclaw" in line and "pi" in line and "result" not in line)
    table = lines[start:-1]
    assert max(map(len, table)) <= 80
    assert " ".join(line.strip() for line in table[::2]).split() == names
    assert " ".join(table[1::2]).split().count("E") == len(names)


@pytest.mark.parametrize(
    ("path", "contract", "own", "expected"),
    [
        ("s.jsonl", None, "pi", "condense repair s.jsonl --format pi"),
        ("-s.jsonl", None, "pi", "condense repair ./-s.jsonl --format pi"),
        ("<stdin>", None, "pi", "condense repair - --format pi"),
        ("s.jsonl", "pi", "pi", "condense repair s.jsonl --format pi"),
        ("s.jsonl", "gemini", "pi", "condense repair s.jsonl --contract gemini --format pi"),
        ("a'b\n.jsonl", None, "pi", r"condense repair $'a\'b\012.jsonl' --format pi"),
    ],
)
def test_next_command(written, finding, report, path, contract, own, expected):
    """The next command names the file and the contract that minds, in a form that a shell takes as it stands."""
    text = written(
        writer,
        report(finding(contract=contract, fixable=True), path=path, own_contract=own),
        arguments=("--format", "pi"),
    )

    assert f"\n  next: {expected}\n" in text


@pytest.mark.parametrize("more", [{"fixable": False}, {"fixable": True, "severity": INFO}])
def test_no_next_command_where_repair_would_do_nothing(written, finding, report, more):
    """Without a fixable error or warning no command is offered."""
    assert "next:" not in written(writer, report(finding(**more)))


@pytest.mark.parametrize("color", [False, True])
def test_hostile_ids_stay_text(written, finding, report, hostile, color):
    """Ids, paths, details and answers can neither steer the terminal nor be read as markup, nor begin a line."""
    text = written(
        writer,
        report(
            finding(call_id=hostile, entry=hostile, detail=hostile, contract=hostile, provider_error=hostile),
            path=hostile,
        ),
        color=color,
    )

    shown = re.sub(r"\x1b\[[0-9;]*m", "", text) if color else text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800]", shown)
    assert shown.count("[bold]x[/bold]:smile:") == 6
    assert len(shown.splitlines()) == 5


def test_colour_changes_nothing_but_colour(written, finding, report, unreadable):
    """With colour the same text comes out, lines longer than any terminal included; without it no escape does."""
    reports = (
        report(finding(call_id="c" * 300, related=tuple(range(1, 200)), detail="x" * 200, fixable=True)),
        unreadable,
    )

    plain, coloured = written(writer, *reports), written(writer, *reports, color=True)
    assert "\x1b" not in plain
    assert "\x1b[1;31merror\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_colour_does_not_ask_the_environment(written, finding, report, monkeypatch):
    """Whether there is colour was decided before: NO_COLOR and TERM are not read a second time."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")

    assert "\x1b[1;31merror\x1b[0m" in written(writer, report(finding()), color=True)


def test_summary_can_be_left_out(written, report):
    """A sound file without a summary is silent."""
    assert written(writer, report(), summary=False) == ""


def test_reports_are_written_as_they_come(finding, report):
    """A file's findings are on the stream before the next file is checked."""
    stream = io.StringIO()

    def reports():
        yield report(finding())
        assert stream.getvalue().startswith("s.jsonl\n  error orphan-result at line 4")
        yield report()

    writer.write(reports(), stream)
    assert stream.getvalue().endswith("2 files checked: 1 error, 0 warnings, 0 infos\n")


def test_plain_report_does_not_load_rich():
    """A report without colour imports neither Rich nor orjson."""
    code = (
        "import sys; from condense_cli.model.findings import Report; from condense_cli.output import changes, terminal\n"
        "terminal.write([Report('p', 'pi', None, 1, 0, 0, 0, ())], sys.stdout)\n"
        "print([name for name in ('rich', 'orjson') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout == "1 file checked: 0 errors, 0 warnings, 0 infos\n[]\n"


def test_progress_is_silent_in_a_pipe():
    """Progress writes nothing to what is no terminal."""
    stream = io.StringIO()
    with writer.progress(3, "checking", stream) as advance:
        advance()
        advance(2)

    assert stream.getvalue() == ""


def test_progress_draws_on_a_terminal(terminal, monkeypatch):
    """On a terminal a bar shows what is worked on, and a name with markup or escapes in it stays text."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with writer.progress(2, "[bold]s\x1b.jsonl", terminal) as advance:
        advance(2)

    assert r"[bold]s\x1b.jsonl" in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    assert "100%" in terminal.getvalue()
