"""`condense check-orphans`: the pairing rules and no others."""

import json

import pytest
from condense_cli.rules.catalogue import PAIRING_RULES
from tests.strategies import calls, condense, pi_file

ORPHAN = [("user",), ("result", "b"), ("text",)]


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    """An empty folder, and nothing in the environment that changes what is printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


@pytest.fixture
def put(tmp_path):
    """Write a session below the current folder and return its name."""

    def written(messages, name="s.jsonl", *, damaged=False):
        data = pi_file(messages)
        if damaged:
            head, rest = data.split(b"\n", 1)
            data = head + b"\nno record\n" + rest[:-1]
        (tmp_path / name).write_bytes(data)
        return name

    return written


def rules(command, *arguments):
    """The rules that a command finds broken."""
    outcome = condense(command, "--output-format", "json", *arguments)
    return [finding["rule"] for finding in json.loads(outcome.out)["files"][0]["findings"]]


def test_only_pairing_is_looked_at(put):
    """What `check` finds on other layers is not told, and does not decide the exit code."""
    path = put([("user",), ("call", ["a"], ["ba sh"]), ("result", "a"), ("text",)], damaged=True)

    assert rules("check", path) == ["unreadable-line", "invalid-tool-name", "missing-final-newline"]
    assert rules("check-orphans", path) == []
    assert condense("check-orphans", "--fail-on", "info", path).code == 0


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        pytest.param(ORPHAN, "orphan-result", id="orphan-result"),
        pytest.param([("user",), calls(["a"]), ("user",)], "unanswered-call", id="unanswered-call"),
        pytest.param([("user",), calls(["a"])], "trailing-call", id="trailing-call"),
        pytest.param([("user",), calls(["a"]), ("user",), ("result", "a"), ("text",)], "displaced-result", id="displaced-result"),
        pytest.param([("user",), ("result", "a"), calls(["a"]), ("text",), ("user",)], "result-before-call", id="result-before-call"),
        pytest.param([("user",), calls(["a"]), ("result", "a"), ("result", "a"), ("text",)], "duplicate-result", id="duplicate-result"),
        pytest.param([("user",), calls(["a", "a"]), ("result", "a"), ("result", "a"), ("text",)], "duplicate-call-id", id="duplicate-call-id"),
        pytest.param([("user",), calls(["a"]), ("result", "a"), calls(["a"]), ("result", "a"), ("text",)], "reused-id", id="reused-id"),
    ],
)
def test_each_class_of_pairing_is_found(put, messages, rule):
    """One fault gives one finding, and it is one of the pairing rules."""
    assert rules("check-orphans", put(messages)) == [rule]
    assert rule in PAIRING_RULES


def test_the_exit_code_is_that_of_check(put):
    """0 for sound, 1 for an orphan, 2 for a wrong option, 3 for what is no session or not there."""
    assert condense("check-orphans", put([("user",), ("text",)])).code == 0
    assert condense("check-orphans", put(ORPHAN)).code == 1
    assert condense("check-orphans", "--fail-on", "never", put(ORPHAN)).code == 0
    assert condense("check-orphans", "--select", "nothing", put(ORPHAN)).code == 2
    assert condense("check-orphans", "missing.jsonl").code == 3


def test_select_and_ignore_choose_among_the_pairing_rules(put):
    """--select narrows the pairing rules, --ignore takes out."""
    path = put(ORPHAN, damaged=True)

    assert rules("check-orphans", "--select", "orphan-result", path) == ["orphan-result"]
    assert rules("check-orphans", "--select", "reused-id", path) == []
    assert rules("check-orphans", "--ignore", "orphan-result", path) == []


def test_a_contract_judges(put):
    """A call id used again is told as an error where the provider refuses it."""
    path = put([("user",), calls(["a"]), ("result", "a"), calls(["a"]), ("result", "a"), ("text",)])

    assert condense("check-orphans", path).code == 0
    assert condense("check-orphans", "--contract", "anthropic", path).code == 1
    assert condense("check-orphans", "--contract", "gemini", path).code == 0


def test_other_threads_and_leaves_are_looked_at_when_asked(put, tmp_path):
    """--all-threads and --leaf mean what they mean for check."""
    data = pi_file([("user",), ("result", "b"), ("text",), ("user",), ("text",)]).replace(b'"parentId":"00000003"', b'"parentId":"00000001"')
    (tmp_path / "t.jsonl").write_bytes(data)

    assert rules("check-orphans", "t.jsonl") == []
    assert rules("check-orphans", "--all-threads", "t.jsonl") == ["orphan-result"]
    assert rules("check-orphans", "--leaf", "00000003", "t.jsonl") == ["orphan-result"]


def test_a_rule_of_another_layer_is_a_usage_error(put):
    """It would find nothing and be green: the exit code is 2, and the command that looks for it is named."""
    outcome = condense("check-orphans", "--select", "torn-tail", put(ORPHAN))

    assert (outcome.code, outcome.out) == (2, b"")
    assert "condense check --select torn-tail" in outcome.err
