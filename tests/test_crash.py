"""Killed, or out of disk, at every step of writing: the session is the old one or the new one, and undo leads back.

The faults are put into the functions of os from outside; the product knows nothing of them.
"""

from __future__ import annotations

import errno
import os
import pathlib
import tempfile

import pytest
from condense_cli.errors import CondenseError
from condense_cli.model.plan import Copy, Put
from condense_cli.storage import journal
from condense_cli.storage.files import Repair, open_source, replace_in_place, undo
from condense_cli.storage.journal_record import Status
from condense_cli.storage.new_file import write_new
from tests.killing import faults, killed_at

LINES = b'{"n":1}\n{"n":2}\n{"n":3}\n'
SEGMENTS = (Copy(0, 8), Put(b'{"new":1}\n'), Copy(16, 24))
REPAIRED = b'{"n":1}\n{"new":1}\n{"n":3}\n'
LONG_AGO = 1_700_000_000_123_456_789
LIMIT = 200

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture
def session(monkeypatch):
    # In memory where that is possible: hundreds of calls of fsync take long on a busy disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        monkeypatch.setenv("XDG_STATE_HOME", os.path.join(folder, "state"))
        path = pathlib.Path(folder, "sessions", "session.jsonl")
        path.parent.mkdir()
        renew(path)
        yield path


def renew(path):
    for name in os.listdir(path.parent):
        (path.parent / name).unlink()
    path.write_bytes(LINES)
    path.chmod(0o640)
    quiet(path)
    for entry in journal.records():
        journal.discard(entry)


def quiet(path):
    os.utime(path, ns=(LONG_AGO, LONG_AGO))


def repair(path, *, backup=True):
    with open_source(str(path)) as source:
        return replace_in_place(source, SEGMENTS, lambda _: None, repair=Repair("pi", "repair -i", ()), backup=backup).entry


def undo_all():
    return [undo(entry) for entry in journal.records() if entry.status is not Status.UNDONE]


def visible(path):
    """The names that a client would look at."""
    return sorted(name for name in os.listdir(path.parent) if not (name.startswith(".condense-") and name.endswith(".tmp")))


def every_kill(work):
    """Yield after the child was killed at step 1, 2, …, until it gets through."""
    for number in range(1, LIMIT):
        if not killed_at(number, work):
            assert number > 5, "there were hardly any steps to be killed at"
            return
        yield number
    raise AssertionError("the work never ends")


def test_killed_at_every_step_of_a_repair(session):
    """The session is old or new and keeps time and mode; undo gives the old bytes wherever there is an entry; the next repair tidies up."""
    states = set()
    for _ in every_kill(lambda: repair(session)):
        now = session.read_bytes()
        states.add(now)
        assert now in (LINES, REPAIRED)
        assert (session.stat().st_mtime_ns, session.stat().st_mode & 0o777) == (LONG_AGO, 0o640)
        assert visible(session) == ["session.jsonl"]
        entries = journal.records()
        assert len(entries) == 1 or (now == LINES and not entries)
        outcomes = undo_all()
        assert session.read_bytes() == LINES
        assert [outcome.already for outcome in outcomes] == [now == LINES] * len(entries)
        undo(repair(session))
        assert session.read_bytes() == LINES
        assert os.listdir(session.parent) == ["session.jsonl"]
        assert session.stat().st_mtime_ns == LONG_AGO
        renew(session)
    assert states == {LINES, REPAIRED}


@pytest.mark.slow
def test_killed_at_every_step_of_a_repair_and_repaired_again(session):
    """After a crash the same command gets through, and its undo leads back to where it found the session."""
    for _ in every_kill(lambda: repair(session)):
        before = session.read_bytes()
        with open_source(str(session)) as source:
            segments = (Copy(0, source.size), Put(b'{"second":1}\n'))
            entry = replace_in_place(source, segments, lambda _: None, repair=Repair("pi", "repair -i", ())).entry
        assert session.read_bytes() == before + b'{"second":1}\n'
        assert Status.PREPARED not in [one.status for one in journal.records()]
        assert os.listdir(session.parent) == ["session.jsonl"]
        undo(entry)
        assert session.read_bytes() == before
        renew(session)


@pytest.mark.slow
def test_killed_at_every_step_of_a_repair_without_backup(session):
    """Without a journal, too, the session is one or the other."""
    states = set()
    for _ in every_kill(lambda: repair(session, backup=False)):
        states.add(session.read_bytes())
        assert visible(session) == ["session.jsonl"]
        renew(session)
    assert states == {LINES, REPAIRED}


@pytest.mark.slow
@pytest.mark.parametrize("appended", [b"", b'{"n":4}\n'], ids=["alone", "appended"])
def test_killed_at_every_step_of_an_undo(session, appended):
    """An undo that was killed can be done again, and a client may have gone on in between."""
    states = set()

    def again():
        renew(session)
        repair(session)

    again()
    for _ in every_kill(undo_all):
        now = session.read_bytes()
        states.add(now)
        assert now in (LINES, REPAIRED)
        assert visible(session) == ["session.jsonl"]
        with session.open("ab") as client:
            client.write(appended)
        quiet(session)
        undo_all()
        assert session.read_bytes() == LINES + appended
        assert not any(journal.happened(one) for one in journal.records())
        again()
    assert states == {LINES, REPAIRED}


@pytest.mark.slow
def test_killed_at_every_step_of_writing_a_new_file(session):
    """The output is not there, or it is whole."""
    out = session.parent / "out.jsonl"
    states = set()
    for _ in every_kill(lambda: write_new(str(out), [b"a" * 10, b"b" * 10])):
        states.add(out.read_bytes() if out.exists() else None)
        assert set(visible(session)) <= {"out.jsonl", "session.jsonl"}
        out.unlink(missing_ok=True)
    assert states == {None, b"a" * 10 + b"b" * 10}


def failing(number, code, steps, *, lasting):
    """A fault that raises this error at the n-th step, and lasting at all after it; a full disk takes half a write first."""

    def act(_, count, do, args):
        if count == number or (lasting and count > number):
            hit.append(count)
            raise OSError(code, os.strerror(code))
        return do()

    hit = []
    return faults(act, steps), hit


FAULTS = [
    pytest.param(errno.ENOSPC, ("write", "fsync", "mkdir", "link", "open"), True, id="disk-full"),
    pytest.param(errno.ENOSPC, ("write", "fsync", "mkdir", "link", "open"), False, id="disk-full-once"),
    pytest.param(errno.EIO, ("write", "fsync"), True, id="io-error"),
    pytest.param(errno.EIO, ("write", "fsync", "replace", "rename", "link", "mkdir", "fchmod", "utime", "open"), False, id="io-error-once"),
    pytest.param(errno.EROFS, ("replace", "rename", "link", "mkdir", "open"), True, id="read-only"),
    pytest.param(errno.EPERM, ("link",), True, id="no-hard-links"),
]


def every_fault(work, code, steps, *, lasting):
    """Yield what work said (None: nothing) after a fault at step 1, 2, …, until no step is left."""
    for number in range(1, LIMIT):
        fault, hit = failing(number, code, steps, lasting=lasting)
        said = None
        with fault:
            try:
                work()
            except CondenseError as problem:
                said = problem
        if not hit:
            assert number > 1, "no step was hit"
            return
        yield said
    raise AssertionError("the work never ends")


@pytest.mark.parametrize(("code", "steps", "lasting"), FAULTS)
def test_a_fault_at_every_step_of_a_repair(session, code, steps, lasting):
    """The user is told in words, nothing is left behind, the session is old or new and undo leads back."""
    outcomes = set()
    for said in every_fault(lambda: repair(session), code, steps, lasting=lasting):
        now = session.read_bytes()
        outcomes.add(now)
        assert now in (LINES, REPAIRED)
        if now == LINES:
            assert said is not None
        if said is not None:
            assert said.exit_code == 4
            assert said.advice
            assert ("does not confirm" in said.problem) is (now == REPAIRED)
        assert os.listdir(session.parent) == ["session.jsonl"]
        entries = journal.records()
        assert len(entries) == (now == REPAIRED)
        undo_all()
        assert session.read_bytes() == LINES
        assert session.stat().st_mtime_ns == LONG_AGO
        renew(session)
    assert outcomes


@pytest.mark.parametrize(("code", "steps", "lasting"), FAULTS)
def test_a_fault_at_every_step_of_an_undo(session, code, steps, lasting):
    """An undo that failed is told in words and can be done again."""
    repair(session)
    for said in every_fault(undo_all, code, steps, lasting=lasting):
        now = session.read_bytes()
        assert now in (LINES, REPAIRED)
        assert said is not None or now == LINES
        assert os.listdir(session.parent) == ["session.jsonl"]
        undo_all()
        assert session.read_bytes() == LINES
        renew(session)
        repair(session)


@pytest.mark.parametrize(("code", "steps", "lasting"), FAULTS[:4])
def test_a_fault_at_every_step_of_writing_a_new_file(session, code, steps, lasting):
    """An existing output is old or new, and no temporary file is left."""
    out = session.parent / "out.jsonl"
    out.write_bytes(b"old")
    for said in every_fault(lambda: write_new(str(out), [b"a" * 10, b"b" * 10]), code, [s for s in steps if s != "link"], lasting=lasting):
        assert said is not None
        assert out.read_bytes() in (b"old", b"a" * 10 + b"b" * 10)
        assert sorted(os.listdir(session.parent)) == ["out.jsonl", "session.jsonl"]
        out.write_bytes(b"old")
