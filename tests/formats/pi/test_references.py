"""References of pi-condense's entries, and of pi's own, that lead nowhere."""

import pytest
from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from tests.strategies import as_lines, calls, pi_records


def found(*entries, path="s.jsonl", rules=("dangling-ref", "missing-blob")):
    """What is found about entries behind a turn with the call `a`: rule, severity, line and id."""
    records = pi_records([("user",), calls(["a"]), ("result", "a"), ("text",)])
    for n, entry in enumerate(entries):
        records.append({"id": f"e000000{n}", "parentId": records[-1]["id"], "timestamp": records[-1]["timestamp"], **entry})
    document = read_document(path, BytesInMemory(b"".join(as_lines(records))), "pi")
    return [(f.rule, str(f.severity), f.line, f.call_id) for f in check(document, ["pi"]).findings if f.rule in rules]


def custom(kind, **data):
    """An entry of pi-condense."""
    return {"type": "custom", "customType": f"context-prune-{kind}", "data": data}


def summary(*ids):
    """A summary that stands for calls."""
    refs = [{"shortId": f"t{n}", "toolCallId": ident} for n, ident in enumerate(ids, 1)]
    return {"type": "custom_message", "customType": "context-prune-summary", "content": "s", "display": True, "details": {"toolCallRefs": refs}}


def index(*ids, **more):
    """An index record of outputs."""
    return custom("index", toolCalls=[{"toolCallId": ident, **more} for ident in ids])


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("make", "lost"),
    [
        pytest.param(lambda ok: [summary("a" if ok else "b")], "b", id="a summary"),
        pytest.param(lambda ok: [custom("dedup-alias", originalToolCallId="a" if ok else "b")], "b", id="an alias"),
        pytest.param(lambda ok: [custom("chain", droppedToolCallIds=["a" if ok else "b"])], "b", id="a dropped call"),
        pytest.param(lambda ok: [custom("refs", refs=[{"shortId": "t1", "toolCallId": "a"}]), custom("chain", toolRefs=["t1" if ok else "t2"])], "t2", id="a reference"),
    ],
)
def test_what_an_entry_names_must_be_known(make, lost, known):
    """An id that neither the thread nor the index has is told, at the entry that names it."""
    entries = make(known)

    assert found(*entries) == ([] if known else [("dangling-ref", "info", 5 + len(entries), lost)])


def test_what_the_index_has_is_known():
    """A call that left the session is named rightly as long as the index has its output, wherever that stands."""
    assert found(index("b"), summary("b")) == []
    assert found(summary("b"), index("b")) == []


def test_only_what_is_lost_is_told():
    """Of several ids each lost one is a finding of its own."""
    assert [call for *_, call in found(custom("chain", droppedToolCallIds=["a", "b", "a", "c"]))] == ["b", "c"]


@pytest.mark.parametrize(
    ("target", "kept"),
    [("00000001", []), ("deadbeef", [("dangling-ref", "warning", 6, None)]), ("e0000001", [("dangling-ref", "warning", 6, None)]), ("e0000000", [])],
    ids=["on the path before it", "nowhere", "behind it", "itself: keep nothing"],
)
def test_a_compaction_keeps_from_an_entry_before_it(target, kept):
    """Where that entry is not on the path before it nothing is kept, and nobody is told: a warning."""
    compaction = {"type": "compaction", "summary": "s", "firstKeptEntryId": target, "tokensBefore": 1}

    assert found(compaction, {"type": "session_info", "name": "x"}) == kept


@pytest.mark.parametrize(
    ("entry", "there"),
    [
        ({"type": "label", "targetId": "00000001", "label": "x"}, True),
        ({"type": "label", "targetId": "deadbeef", "label": "x"}, False),
        ({"type": "label", "targetId": ["x"], "label": "x"}, True),
        ({"type": "context_edit", "targetId": "00000001", "replacement": None}, True),
        ({"type": "context_edit", "targetId": "deadbeef", "replacement": None}, False),
    ],
)
def test_labels_and_edits_name_entries(entry, there):
    """One that names no entry of the file is told; a name of another type is none."""
    assert found(entry) == ([] if there else [("dangling-ref", "info", 6, None)])


def test_an_entry_on_another_branch_is_there():
    """A label may name what is in the file, though not on this thread."""
    records = pi_records([("user",), ("text",), ("user",), ("text",)])
    records[3]["parentId"] = records[1]["id"]
    records.append({"type": "label", "id": "e0000000", "parentId": records[4]["id"], "timestamp": records[4]["timestamp"], "targetId": records[2]["id"], "label": "x"})
    document = read_document("s.jsonl", BytesInMemory(b"".join(as_lines(records))), "pi")

    assert [f.rule for f in check(document, ["pi"]).findings] == []


def test_a_spilled_output_must_be_there(tmp_path):
    """Where its file was written, or in the session's own folder of blobs; else a warning with the call's id."""
    session = tmp_path / "s.jsonl"
    blob = tmp_path / "elsewhere" / "b.txt"
    entry = index("b", spillPath=str(blob))

    assert found(entry, path=str(session)) == [("missing-blob", "warning", 6, "b")]
    own = tmp_path / "5e551011-blobs" / "b.txt"
    own.parent.mkdir()
    own.write_text("output")
    assert found(entry, path=str(session)) == []
    own.rename(tmp_path / "gone")
    blob.parent.mkdir()
    blob.write_text("output")
    assert found(entry, path=str(session)) == []


@pytest.mark.parametrize("value", [None, 1, "x", [], [1], [None], {}, {"a": 1}, [{}], [{"toolCallId": 1}]])
def test_entries_of_any_shape_are_read(value):
    """Data that pi-condense would not write names nothing that could be lost."""
    entries = [
        {**custom("index"), "data": value},
        custom("index", toolCalls=value, refs=value),
        custom("chain", toolRefs=value if value != "x" else None, droppedToolCallIds=value),
        custom("dedup-alias", originalToolCallId=value if value != "x" else None),
        {**summary(), "details": value},
        {**summary(), "details": {"toolCallRefs": value}},
    ]

    assert found(*entries) == []
