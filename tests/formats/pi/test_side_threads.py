"""A check of side threads finds the same whether it looks at all of each or only at what is their own."""

import json

import pytest
from condense_cli.check.engine import find
from condense_cli.check.judge import judge
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats import BY_NAME
from condense_cli.formats.pi import side_threads, threads
from condense_cli.formats.read import read_document
from condense_cli.rules.contracts import CONTRACTS
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import as_lines, calls, law, pi_records, pi_trees

PI = BY_NAME["pi"]


def read(records):
    """A document of these records."""
    return read_document("s.jsonl", BytesInMemory(b"".join(as_lines(records))), "pi")


def found(document, contract):
    """What is found in all threads, for comparison."""
    judged = judge(document, find(document, [contract], every=True).findings, contract, "pi")
    return [(f.rule, f.line, f.part, f.call_id, f.variant, f.severity, f.related, f.detail) for f in judged]


PLAIN = [("user",), ("user",), ("text",), *(message for i in "xyz" for message in (calls([i]), ("result", i)))]


@st.composite
def bushes(draw):
    """A pi session of messages alone, in which every fourth one hangs on any message before it."""
    header, *entries = pi_records(draw(st.lists(st.sampled_from(PLAIN), min_size=4, max_size=16)))
    for n, entry in enumerate(entries):
        if n and draw(st.integers(0, 3)) == 0:
            entry["parentId"] = draw(st.sampled_from(entries[:n]))["id"]
        if draw(st.integers(0, 12)) == 0 and isinstance(entry["message"]["content"], list):
            entry["message"]["content"].insert(0, {"type": "text", "text": ""})
    return [header, *entries]


@law(200)
@given(st.one_of(bushes(), bushes(), bushes(), pi_trees()), st.sampled_from(sorted(CONTRACTS)))
def test_the_same_is_found_in_whole_threads(records, contract):
    """Whatever the branches hold: calls that wait, results of others' calls, ids that are used again."""
    document = read(records)
    short = found(document, contract)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(PI), "looked_at", lambda self, document: self.views(document, None, every=True))
        assert short == found(read(records), contract)


def test_a_result_whose_call_comes_only_on_another_thread():
    """Before its call on one thread, it has no call on the other."""
    records = pi_records([("user",), ("result", "y"), ("user",), ("text",), calls(["y"])])
    records[5]["parentId"] = records[3]["id"]

    assert {rule for rule, line, *_ in found(read(records), "pi") if line == 3} == {"result-before-call", "orphan-result"}


def deep(n):
    """A trunk of turns with a call each, and beside every message a leaf."""
    header, *trunk = pi_records([message for i in range(n) for message in (("user",), calls([f"c{i}"]), ("result", f"c{i}"))])
    leaves = [{**json.loads(json.dumps(trunk[0])), "id": f"ffff{i:04x}", "parentId": entry["id"]} for i, entry in enumerate(trunk)]
    return [header, *leaves, *trunk][:1] + [entry for pair in zip(trunk, leaves, strict=True) for entry in pair]


def test_time_is_linear_in_the_threads():
    """Each side thread is only its end, from the last user's message above which no call waits."""
    document = read(deep(30))
    views = list(PI.looked_at(document))

    assert len(views) == len(threads.leaves(document)) == len(list(PI.views(document, None, every=True)))
    assert max(len(view.path) for view in views[1:]) == 4
    assert [view.leaf for view in views] == [view.leaf for view in PI.views(document, None, every=True)]


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "compaction", "summary": "so far", "firstKeptEntryId": "00000001", "tokensBefore": 9},
        {"type": "context_edit", "targetId": "00000001", "replacement": None},
        {"type": "model_change", "provider": "elsewhere", "modelId": "another"},
        {"type": "message", "message": {"role": "user", "content": [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}], "timestamp": 1}},
    ],
)
def test_what_changes_other_messages_is_looked_at_whole(entry):
    """Where an entry has a say in what is read of others, no thread is shortened."""
    records = deep(3)
    last = records[-1]
    document = read([*records, {"id": "eeeeeeee", "parentId": last["id"], "timestamp": last["timestamp"], **entry}])
    whole = [len(view.path) for view in PI.views(document, None, every=True)]

    assert [len(view.path) for view in side_threads.looked_at(document)] == whole
