"""condense scan: the totals, findings and repaired rows of data sets."""

import json

import pytest
from tests.dataset.rows import GOOD, asks, call, chat, lines
from tests.strategies import condense

BROKEN = chat(asks(call("c1")))


@pytest.fixture
def data(tmp_path):
    """A folder with two files of rows, one of them below another folder."""
    (tmp_path / "in" / "more").mkdir(parents=True)
    (tmp_path / "in" / "a.jsonl").write_bytes(lines(*({"id": f"a{n}", "messages": BROKEN if n == 1 else GOOD} for n in range(4))))
    (tmp_path / "in" / "more" / "b.jsonl").write_bytes(lines({"id": "b0", "messages": BROKEN}))
    return tmp_path / "in"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_totals(data, jobs):
    """Counts of conversations and findings, as a table and as JSON; 1 when something is broken."""
    outcome = condense("scan", data, "-j", jobs, "--json")
    assert outcome.code == 1
    assert json.loads(outcome.out) == {"conversations": 5, "broken": 2, "unreadable": 0, "rules": {"unanswered-call": 2}}
    outcome = condense("scan", data)
    assert outcome.out == b"unanswered-call           2\n\n5 conversations: 2 broken, 0 not understood\n"


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_findings_are_written(data, tmp_path, ending):
    """A line for each finding, with the number of its row in its file and the row's own id."""
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"findings.{ending}"
    assert condense("scan", data, "--findings", path).code == 1

    if ending == "parquet":
        from pyarrow import parquet

        found = parquet.read_table(path).to_pylist()
    else:
        found = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(row["file"], row["row"], row["id"], row["rule"], row["severity"], row["index"]) for row in found] == [
        (str(data / "a.jsonl"), 1, "a1", "unanswered-call", "error", 1),
        (str(data / "more" / "b.jsonl"), 0, "b0", "unanswered-call", "error", 1),
    ]


def test_fix_writes_the_same_layout(data, tmp_path):
    """Repaired rows below another folder, which is sound then; the input is untouched, and nothing else is left there."""
    before = (data / "a.jsonl").read_bytes()
    outcome = condense("scan", data, "--fix", "-o", tmp_path / "out")
    assert outcome.code == 1

    assert sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*") if p.is_file()) == ["a.jsonl", "more/b.jsonl"]
    assert condense("scan", tmp_path / "out").code == 0
    assert (data / "a.jsonl").read_bytes() == before
    assert (tmp_path / "out" / "a.jsonl").read_bytes().splitlines()[0] == before.splitlines()[0]


def test_drop_leaves_broken_rows_out(data, tmp_path):
    """What is left is sound and as it was."""
    condense("scan", data, "--drop", "-o", tmp_path / "out")
    before = (data / "a.jsonl").read_bytes().splitlines()

    assert (tmp_path / "out" / "a.jsonl").read_bytes().splitlines() == [before[0], *before[2:]]


def test_parquet_keeps_its_schema(tmp_path):
    """Rows of Parquet are read group by group, repaired, and written with the columns as they were."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [{"id": n, "messages": json.dumps(BROKEN if n == 3 else GOOD), "score": 0.5} for n in range(9)]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "rows.parquet", row_group_size=2)
    outcome = condense("scan", tmp_path / "rows.parquet", "--fix", "-o", tmp_path / "out", "--json")

    assert json.loads(outcome.out)["broken"] == 1
    new = parquet.read_table(tmp_path / "out" / "rows.parquet")
    assert new.schema == pa.Table.from_pylist(rows).schema
    assert new.to_pylist()[:3] == rows[:3]
    assert condense("scan", tmp_path / "out").code == 0


def test_a_run_that_was_stopped_goes_on(data, tmp_path, monkeypatch):
    """Parts that were judged before are taken as they are; another input is judged anew."""
    from condense_cli.dataset import folder, task

    parts = []
    monkeypatch.setattr(folder, "assemble", lambda *_: iter(()))
    condense("scan", data, "--fix", "-o", tmp_path / "out", "-j", "1")
    monkeypatch.undo()
    monkeypatch.setattr(folder, "run", lambda part, work: parts.append(part.path) or task.run(part, work))
    (data / "more" / "b.jsonl").write_bytes(lines({"messages": GOOD}))
    assert condense("scan", data, "--fix", "-o", tmp_path / "out", "-j", "1").code == 1

    assert parts == [str(data / "more" / "b.jsonl")]


@pytest.mark.parametrize(
    ("words", "code"),
    [(("--fix",), 2), (("-o", "out"), 2), (("--column", "nothing"), 3), (("--engine", "ray", "--fix"), 2)],
)
def test_what_does_not_agree_is_said(data, words, code):
    """Options that need each other, and a column that holds no conversation."""
    assert condense("scan", data, *words).code == code


def test_nothing_found_is_an_error(tmp_path):
    """A folder without rows, and a path that is not there."""
    assert condense("scan", tmp_path).code == 3
    assert condense("scan", tmp_path / "no.jsonl").code == 3
