"""Files that are checked one by one: what goes wrong with one of them never hides the others."""

import json
from pathlib import Path

import pytest
from condense_cli.cli.check import files
from tests.strategies import condense, pi_file

ORPHAN = pi_file([("user",), ("result", "b"), ("text",)])


@pytest.fixture
def three(tmp_path, monkeypatch):
    """Three sessions; what reads the second one raises."""
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b", "c"):
        Path(f"{name}.jsonl").write_bytes(ORPHAN)
    check = files.check

    def failing(problem):
        def one(document, *words, **more):
            if document.path == "b.jsonl":
                raise problem
            return check(document, *words, **more)

        monkeypatch.setattr(files, "check", one)
        return condense("check", "a.jsonl", "b.jsonl", "c.jsonl", "--json")

    return failing


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        (KeyError("text of a session"), 70, "bug: KeyError at test_files.py:"),
        (RecursionError(), 70, "bug: RecursionError at test_files.py:"),
        (PermissionError(13, "Permission denied", "b.jsonl"), 3, "b.jsonl: Permission denied"),
        (MemoryError(), 3, "out of memory"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_goes_wrong_with_one_file_hides_no_other(three, problem, code, said):
    """The report of that file has an error, JSON stays whole, and the others are reported."""
    outcome = three(problem)
    reports = json.loads(outcome.out)["files"]

    assert outcome.code == code
    assert [len(report["findings"]) for report in reports] == [1, 0, 1]
    assert [report["error"] is not None for report in reports] == [False, True, False]
    assert reports[1]["error"].startswith(said)
    assert "text of a session" not in outcome.out.decode() + outcome.err


def test_a_worker_that_is_killed_hides_no_file(tmp_path, monkeypatch):
    """What the pool cannot finish is checked here."""
    from concurrent.futures.process import BrokenProcessPool

    monkeypatch.chdir(tmp_path)
    for number in range(5):
        Path(f"{number}.jsonl").write_bytes(ORPHAN)

    class Pool:
        def __init__(self, *_words, **_more):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_problem):
            return None

        def map(self, one, found, **_more):
            yield one(found[0])
            raise BrokenProcessPool

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", Pool)
    outcome = condense("check", "-j", "2", "--json", ".")

    assert [report["path"] for report in json.loads(outcome.out)["files"]] == [f"{number}.jsonl" for number in range(5)]
