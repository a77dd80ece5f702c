"""What pi-condense notices is shown by check, each at the record that it is about."""

import json
from pathlib import Path

import pytest
from condense_cli.model.messages import Role
from condense_cli.pairing.turn import turn
from condense_cli.pi_condense.prune.settings import Settings
from condense_cli.pi_condense.prune.sweeps import as_outlines
from condense_cli.pi_condense.prune.views import render
from condense_cli.session.opened import open_session
from tests import oracle
from tests.strategies import calls, condense, pi_records, session_file

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").glob("*/*/session.jsonl"))
NAMES = {"unresolved-range", "range-id-mismatch", "orphan-sweep", "backfill-empty"}


def session(*more, messages="U A(x) R(x) T"):
    """A pi session with records of pi-condense at its end."""
    records = pi_records(oracle.notation(messages))
    for number, (kind, data) in enumerate(more):
        records.append({"type": "custom", "customType": kind, "data": data, "id": f"feed000{number}", "parentId": records[-1]["id"], "timestamp": records[-1]["timestamp"]})
    return records


def chain(records, *, ids, start=1, end=-1):
    times = [record["message"]["timestamp"] for record in records if record["type"] == "message"]
    return ("context-prune-chain", {"blockId": "b1", "startUserTimestamp": times[start - 1], "finalAssistantTimestamp": times[end], "droppedToolCallIds": ids, "droppedOccurrenceKeys": [], "protectedToolCallIds": [], "toolRefs": [], "compressedAt": 1, "rangeSummaryText": "s"})


def checked(records, *options):
    with session_file(b"".join(json.dumps(record).encode() + b"\n" for record in records)) as path:
        report = json.loads(condense("check", "--json", *options, path).out)
    return [(f["rule"], f["severity"], f["line"], f["detail"]) for f in report["files"][0]["findings"] if f["rule"] in NAMES]


def test_a_range_with_other_calls_is_told_at_its_record():
    """The calls that were recorded for a chain are not those in it."""
    records = session()
    records = session(chain(records, ids=["other"]))

    assert checked(records) == [("range-id-mismatch", "info", 6, "blockId=b1 recorded=1 actual=1")]


def test_swept_orphans_are_told_at_the_first():
    """An orphan in a session that pi-condense works on: error of the file, and info of pruning."""
    records = session(("context-prune-stats", {}), messages="U R(lost) A(x) R(x) R(gone) T")

    assert checked(records) == [("orphan-sweep", "info", 3, "swept 2 orphan toolResult(s): gone, lost")]
    assert checked(session(messages="U R(lost) T")) == []


def test_stored_notices_are_shown_once():
    """A stored text that is pi-condense's own is repeated; any other is not, and what is noticed now is told once."""
    told = [
        ("context-prune-diagnostic", {"kind": "backfill-empty", "detail": "middles=4"}),
        ("context-prune-diagnostic", {"kind": "backfill-empty", "detail": "middles=4"}),
        ("context-prune-diagnostic", {"kind": "orphan-sweep", "detail": "my password"}),
        ("context-prune-diagnostic", {"kind": "orphan-result", "detail": "x"}),
        ("context-prune-diagnostic", None),
    ]
    assert checked(session(*told)) == [("backfill-empty", "info", 6, "middles=4"), ("orphan-sweep", "info", 8, "")]

    records = session()
    noticed = ("context-prune-diagnostic", {"kind": "range-id-mismatch", "detail": "blockId=b1 recorded=1 actual=1"})
    assert len(checked(session(chain(records, ids=["other"]), noticed))) == 1


def test_a_name_is_selected_ignored_and_explained():
    """They are rules like others."""
    records = session(chain(session(), ids=["other"]))

    assert checked(records, "--ignore", "range-id-mismatch") == checked(records, "--select", "orphan-sweep") == []
    assert len(checked(records, "--select", "range-id-mismatch")) == 1
    for name in NAMES:
        assert condense("explain", name).code == 0


def test_the_dry_run_of_render_tells_them():
    """--dry-run shows what pruning changes, and what it noticed."""
    records = session(chain(session(), ids=["other"]))
    with session_file(b"".join(json.dumps(record).encode() + b"\n" for record in records)) as path:
        assert "range-id-mismatch" in condense("render", "--dry-run", path).err
        assert condense("render", "--dry-run", "-q", path).err == ""


def test_the_rendered_view_judges_what_pruning_leaves():
    """A call that a chain takes away is no finding any more; one that stays open is, at its own line."""
    messages = "U A(x) T U A(y) U"
    records = session(chain(session(messages=messages), ids=["x"], end=2), messages=messages)
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    with session_file(data) as path:
        lines = {view: [f["line"] for f in json.loads(condense("check-orphans", "--json", "--view", view, path).out)["files"][0]["findings"]] for view in ("context", "rendered")}

    assert lines == {"context": [3, 6], "rendered": [6]}


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.parent.name)
def test_pruning_sweeps_nothing_that_was_paired(path):
    """What the sweep takes out had no call right before it in the context either, and what stays is what a turn asked for."""
    settings = Settings()
    with open_session(str(path)) as opened:
        rendering = render(opened.branch(), opened.loader(), settings)
        pruning = rendering.pruning
        outlines = as_outlines([place.facts for place in pruning.places])
        paired = {number for number, outline in enumerate(outlines) if outline.message.role is Role.RESULT} - {half.record.line for half in turn(outlines).gone}
        swept = {number for number, reason in pruning.dropped.items() if reason == "result without its call"}
        after = as_outlines([pruning.places[step].facts for step in pruning.steps if isinstance(step, int)])

    assert not swept & paired
    assert not turn(after).gone


def test_exempt_tools_need_no_result(tmp_path):
    """check, diff and repair leave the open calls of an exempt tool alone, the plan file remembers it, others are answered."""
    records = pi_records([("user",), ("call", ["x", "y"], ["wait", "bash"]), ("user",), calls("z"), ("result", "z"), ("text",)])
    path, plan = tmp_path / "s.jsonl", tmp_path / "plan.json"
    path.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in records))

    def open_calls(*options):
        found = json.loads(condense("check", "--json", *options, path).out)["files"][0]["findings"]
        return [f["call_id"] for f in found if f["rule"] == "unanswered-call"]

    assert open_calls() == ["x", "y"]
    assert open_calls("--exempt-tool", "wait") == open_calls("--view", "rendered", "--exempt-tool", "wait") == ["y"]
    assert condense("diff", "--exempt-tool", "wait", "--exempt-tool", "bash", path).code == 0
    out = condense("repair", "--exempt-tool", "wait", path)
    assert "--exempt-tool wait" in out.err
    assert condense("repair", "--exempt-tool", "wait", "--plan-out", plan, path).code == 1
    assert condense("repair", "--plan", plan, "-o", tmp_path / "new.jsonl", path).code == 0
    answered = [json.loads(line)["message"]["toolCallId"] for line in (tmp_path / "new.jsonl").read_text().splitlines() if '"toolResult"' in line]
    assert answered == ["y", "z"]
    assert condense("check", "--exempt-tool", "wait", tmp_path / "new.jsonl").code == 0
