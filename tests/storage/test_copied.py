"""What a new file lost is kept under its name: once, and only for a file that is one."""

import pytest
from condense_cli.errors import RefusedError
from condense_cli.model.plan import Copy, Put
from condense_cli.storage import journal
from condense_cli.storage.copied import keep_removed
from condense_cli.storage.journal_record import Repair, Status
from condense_cli.storage.source import open_source

REPAIR = Repair("pi", "condense repair -o", ("orphan-result",))


@pytest.fixture
def old(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "old").write_bytes(b"one\ntwo\nthree\n")
    with open_source(str(tmp_path / "old")) as source:
        yield source


def test_only_what_is_not_in_the_new_file_is_kept(old, tmp_path):
    """The journal holds the removed line; a second file in its place drops the record."""
    new = tmp_path / "new"
    new.write_bytes(b"one\nthree\n")
    keep_removed(str(new), old, (Copy(0, 4), Copy(8, 14)), repair=REPAIR)

    [record] = journal.records(copies=True)
    assert (record.status, record.path, record.new_size) == (Status.COPIED, str(new), 10)
    assert [data for _, data in journal.removed(str(new))] == [b"two\n"]
    assert journal.records() == [] and journal.latest() is None

    keep_removed(str(new), old, (Copy(0, 14), Put(b"four\n")), repair=REPAIR)
    assert journal.records(copies=True) == []


def test_a_stream_has_no_record(old, tmp_path):
    """Standard output and what is no regular file keep nothing."""
    for path in ("-", "/dev/null", str(tmp_path / "absent")):
        keep_removed(path, old, (Copy(0, 4),), repair=REPAIR)

    assert journal.records(copies=True) == []


def test_a_journal_that_cannot_be_written_is_told(old, tmp_path):
    """The caller learns that nothing is kept."""
    (tmp_path / "state").write_bytes(b"")
    (tmp_path / "new").write_bytes(b"one\n")

    with pytest.raises(RefusedError):
        keep_removed(str(tmp_path / "new"), old, (Copy(0, 4),), repair=REPAIR)
