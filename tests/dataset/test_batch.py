"""Batches of rows from Python."""

import copy
import pickle

import pytest
from condense_cli.dataset.batch import check_batch, repair_batch
from tests.dataset.rows import GOOD, asks, call, chat

ROWS = [{"id": 1, "messages": GOOD}, {"id": 2, "messages": chat(asks(call("c1")))}, {"id": 3, "text": "x"}]


def test_findings_say_their_row_and_can_be_pickled():
    """One finding for each break; a row that is not understood is one, too."""
    found = check_batch(ROWS)

    assert [(f.row, f.rule, f.index) for f in found] == [(1, "unanswered-call", 1), (2, "unreadable-line", None)]
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_repair_changes_nothing_that_it_was_given():
    """Sound rows are the same objects, broken ones are new."""
    before = copy.deepcopy(ROWS)
    new = repair_batch(ROWS)

    assert before == ROWS
    assert new[0] is ROWS[0]
    assert new[2] is ROWS[2]
    assert check_batch(new[:2]) == []


def test_arrow_batches():
    """An Arrow record batch is read like its rows."""
    pa = pytest.importorskip("pyarrow")
    (batch,) = pa.Table.from_pylist(ROWS[:1]).to_batches()

    assert [f.rule for f in check_batch(batch)] == [f.rule for f in check_batch(batch.to_pylist())]
