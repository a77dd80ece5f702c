"""condense explain: exit codes, stdout and stderr."""

from __future__ import annotations

import io
import json

import pytest
from condense_cli.cli import run
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import CONTRACTS

EXAMPLES = {name: rule.example for name, rule in RULES.items()}
UNANSWERED = "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: {}. Each `tool_use` block must have a corresponding `tool_result` block in the next message."


@pytest.fixture
def explain(capsys):
    """Run `condense explain`; return exit code, stdout and stderr."""

    def go(*arguments: str) -> tuple[int, str, str]:
        code = run(["explain", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return go


@pytest.fixture
def broken(tmp_path):
    """A pi session whose call on line 3 was never answered."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(EXAMPLES["unanswered-call"].data)
    return str(path)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_explained_with_meaning_repair_contracts_and_example(explain, rule):
    """Every rule has a sheet of printable text that ends with its example."""
    code, out, err = explain(rule)
    assert (code, err) == (0, "")
    assert out.startswith(f"{rule} · {RULES[rule].layer.value}\n  means   ")
    assert "Who rejects it\n" in out
    assert f"the finding is on line {EXAMPLES[rule].line}\n" in out
    assert all(character.isprintable() or character == "\n" for character in out)


@pytest.mark.parametrize("rule", RULES)
def test_text_fits_80_columns_but_for_the_example(explain, rule):
    """Only the lines of the example are longer than a terminal."""
    _, out, _ = explain(rule)
    assert [line for line in out.partition("\nExample")[0].split("\n") if len(line) > 80] == []


def test_the_whole_sheet_of_a_rule(explain):
    """A sheet names every contract with its evidence, and the contracts that do not mind."""
    sheet = explain("foreign-session")[1].split("\n\nExample")[0]
    assert sheet.startswith(
        "foreign-session · tree\n"
        "  means   it was written by another session\n"
        "  repair  nothing: it is reported only\n"
        "\n"
        "Who rejects it\n"
        "  claude-code      warning  seen in a public report,\n"
        "                            anthropics/claude-code#30802\n"
    )
    assert "\n  no rule for pi, openclaw, codex, " in sheet
    assert all(name in sheet.replace("\n  ", " ") for name in CONTRACTS)


def test_a_rule_as_json(explain):
    """The object has the rule's sentence, each contract's severities with evidence and source, and the example."""
    code, out, _ = explain("results-not-first", "--output-format", "json")
    value = json.loads(out)
    assert code == 0
    assert (value["version"], value["rule"], value["layer"], value["means"]) == (1, "results-not-first", "content", RULES["results-not-first"].means)
    assert [cell["severity"] for cell in value["contracts"]["anthropic"]] == ["error"]
    assert value["contracts"]["pi"] == []
    assert value["errors"][0]["code"] == "AN-3"
    assert value["example"] == {"format": "anthropic", "line": 4, "text": EXAMPLES["results-not-first"].data.decode()}


def test_a_pasted_error_is_explained(explain):
    """A recognised error gives its code, rules, what it names, and the commands to go on with."""
    code, out, err = explain(UNANSWERED.format("toolu_1"))
    assert (code, err) == (0, "")
    assert out.startswith("E1 · Anthropic (anthropic)\n")
    assert "  names   id toolu_1; message 1 (counted from 0)\n" in out
    assert "  unanswered-call         the session went on without this call's result\n" in out
    assert out.endswith("next: condense check --contract anthropic SESSION\n      condense repair --contract anthropic SESSION\n")


def test_words_need_no_quotes(explain):
    """Several arguments are one text."""
    assert explain("due", "to", "tool", "use", "concurrency", "issues")[1].startswith("E3 · Claude Code")


def test_an_error_that_no_rule_explains_says_what_to_do(explain):
    """A refusal without a rule has advice, and no command that would find nothing."""
    code, out, _ = explain("E14")
    assert code == 0
    assert "Signed thinking of the latest turn" in out
    assert "next:" not in out


def test_the_text_may_come_from_stdin(explain, monkeypatch):
    """- reads the error from stdin, bytes that are no UTF-8 and all."""
    stdin = io.TextIOWrapper(io.BytesIO(b'\xff API Error: 400 {"message":"messages.2.content.0: `tool_use` ids must be unique"}\n'))
    monkeypatch.setattr("sys.stdin", stdin)
    code, out, _ = explain("-")
    assert (code, out[:3]) == (0, "E11")


def test_the_place_in_a_session_that_the_text_names(explain, broken):
    """The finding whose id is in the text is shown with file, line and entry id."""
    code, out, err = explain(UNANSWERED.format("call_1"), "--session", broken)
    assert (code, err) == (0, "")
    assert "call_1 is called on line 3, never answered\n" in out
    assert f"Named in the text:\n{broken}:3: error unanswered-call: {RULES['unanswered-call'].means}\n    call call_1; entry m2; part 0\n" in out
    assert out.endswith(f"next: condense check --contract anthropic {broken}\n      condense repair --contract anthropic {broken}\n")


def test_other_findings_of_the_rule_are_shown_where_the_text_names_none(explain, broken):
    """An id that the session does not have is said plainly, and the rule's findings are shown all the same."""
    code, out, _ = explain(UNANSWERED.format("toolu_elsewhere"), "--session", broken)
    assert code == 0
    assert f"toolu_elsewhere does not occur in this session\nFindings of these rules:\n{broken}:3: error unanswered-call" in out


def test_a_session_without_such_a_finding_is_said_to_be_sound_in_that(explain, tmp_path):
    """A session in which nothing is wrong ends with 1, says so, and has no command to go on with."""
    path = tmp_path / "sound.jsonl"
    path.write_bytes(EXAMPLES["trailing-call"].data)
    code, out, _ = explain("messages.1.content.0: Invalid `signature` in `thinking` block", "--session", str(path))
    assert code == 1
    assert f"{path}: no such finding in this session\n" in out
    assert "the error came from another session or an earlier state" in " ".join(out.split())
    assert "next:" not in out


def test_other_faults_of_the_session_are_pointed_to(explain, tmp_path):
    """Where the error's rules find nothing, the number of other findings is told with the command that shows them."""
    path = tmp_path / "cycle.jsonl"
    path.write_bytes(EXAMPLES["parent-cycle"].data)
    code, out, _ = explain("E2", "--session", str(path))
    assert code == 1
    assert "Other rules have 1 finding there" in out
    assert out.endswith(f"\nnext: condense check {path}\n")


def test_a_code_shows_all_wordings(explain):
    """The short name of an error gives each wording that goes by it."""
    out = explain("e12")[1]
    assert "E12 · Moonshot, Bedrock (kimi, bedrock)\n" in out
    assert "tool call id ID is duplicated" in out
    assert "contain duplicate Ids: ID" in out


def test_a_session_as_json(explain, broken):
    """The object has the matches, where the ids stand, and the findings with whether the text names them."""
    code, out, _ = explain(UNANSWERED.format("call_1"), "--session", broken, "--output-format", "json")
    value = json.loads(out)
    assert code == 0
    assert value["matches"][0]["ids"] == ["call_1"]
    assert (value["session"], value["ids"]) == (broken, [{"id": "call_1", "calls": [3], "results": []}])
    assert [(f["named"], f["rule"], f["line"], f["entry"], f["contract"]) for f in value["findings"]] == [(True, "unanswered-call", 3, "m2", "anthropic")]


def test_a_pasted_id_cannot_steer_the_terminal(explain, broken):
    """Control characters of a pasted text are shown as escapes."""
    _, out, _ = explain("No tool output found for function call call\x07\u202e1.", "--session", broken)
    assert "call\\x07\\u202e1" in out
    assert "\x07" not in out
    assert "\u202e" not in out


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_an_unknown_text_ends_with_1(explain, output_format):
    """A text that is none of the known errors is not found: the note goes to stderr, json has no matches."""
    code, out, err = explain("the disk is full", "--output-format", output_format)
    assert code == 1
    assert "none of the known errors" in err
    assert out == ("" if output_format == "text" else '{"version":1,"matches":[]}\n')


def test_a_slip_in_a_rules_name_suggests_the_rule(explain):
    """One word close to a rule gives that rule."""
    assert explain("orphan-resul") == (1, "", "condense: there is no rule 'orphan-resul'; did you mean orphan-result?\n")


@pytest.mark.parametrize("arguments", [("--contracts", "bom"), ("--contracts", "--session", "x"), ("-", "--session", "-"), ("bom", "--session", "x")])
def test_arguments_that_make_no_sense_end_with_2(explain, arguments):
    """Nothing to explain, two texts from stdin and options that do not go together are usage errors."""
    code, out, err = explain(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("condense: ")


def test_a_session_that_is_missing_ends_with_3(explain, tmp_path):
    """A session that cannot be read is no finding."""
    assert explain("E2", "--session", str(tmp_path / "none.jsonl"))[0] == 3


def test_the_table_fits_80_columns_and_names_every_rule_and_contract(explain):
    """The table has a row per rule, a head per layer and a legend."""
    code, out, _ = explain("--contracts")
    assert code == 0
    assert max(map(len, out.split("\n"))) <= 80
    assert [name for name in RULES if f"\n{name} " not in out] == []
    heads = [line.split()[1:] for line in out.split("\n") if line.startswith("pairing ")]
    assert sum(len(head) for head in heads) == len(CONTRACTS)
    marks = [line.split()[1:] for line in out.split("\n") if line.startswith("orphan-result ")]
    table = {short: mark for head, row in zip(heads, marks, strict=True) for short, mark in zip(head, row, strict=True)}
    assert (table["pi"], table["cc"], table["ant"], table["mis"]) == ("E", "W", "E", "E")
    assert "rsp=openai-responses" in out


def test_the_table_as_json(explain):
    """Each cell has severity, evidence and source; contracts that do not mind have none."""
    value = json.loads(explain("--contracts", "--output-format", "json")[1])
    rows = {row["rule"]: row["contracts"] for row in value["rules"]}
    assert list(rows) == list(RULES)
    assert [cell["severity"] for cell in rows["displaced-result"]["claude-code"]] == ["warning", "error"]
    assert rows["missing-header"]["anthropic"] == []
    assert all(cell["evidence"] and cell["source"] for row in rows.values() for cells in row.values() for cell in cells)


def test_a_text_that_is_no_fault_of_the_file_gets_advice(explain):
    """A full window is answered with what helps: compact."""
    code, out, err = explain("prompt is too long: 208310 tokens > 200000 maximum")
    assert (code, err) == (0, "")
    assert "the file is sound" in out
    assert out.endswith("next: condense compact SESSION\n")


def test_a_request_that_is_too_large_names_the_largest_messages(explain, tmp_path):
    """The records that weigh most come with their lines, the largest first."""
    path = tmp_path / "s.json"
    sizes = (10, 3000, 20, 900)
    messages = [{"role": "user" if n % 2 == 0 else "assistant", "content": "x" * size} for n, size in enumerate(sizes)]
    path.write_text("[" + ",\n".join(json.dumps(message) for message in messages) + "]")
    code, out, _ = explain("Request too large. Double press esc to go back and try with a smaller file.", "--session", str(path))
    assert code == 0
    rows = [line.split() for line in out.partition("The largest messages:\n")[2].splitlines()]
    assert [row[1] for row in rows[:2]] == ["2", "4"]
    assert out.endswith(f"next: condense compact {path}\n")


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("messages.2", "messages.2", 4),
        ("error at messages.1.content.0", "messages.1", 3),
        ("contents[2]", "contents[2]", 4),
        ("input[1]", "input[1]", 3),
        ("messages[2]", "messages[2]", 3),  # chat completions: the system prompt is message 0
    ],
)
def test_an_index_alone_leads_to_its_line(explain, broken, text, name, line):
    """With a session, a number in the request is enough."""
    assert explain(text, "--session", broken)[:2] == (0, f"{name} is {broken}:{line}\n")


def test_an_index_that_the_session_does_not_have_is_said(explain, broken):
    """A number beyond the end ends with 1."""
    code, out, _ = explain("messages.99", "--session", broken)
    assert code == 1
    assert "messages.99 is not in this session" in out


def test_an_index_without_a_session_asks_for_one(explain):
    """The note says how to get to the line."""
    assert "with --session SESSION it is told on which line messages[5] is" in explain("messages[5]")[2]


def test_indexes_and_sizes_are_in_the_json(explain, broken):
    """The object has the lines of each index."""
    value = json.loads(explain("messages.1", "--session", broken, "--output-format", "json")[1])
    assert value["indexes"] == [{"name": "messages.1", "lines": [3]}]
    assert value["largest"] == []


@pytest.mark.parametrize("number", range(1, 19))
def test_each_wire_rule_is_a_name(explain, number):
    """A wire rule is mapped to rules of condense, or it is said why it is about the request."""
    code, out, _ = explain(f"WC-{number:03}")
    assert code == 0
    assert out.startswith(f"WC-{number:03} · wire rule")
