"""Pruning of the journal."""

from __future__ import annotations

import pytest
from condense_cli.model.plan import Put
from condense_cli.storage import journal
from condense_cli.storage.journal_record import JournalRecord, Status
from condense_cli.storage.pruning import prune
from condense_cli.storage.spans import write_private
from condense_cli.storage.state import lock

NOW = 1_800_000_000.0


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "condense" / "journal"


def add(state, path, days, size=10):
    from condense_cli.storage.journal_record import as_json

    record = JournalRecord("", 0.0, path, "pi", "repair -i", (), "0" * 64, size, "1" * 64, 5, 0o600, 0, Status.DONE)
    record = journal.prepare(record, (Put(bytes(range(256)) * (size // 256) + b"x" * (size % 256)),))
    record = record._replace(time=NOW - days * 86400)
    write_private(str(state / record.id / "meta.json"), as_json(record))
    return record


def test_records_older_than_ninety_days_are_removed_but_never_the_newest_of_a_session(state):
    """The newest record of a session stays however old it is."""
    old = add(state, "/s/a", 100)
    newest = add(state, "/s/a", 95)
    lonely = add(state, "/s/b", 1000)
    young = add(state, "/s/c", 89)
    add(state, "/s/c", 1)
    done = prune(now=NOW)
    assert [one.id for one in done.removed] == [old.id]
    assert {newest.id, lonely.id, young.id} <= {one.id for one in journal.records()}
    assert (done.left, len(journal.records())) == (4, 4)


def test_the_oldest_records_beyond_the_size_are_removed(state):
    """What is left is no larger than was asked for."""
    records = [add(state, "/s/a", 10 - n, size=5000) for n in range(5)]
    done = prune(now=NOW, max_bytes=2 * 5600)
    assert [one.id for one in done.removed] == [one.id for one in records[:3]]
    assert done.bytes > 3 * 5000
    assert prune(now=NOW, max_bytes=0).left == 1


def test_the_record_of_a_session_that_is_being_repaired_stays(state):
    """Another condense has the lock: its records are left alone."""
    add(state, "/s/a", 100)
    add(state, "/s/a", 99)
    with lock("/s/a"):
        assert prune(now=NOW).removed == ()
    assert len(prune(now=NOW).removed) == 1
