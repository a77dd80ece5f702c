"""The journal: reverse patches give the old bytes back, entries appear whole, ids sort by time."""

from __future__ import annotations

import json
import os
import random
import stat

import pytest
from condense_cli.errors import RefusedError, UsageError
from condense_cli.model.plan import Copy, Put, apply
from condense_cli.storage import journal
from condense_cli.storage.journal_record import JournalRecord, Status
from condense_cli.storage.reverse import reverse
from condense_cli.storage.state import lock, state_folder

OLD = b"one\ntwo\nthree\nfour\n"


class Bytes:
    def __init__(self, data):
        self.data = data

    def read(self, start, end):
        return self.data[start:end]


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "condense"


def entry(path="/s/a.jsonl", **facts):
    base = JournalRecord("", 0.0, path, "pi", "repair -i", ("torn-tail",), "0" * 64, 19, "1" * 64, 12, 0o600, 1_700_000_000_123_456_789, Status.PREPARED)
    return base._replace(**facts)


def joined(segments, data):
    return b"".join(apply(segments, Bytes(data)))


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        ((Copy(0, 19),), (Copy(0, 19),)),
        ((Copy(0, 4), Copy(8, 19)), (Copy(0, 4), Put(b"two\n"), Copy(4, 15))),
        ((Copy(8, 14), Copy(0, 8), Copy(14, 19)), (Copy(6, 14), Copy(0, 6), Copy(14, 19))),
        ((Put(b"zero\n"), Copy(0, 19)), (Copy(5, 24),)),
        ((Copy(0, 5), Put(b"o\n"), Copy(8, 19)), (Copy(0, 4), Put(b"two\n"), Copy(7, 18))),
        ((Copy(0, 18),), (Copy(0, 14), Put(b"four\n"))),
        ((), (Put(OLD),)),
        ((Copy(0, 19), Copy(4, 8)), (Copy(0, 19),)),
        ((Copy(4, 6), Copy(0, 19)), (Copy(2, 6), Copy(0, 2), Copy(8, 21))),
    ],
    ids=["same", "drop", "move", "insert", "inside-a-line", "newline-cut", "nothing-left", "copied-twice", "nested"],
)
def test_reverse_leads_back(segments, expected):
    """The old file is spans of the new one and whole lines that are no more."""
    back = reverse(segments, len(OLD), Bytes(OLD).read)
    assert joined(back, joined(segments, OLD)) == OLD
    if segments != (Copy(4, 6), Copy(0, 19)):
        assert back == expected


def test_two_hundred_random_patches_lead_back():
    """Whatever a patch drops, moves, cuts, inserts or copies twice: its reverse gives the old bytes."""
    for seed in range(200):
        rng = random.Random(seed)
        old = b"".join(rng.randbytes(rng.randrange(40)).replace(b"\n", b"") + b"\n" for _ in range(rng.randrange(30)))
        old = old[: rng.randrange(len(old) + 1)]
        segments = []
        for _ in range(rng.randrange(12)):
            if rng.random() < 0.3:
                segments.append(Put(rng.randbytes(rng.randrange(9))))
            else:
                start = rng.randrange(len(old) + 1)
                segments.append(Copy(start, rng.randrange(start, len(old) + 1)))
        back = reverse(segments, len(old), Bytes(old).read)
        assert joined(back, joined(segments, old)) == old, seed


def test_removed_bytes_are_whole_lines_across_blocks():
    """A change inside a long line removes that line and no other, however far its ends are."""
    old = b"a\n" + b"x" * 200_000 + b"\n" + b"b\n"
    back = reverse((Copy(0, 100_000), Copy(100_001, len(old))), len(old), Bytes(old).read)
    assert back == (Copy(0, 2), Put(old[2:200_003]), Copy(200_002, 200_004))


def test_an_entry_is_read_as_it_was_written(state):
    """What was prepared is listed with its facts, and its patch is what was put in."""
    spans = (Copy(0, 7), Put(b"two\n"), Copy(4, 12))
    written = journal.prepare(entry(path="/s/\udcff.jsonl"), spans)
    assert journal.records() == [written]
    assert journal.patch(written) == spans
    assert (written.status, written.path) == (Status.PREPARED, "/s/\udcff.jsonl")


@pytest.mark.parametrize("size", [10, 1 << 20])
def test_files_are_private_and_large_ones_compressed(state, size):
    """Removed bytes are private, and cost little when there are many."""
    written = journal.prepare(entry(old_size=2 * size + 3), (Put(b"ab" * size), Copy(0, 3)))
    folder = state / "journal" / written.id
    for path in (state, state / "journal", folder):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sum(path.stat().st_size for path in folder.iterdir()) < 20_000
    assert journal.patch(written) == (Put(b"ab" * size), Copy(0, 3))


def test_ids_sort_by_time_and_are_unique(state):
    """Many repairs in one moment get different ids, in their order; the list shows the newest first."""
    written = [journal.prepare(entry(path=f"/s/{n}"), ()) for n in range(20)]
    assert [one.id for one in written] == sorted({one.id for one in written})
    assert journal.records() == written[::-1]


def test_an_entry_is_found_by_the_start_of_its_id(state):
    """An id can be shortened as far as it stays unique."""
    first, second = journal.prepare(entry(), ()), journal.prepare(entry(), ())
    assert journal.find(first.id) == first
    with pytest.raises(UsageError, match="2 repairs"):
        journal.find(first.id[:2])
    assert journal.find("1999") is None
    assert journal.find("") is None
    journal.discard(second)
    assert journal.find(first.id[:8]) == first


def test_a_mark_stays(state):
    """Marking changes the status and nothing else."""
    written = journal.prepare(entry(), (Put(b"x" * 19),))
    assert journal.mark(written, Status.DONE) == written._replace(status=Status.DONE) == journal.records()[0]
    assert sorted(os.listdir(state / "journal" / written.id)) == ["meta.json", "removed", "spans.json"]


def test_a_discarded_entry_is_gone(state):
    """Nothing stays of an entry whose repair did not happen."""
    journal.discard(journal.prepare(entry(), (Put(b"x" * 19),)))
    assert os.listdir(state / "journal") == []


def _no_meta(folder):
    (folder / "meta.json").unlink()


def _torn_meta(folder):
    (folder / "meta.json").write_text("{")


def _foreign_meta(folder):
    (folder / "meta.json").write_text(json.dumps({"version": 1, "id": folder.name}))


def _later_version(folder):
    (folder / "meta.json").write_text(json.dumps({"version": 99, "id": folder.name}))


@pytest.mark.parametrize("damage", [_no_meta, _torn_meta, _foreign_meta, _later_version])
def test_damaged_entries_are_left_out(state, damage):
    """An entry that cannot be read does not hide the others."""
    good, bad = journal.prepare(entry(), ()), journal.prepare(entry(), ())
    damage(state / "journal" / bad.id)
    assert journal.records() == [good]


@pytest.mark.parametrize(("name", "data"), [("spans.json", b"["), ("spans.json", b"[[1,2,3]]"), ("spans.json", b"7"), ("removed", None)])
def test_a_damaged_patch_is_refused(state, name, data):
    """A patch that cannot be read is an error, never half a patch."""
    written = journal.prepare(entry(), (Put(b"x" * 19),))
    path = state / "journal" / written.id / name
    path.unlink() if data is None else path.write_bytes(data)
    with pytest.raises(RefusedError, match="damaged"):
        journal.patch(written)


def test_removed_bytes_are_found_by_file(state, tmp_path):
    """What repairs took out of a file is found by any name of it; other files' and undone repairs' bytes are not."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"new\n")
    (tmp_path / "link").symlink_to(path)
    done = journal.mark(journal.prepare(entry(path=str(path)), (Put(b"one\n"), Copy(0, 9), Put(b"three\n"))), Status.DONE)
    journal.mark(journal.prepare(entry(path=str(path)), (Put(b"undone\n"),)), Status.UNDONE)
    journal.mark(journal.prepare(entry(path="/elsewhere"), (Put(b"other\n"),)), Status.DONE)
    assert list(journal.removed(str(tmp_path / "link"))) == [(done, b"one\n"), (done, b"three\n")]


@pytest.mark.parametrize(
    ("old", "new", "now", "expected"),
    [
        (b"old\n", b"new\n", b"old\n", False),
        (b"old\n", b"new\n", b"new\n", True),
        (b"old\n", b"new\n", b"old\nmore\n", False),
        (b"old\n", b"new\n", b"new\nmore\n", True),
        (b"old\n", b"new\n", b"third\n", None),
        (b"a\ntorn", b"a\n", b"a\ntorn", False),
        (b"a\ntorn", b"a\n", b"a\n", True),
        (b"a\ntorn", b"a\n", b"a\ntorn\n", False),
        (b"a\ntorn", b"a\n", b"a\nmore\n", True),
        (b"a", b"a\n", b"a", False),
        (b"a", b"a\n", b"a\n", True),
        (b"a", b"a\n", b"a\nb\n", True),
    ],
)
def test_the_bytes_say_whether_a_repair_took_place(tmp_path, old, new, now, expected):
    """After a crash the file itself tells, also when one state is the beginning of the other or lines were appended."""
    import hashlib

    path = tmp_path / "a.jsonl"
    path.write_bytes(now)
    facts = {"old_sha256": hashlib.sha256(old).hexdigest(), "old_size": len(old), "new_sha256": hashlib.sha256(new).hexdigest(), "new_size": len(new)}
    prepared = journal.prepare(entry(path=str(path), **facts), ())
    assert journal.took_place(prepared) is expected
    journal.decide_prepared(str(path))
    assert [one.status for one in journal.records()] == {True: [Status.DONE], False: [], None: [Status.PREPARED]}[expected]


def test_two_locks_on_one_path_are_refused(state):
    """The second repair of one file is refused; another file is free."""
    with lock("/s/a"):
        with pytest.raises(RefusedError, match="another condense"), lock("/s/a"):
            pass
        with lock("/s/b"):
            pass
    with lock("/s/a"):
        pass


def test_a_state_folder_that_cannot_be_written_is_refused(tmp_path, monkeypatch):
    """Without a journal there is no in-place repair, and the message names the way out."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(RefusedError, match="Not a directory") as caught:
        journal.prepare(entry(), ())
    assert "--no-backup" in caught.value.advice
    with pytest.raises(RefusedError), lock("/s/a"):
        pass
    with lock("/s/a", anywhere=True), pytest.raises(RefusedError, match="another condense"), lock("/s/a", anywhere=True):
        pass
    assert journal.records() == []


def test_the_state_folder_follows_the_environment(monkeypatch, tmp_path):
    """XDG_STATE_HOME counts when it is absolute, else ~/.local/state."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("relative", ""):
        monkeypatch.setenv("XDG_STATE_HOME", value)
        assert state_folder() == str(tmp_path / ".local/state/condense")
    monkeypatch.setenv("XDG_STATE_HOME", "/x")
    assert state_folder() == "/x/condense"


def test_left_overs_of_killed_runs_go_after_an_hour(state):
    """Half-written entries are removed by a later run, but not while they may still be written."""
    journal.prepare(entry(), ())
    for name, age in ((".old.part", 4000), (".young.part", 10)):
        (state / "journal" / name).mkdir()
        (state / "journal" / name / "spans.json").write_text("")
        at = (state / "journal" / name).stat().st_mtime - age
        os.utime(state / "journal" / name, (at, at))
    journal.prepare(entry(), ())
    assert [name for name in os.listdir(state / "journal") if name.startswith(".")] == [".young.part"]


WRONG = (None, True, -1, 1.5, 1 << 70, float("nan"), "", "x", [], [1], {}, {"a": 1}, "\ud800", 10**30)


@pytest.mark.parametrize("field", JournalRecord._fields)
def test_one_value_of_the_wrong_type_never_breaks_the_list(state, field):
    """Whatever a field holds: the other records are listed, and what is listed can be shown."""
    from condense_cli.cli.undo.run import _facts

    good = journal.prepare(entry(), (Put(b"x" * 19),))
    bad = journal.prepare(entry(), (Put(b"x" * 19),))
    meta = state / "journal" / bad.id / "meta.json"
    whole = json.loads(meta.read_text())
    for value in WRONG:
        meta.write_text(json.dumps({**whole, field: value}))
        found = journal.records()
        assert good in found
        for record in found:
            json.dumps(_facts(record))
            journal.happened(record)


def test_a_fifo_in_the_journal_is_refused(state):
    """Reading one would wait for ever."""
    good, bad, other = (journal.prepare(entry(), (Put(b"x" * 19),)) for _ in range(3))
    meta = state / "journal" / bad.id / "meta.json"
    meta.unlink()
    os.mkfifo(meta)
    removed = state / "journal" / other.id / "removed"
    removed.unlink()
    os.mkfifo(removed)
    assert journal.records() == [other, good]
    with pytest.raises(RefusedError, match="damaged"):
        journal.patch(other)


@pytest.mark.parametrize(
    "spans", ["[[20]]", "[[0, 13]]", "[[-1]]", "[[true]]", "[[1" + "0" * 30 + "]]", "[" * 100_000, "[" + "[0,1]," * 300_000 + "[0,1]]"]
)
def test_spans_that_are_not_the_old_file_are_refused(state, spans):
    """Neither a number of thirty digits nor 300,000 spans nor deep nesting is read on."""
    written = journal.prepare(entry(), (Put(b"x" * 19),))
    (state / "journal" / written.id / "spans.json").write_text(spans)
    with pytest.raises(RefusedError, match="damaged"):
        journal.patch(written)


def test_removed_bytes_do_not_unpack_beyond_their_size(state):
    """A bomb in the journal is damaged, not unpacked."""
    import zlib

    written = journal.prepare(entry(old_size=1 << 15), (Put(b"x" * (1 << 15)),))
    (state / "journal" / written.id / "removed.z").write_bytes(zlib.compress(bytes(1 << 24)))
    with pytest.raises(RefusedError, match="damaged"):
        journal.patch(written)
