"""Writing: a file is whole or as it was, nothing lies about, and what a client writes meanwhile is kept."""

from __future__ import annotations

import fcntl
import io
import itertools
import os
import random
import stat
import subprocess
import sys
import threading
import time

import pytest
from condense_cli.errors import ExitCode, RefusedError, UnreadableError, UsageError
from condense_cli.model.plan import Copy, Put
from condense_cli.storage import files, journal
from condense_cli.storage import replace as swap
from condense_cli.storage.files import Repair, open_source, replace_in_place, undo
from condense_cli.storage.journal_record import Status
from condense_cli.storage.new_file import write_new
from condense_cli.storage.state import key as key_of

OLD = b'{"old":1}\n'
NEW = b'{"new":2}\n'


REPAIR = Repair("pi", "repair -i", ("orphan-result",))
LINES = b'{"n":1}\n{"n":2}\n{"n":3}\n'
WITHOUT_2 = (Copy(0, 8), Copy(16, 24))
REPAIRED = b'{"n":1}\n{"n":3}\n'
HOUR_AGO = 1_700_000_000_123_456_789


@pytest.fixture(autouse=True)
def state(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder / "condense"


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "session.jsonl"
    path.write_bytes(OLD)
    return path


@pytest.fixture
def lines(session):
    session.write_bytes(LINES)
    session.chmod(0o600)
    os.utime(session, ns=(HOUR_AGO, HOUR_AGO))
    return session


def names(folder):
    return sorted(os.listdir(folder))


def replace(path, segments=WITHOUT_2, prove=lambda _: None, **options):
    with open_source(str(path)) as source:
        return replace_in_place(source, segments, prove, repair=REPAIR, **options)


def append(path, data):
    with path.open("ab") as file:
        file.write(data)


def dead_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def quiet(path):
    os.utime(path, ns=(HOUR_AGO, HOUR_AGO))


def test_a_new_file_is_written(tmp_path):
    """The pieces stand in the file, and nothing else is left in the folder."""
    write_new(str(tmp_path / "out.jsonl"), [b"a", b"", b"b\n"])
    assert (tmp_path / "out.jsonl").read_bytes() == b"ab\n"
    assert names(tmp_path) == ["out.jsonl"]


def test_an_existing_output_is_replaced_and_keeps_its_mode(session):
    """The output may exist; its mode is kept."""
    session.chmod(0o640)
    write_new(str(session), [NEW])
    assert session.read_bytes() == NEW
    assert stat.S_IMODE(session.stat().st_mode) == 0o640


def test_a_new_output_is_no_more_readable_than_the_source(session, tmp_path):
    """Sessions are private: a copy of a 0600 file is 0600 too."""
    session.chmod(0o600)
    with open_source(str(session)) as source:
        write_new(str(tmp_path / "out.jsonl"), [NEW], source=source)
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o600


def test_a_symlink_as_output_stays_one(session, tmp_path):
    """What a link names is replaced, not the link."""
    link = tmp_path / "link.jsonl"
    link.symlink_to("session.jsonl")
    write_new(str(link), [NEW])
    assert link.is_symlink()
    assert session.read_bytes() == NEW


def _itself(session):
    return str(session)


def _dotted(session):
    return f"{session.parent}/./{session.name}"


def _symlink(session):
    (session.parent / "link").symlink_to(session)
    return str(session.parent / "link")


def _hard_link(session):
    os.link(session, session.parent / "hard")
    return str(session.parent / "hard")


@pytest.mark.parametrize("output", [_itself, _dotted, _symlink, _hard_link])
def test_an_output_that_is_the_input_is_refused(session, output):
    """By whatever name the output is the input: usage error, and not a byte is changed."""
    with open_source(str(session)) as source, pytest.raises(UsageError, match="is the input itself") as caught:
        write_new(output(session), [NEW], source=source)
    assert caught.value.exit_code is ExitCode.USAGE
    assert session.read_bytes() == OLD


def test_standard_output_that_appends_to_the_input_is_refused(session):
    """A shell's `>> session` is the same mistake as -o session."""
    code = (
        "import sys; from condense_cli.storage.new_file import write_new; from condense_cli.storage.source import open_source; from condense_cli.errors import UsageError\n"
        "try: write_new('-', [b'x'], source=open_source(sys.argv[1]))\n"
        "except UsageError: sys.exit(2)"
    )
    with session.open("ab") as out:
        done = subprocess.run([sys.executable, "-c", code, session], stdout=out, check=False)
    assert done.returncode == 2
    assert session.read_bytes() == OLD


def test_a_dash_is_standard_output(capfdbinary):
    """`-` writes the pieces to standard output."""
    write_new("-", [b"a", b"\xff\n"])
    assert capfdbinary.readouterr().out == b"a\xff\n"


@pytest.mark.parametrize(
    ("name", "says"),
    [("", "is empty"), ("missing/out.jsonl", "does not exist"), (".", "is a folder"), ("session.jsonl/x", "Not a directory"), ("a\0b", "null ")],
)
def test_an_output_that_cannot_be_one_is_a_usage_error(session, monkeypatch, name, says):
    """The message names the reason, and nothing is left behind."""
    monkeypatch.chdir(session.parent)
    with pytest.raises(UsageError, match=says):
        write_new(name, [NEW])
    assert names(session.parent) == ["session.jsonl"]


def test_a_device_as_output_is_written_to_and_not_replaced():
    """-o /dev/null is no reason to replace /dev/null."""
    write_new("/dev/null", [NEW])
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_pieces_that_fail_leave_the_old_output(session):
    """An error in the middle leaves the old file and no temporary one."""

    def pieces():
        yield NEW
        raise RefusedError("no more")

    with pytest.raises(RefusedError, match="no more"):
        write_new(str(session), pieces())
    assert session.read_bytes() == OLD
    assert names(session.parent) == ["session.jsonl"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_said_clearly():
    """ENOSPC becomes a refusal with advice."""
    with pytest.raises(RefusedError, match="No space left") as caught:
        write_new("/dev/full", [NEW])
    assert "free some space" in caught.value.advice


def test_a_repair_in_place_and_its_undo(lines):
    """The repaired bytes take the place of the old ones, with mode and time; undo gives the old ones back, likewise."""
    lines.chmod(0o640)
    entry = replace(lines).entry
    assert lines.read_bytes() == REPAIRED
    assert (stat.S_IMODE(lines.stat().st_mode), lines.stat().st_mtime_ns) == (0o640, HOUR_AGO)
    assert (entry.status, entry.path, entry.rules, entry.mode) == (Status.DONE, str(lines), ("orphan-result",), 0o640)
    assert [data for _, data in journal.removed(str(lines))] == [b'{"n":2}\n']
    assert undo(entry) == files.Undone(kept=0, already=False)
    assert lines.read_bytes() == LINES
    assert (stat.S_IMODE(lines.stat().st_mode), lines.stat().st_mtime_ns) == (0o640, HOUR_AGO)
    assert list(journal.removed(str(lines))) == []
    assert names(lines.parent) == ["session.jsonl"]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_extended_attributes_are_kept(lines):
    """What else hangs on the file goes with it, where the file system can."""
    try:
        os.setxattr(lines, "user.condense", b"kept")
    except OSError:
        pytest.skip("no extended attributes here")
    replace(lines)
    assert os.getxattr(lines, "user.condense") == b"kept"


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_the_owner_is_kept(lines):
    """A repair by root leaves the session to its owner."""
    os.chown(lines, 1234, 5678)
    replace(lines)
    assert (lines.stat().st_uid, lines.stat().st_gid) == (1234, 5678)


@pytest.mark.slow
def test_two_hundred_random_patches_are_undone(lines):
    """Whatever a repair does to a session, undo restores its hash."""
    for seed in range(200):
        rng = random.Random(seed)
        old = b"".join(b"%d" % rng.randrange(10**6) * rng.randrange(1, 30) + b"\n" for _ in range(rng.randrange(1, 20)))
        lines.write_bytes(old[: rng.randrange(1, len(old) + 1)])
        size = os.utime(lines, ns=(HOUR_AGO, HOUR_AGO)) or lines.stat().st_size
        cuts = sorted(rng.randrange(size + 1) for _ in range(6))
        segments = [Copy(a, b) for a, b in itertools.pairwise(cuts)]
        rng.shuffle(segments)
        segments[rng.randrange(len(segments))] = Put(b"new %d\n" % seed)
        before = lines.read_bytes()
        entry = replace(lines, segments).entry
        assert lines.read_bytes() != before
        undo(entry)
        assert lines.read_bytes() == before, seed


def test_a_session_that_stays_the_same_is_not_touched(lines):
    """Without a difference there is no new file and no entry in the journal."""
    inode = lines.stat().st_ino
    assert replace(lines, [Copy(0, 8), Put(LINES[8:16]), Copy(16, 24)]) == files.Replaced(None)
    assert lines.stat().st_ino == inode
    assert journal.records() == []


def test_without_backup_there_is_no_entry(lines):
    """--no-backup repairs and keeps nothing."""
    assert replace(lines, backup=False) == files.Replaced(None, 0)
    assert lines.read_bytes() == REPAIRED
    assert journal.records() == []


def test_a_failed_proof_leaves_everything_as_it_was(lines):
    """The proof sees the whole new file, and no client sees it; if it fails nothing is changed."""
    seen = []

    def prove(path):
        with open(path, "rb") as file:
            seen.append((names(lines.parent), file.read()))
        raise RefusedError("not proved")

    inode = lines.stat().st_ino
    with pytest.raises(RefusedError, match="not proved"):
        replace(lines, prove=prove)
    assert seen == [(["session.jsonl"], REPAIRED)]
    assert (lines.read_bytes(), lines.stat().st_ino, names(lines.parent)) == (LINES, inode, ["session.jsonl"])
    assert journal.records() == []


def test_a_symlink_is_resolved_and_never_replaced(lines, tmp_path):
    """The file that a link names is repaired, in its own folder; the link stays one."""
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.jsonl"
    link.symlink_to("../session.jsonl")
    entry = replace(link).entry
    assert link.is_symlink()
    assert (lines.read_bytes(), entry.path, names(link.parent)) == (REPAIRED, str(lines), ["link.jsonl"])


def test_another_hard_link_keeps_the_old_bytes(lines, tmp_path):
    """Only the named file is repaired; a second name of it is a copy that somebody made on purpose."""
    os.link(lines, tmp_path / "copy")
    replace(lines)
    assert (lines.read_bytes(), (tmp_path / "copy").read_bytes(), names(tmp_path)) == (REPAIRED, LINES, ["copy", "session.jsonl"])


def test_a_live_session_is_refused_unless_forced(lines):
    """What was modified a moment ago is left alone; --force overrides."""
    os.utime(lines)
    with pytest.raises(RefusedError, match="modified") as caught:
        replace(lines)
    assert caught.value.exit_code is ExitCode.REFUSED
    assert lines.read_bytes() == LINES
    replace(lines, force=True)
    assert lines.read_bytes() == REPAIRED


def test_standard_input_cannot_be_replaced(monkeypatch):
    """There is no place to put the repaired bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINES)))
    with pytest.raises(UsageError, match="standard input"):
        replace("-")


def test_a_compressed_session_cannot_be_replaced(tmp_path):
    """The unpacked bytes must not take the place of the compressed ones."""
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(pytest.importorskip("zstandard").compress(LINES))
    with pytest.raises(UsageError, match="compressed"):
        replace(path)


def _appended(path):
    append(path, b'{"n":4}\n')


def _overwritten(path):
    with path.open("r+b") as file:
        file.write(b"X")
    quiet(path)


def _renamed_over(path):
    (path.parent / "other").write_bytes(path.read_bytes())
    quiet(path.parent / "other")
    os.replace(path.parent / "other", path)


def _gone(path):
    path.unlink()


@pytest.mark.parametrize("change", [_appended, _overwritten, _renamed_over, _gone])
@pytest.mark.parametrize("moment", ["before", "proof"])
def test_a_session_that_changed_meanwhile_is_refused(lines, change, moment):
    """Whatever a client did between reading and replacing stays exactly as it did it."""
    with open_source(str(lines)) as source:
        expected = source.sha256()
        if moment == "before":
            change(lines)
        after = []

        def prove(_):
            if moment == "proof":
                change(lines)
            after.append(lines.read_bytes() if lines.exists() else None)

        with pytest.raises(RefusedError, match="changed meanwhile"):
            replace_in_place(source, WITHOUT_2, prove, repair=REPAIR, force=True, sha256=expected)
    assert (lines.read_bytes() if lines.exists() else None) == (after[0] if after else lines.read_bytes() if lines.exists() else None)
    assert [name for name in names(lines.parent) if name.startswith(".")] == []
    assert journal.records() == []


def test_bytes_that_the_plan_was_not_made_for_are_refused(lines):
    """A plan is bound to the hash of its input."""
    with pytest.raises(RefusedError, match="changed meanwhile"):
        replace(lines, sha256="0" * 64)
    assert lines.read_bytes() == LINES


def at_the_rename(monkeypatch, path, before=lambda: None, after=lambda: None, *, exchanges=True):
    """Let something happen immediately before or after the new file takes its place, by an exchange or without one."""
    if exchanges:
        exchange = swap.exchange

        def both(one, other):
            monkeypatch.setattr(swap, "exchange", exchange)
            before()
            done = exchange(one, other)
            after()
            return done

        monkeypatch.setattr(swap, "exchange", both)
        return
    monkeypatch.setattr(swap, "exchange", lambda *_: False)
    real = os.replace

    def rename(old, new):
        if new == str(path) and old.endswith(".new.tmp"):
            monkeypatch.setattr(os, "replace", real)
            before()
            real(old, new)
            after()
        else:
            real(old, new)

    monkeypatch.setattr(os, "replace", rename)


@pytest.mark.parametrize("way", ["exchange", "links", "no-links"])
@pytest.mark.parametrize(
    ("tail", "kept"), [(b'{"n":4}\n', True), (b'{"n":4}\n{"n":5}\n', True), (b'{"n":4', False)], ids=["line", "lines", "half-a-line"]
)
def test_a_line_appended_in_the_moment_of_the_rename_is_not_lost(lines, monkeypatch, tail, kept, way):
    """Whole lines are carried over; half a line means that the old file comes back, with it."""
    at_the_rename(monkeypatch, lines, before=lambda: append(lines, tail), exchanges=way == "exchange")
    if way == "no-links":
        without_hard_links(monkeypatch)
    if kept:
        outcome = replace(lines)
        assert (lines.read_bytes(), outcome.carried) == (REPAIRED + tail, len(tail))
        quiet(lines)
        assert undo(outcome.entry).kept == len(tail)
        assert lines.read_bytes() == LINES + tail
    else:
        with pytest.raises(RefusedError, match="changed meanwhile"):
            replace(lines)
        assert lines.read_bytes() == LINES + tail
        assert journal.records() == []
    assert names(lines.parent) == ["session.jsonl"]


def test_a_file_written_over_in_the_moment_of_the_rename_comes_back(lines, monkeypatch):
    """What is no append cannot be carried over: the old file, as the client left it, comes back."""

    def overwrite():
        with lines.open("r+b") as file:
            file.write(b"X")

    at_the_rename(monkeypatch, lines, before=overwrite)
    with pytest.raises(RefusedError, match="changed meanwhile"):
        replace(lines)
    assert lines.read_bytes() == b"X" + LINES[1:]
    assert names(lines.parent) == ["session.jsonl"]


def without_hard_links(monkeypatch):
    """Refuse second names; the first name of a file that had none is no hard link."""
    real = os.link

    def link(old, new, **options):
        if old.startswith("/proc/"):
            return real(old, new, **options)
        raise PermissionError(1, "no hard links")

    monkeypatch.setattr(os, "link", link)


@pytest.mark.parametrize("when", ["before", "in-the-last-microsecond"])
def test_another_file_put_in_place_at_the_last_moment_is_not_replaced(lines, monkeypatch, when):
    """What another tool put there stays, even when that happened between the last look and the exchange."""

    def put():
        _renamed_over(lines)
        append(lines, b'{"n":4}\n')

    if when == "before":
        real = swap.give_name
        monkeypatch.setattr(swap, "give_name", lambda new, path: (real(new, path), put()))
    else:
        at_the_rename(monkeypatch, lines, before=put)
    with pytest.raises(RefusedError, match="changed meanwhile"):
        replace(lines)
    assert lines.read_bytes() == LINES + b'{"n":4}\n'
    assert names(lines.parent) == ["session.jsonl"]


def test_lines_written_to_the_new_file_survive_when_the_old_one_comes_back(lines, monkeypatch):
    """A client that wrote to both in that moment loses neither."""
    at_the_rename(monkeypatch, lines, before=lambda: append(lines, b"{torn\n{half"), after=lambda: append(lines, b'{"n":5}\n'))
    with pytest.raises(RefusedError, match="changed meanwhile"):
        replace(lines)
    assert lines.read_bytes() == LINES + b'{torn\n{half{"n":5}\n'


@pytest.mark.skipif(not os.path.isdir("/proc/self/fdinfo"), reason="needs /proc")
@pytest.mark.parametrize("force", [False, True])
def test_a_client_that_opens_the_file_in_that_moment_and_keeps_it(lines, monkeypatch, force):
    """A handle that stays open would write into nowhere: the old file comes back, unless --force accepts that."""
    monkeypatch.setattr(swap, "PATIENCE", 0.1)
    clients = []

    def hold():
        code = "import sys; f = open(sys.argv[1], 'ab'); print(flush=True); sys.stdin.read()"
        clients.append(subprocess.Popen([sys.executable, "-c", code, lines], stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        clients[0].stdout.readline()

    at_the_rename(monkeypatch, lines, before=hold)
    inode = lines.stat().st_ino
    try:
        if force:
            replace(lines, force=True)
            assert lines.read_bytes() == REPAIRED
        else:
            with pytest.raises(RefusedError, match="open for writing"):
                replace(lines)
            assert (lines.read_bytes(), lines.stat().st_ino) == (LINES, inode)
    finally:
        clients[0].communicate(b"")


def test_a_client_that_appends_all_the_time_loses_no_line(lines, tmp_path):
    """Repair again and again while a client opens, appends and closes: every line that it wrote is there, once and whole."""
    code = (
        "import sys, time\n"
        "for n in range(300):\n"
        "    with open(sys.argv[1], 'ab', buffering=0) as file: file.write(b'{\"line\":%d}\\n' % n)\n"
        "    time.sleep(0.002)\n"
    )
    client = subprocess.Popen([sys.executable, "-c", code, lines])
    replaced = refused = 0
    while client.poll() is None:
        try:
            with open_source(str(lines)) as source:
                outcome = replace_in_place(source, [Put(b'{"repair":1}\n'), Copy(0, source.size)], lambda _: None, repair=REPAIR, force=True)
            replaced += outcome.entry is not None
        except RefusedError:
            refused += 1
    assert client.returncode == 0
    assert replaced, refused
    written = [line for line in lines.read_bytes().splitlines() if line.startswith(b'{"line"')]
    assert sorted(written) == sorted(b'{"line":%d}' % n for n in range(300))
    assert lines.read_bytes().count(b'{"repair":1}\n') == replaced
    assert names(tmp_path) == ["session.jsonl"]


def test_two_repairs_at_once(lines):
    """While one repair is proving its file a second one is refused, and the first is not disturbed."""
    refusals = []

    def prove(_):
        with pytest.raises(RefusedError, match="another condense") as caught:
            replace(lines)
        refusals.append(caught.value.exit_code)

    replace(lines, prove=prove)
    assert refusals == [ExitCode.REFUSED]
    assert lines.read_bytes() == REPAIRED


def test_a_lock_of_another_process_counts(lines, state):
    """The lock holds between processes and goes with the process that has it."""
    (state / "locks").mkdir(parents=True)
    with open(state / "locks" / key_of(str(lines)), "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(RefusedError, match="another condense"):
            replace(lines)
    replace(lines)
    assert lines.read_bytes() == REPAIRED


def test_a_journal_that_cannot_be_written_stops_the_repair(lines, tmp_path, monkeypatch):
    """No way back, no repair – unless --no-backup says so."""
    (tmp_path / "state").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with pytest.raises(RefusedError, match="Not a directory"):
        replace(lines)
    assert (lines.read_bytes(), names(tmp_path)) == (LINES, ["session.jsonl", "state"])
    replace(lines, backup=False)
    assert lines.read_bytes() == REPAIRED


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_folder_is_said_clearly(lines):
    """Where nothing can be written beside the session, the message names the way out."""
    lines.parent.chmod(0o500)
    try:
        with pytest.raises(RefusedError, match="Permission denied") as caught:
            replace(lines)
    finally:
        lines.parent.chmod(0o700)
    assert "-o" in caught.value.advice
    assert lines.read_bytes() == LINES


def test_left_overs_of_a_killed_repair_go_with_the_next(lines):
    """A temporary file of a killed run is removed by the next repair; that of a running process, or of another session's old file, is not."""
    key = key_of(str(lines))
    other = key_of("/another")
    dead = dead_process()
    left = (f".condense-{key}-{dead}.tmp", f".condense-{key}-{dead}.old.tmp", f".condense-{dead}-0a1b2c3d.tmp", f".condense-{other}-{dead}.tmp")
    stays = (f".condense-{other}-{os.getppid()}.tmp", f".condense-{other}-{dead}.old.tmp", ".condense-notes.tmp")
    for name in (*left, *stays):
        (lines.parent / name).write_bytes(b"")
    replace(lines)
    assert names(lines.parent) == sorted([*stays, "session.jsonl"])


def test_an_old_file_with_an_appended_line_is_not_swept_away(lines):
    """If the killed run left a line of a client in the old file, that file stays."""
    entry = replace(lines).entry
    left = lines.parent / f".condense-{key_of(str(lines))}-1.old.tmp"
    left.write_bytes(LINES + b'{"n":4}\n')
    undo(entry)
    assert left.exists()


def test_undo_keeps_lines_that_were_appended(lines):
    """The session went on after the repair: its new lines stand behind the old ones."""
    entry = replace(lines).entry
    append(lines, b'{"n":4}\n')
    quiet(lines)
    assert undo(entry) == files.Undone(kept=8)
    assert lines.read_bytes() == LINES + b'{"n":4}\n'


def test_undo_does_not_fuse_an_appended_line_with_a_torn_one(lines):
    """When the old bytes end in the middle of a line, the kept ones start on a line of their own."""
    lines.write_bytes(LINES + b'{"torn')
    quiet(lines)
    entry = replace(lines, [Copy(0, 24)]).entry
    append(lines, b'{"n":4}\n')
    quiet(lines)
    undo(entry)
    assert lines.read_bytes() == LINES + b'{"torn\n{"n":4}\n'


@pytest.mark.parametrize(
    ("now", "says"),
    [(b'{"other":1}\n', "no longer what the repair made"), (REPAIRED[:-9], "no longer"), (REPAIRED + b"{half", "half a line"), (b"", "no longer")],
)
def test_undo_of_a_session_that_changed_is_refused(lines, now, says):
    """What the repair made is not there any more: nothing is touched."""
    entry = replace(lines).entry
    lines.write_bytes(now)
    quiet(lines)
    with pytest.raises(RefusedError, match=says):
        undo(entry)
    assert lines.read_bytes() == now
    assert journal.records() == [entry]


def test_undo_twice_is_refused(lines):
    """The second undo has nothing to give back."""
    entry = replace(lines).entry
    undo(entry)
    assert undo(entry).already
    with pytest.raises(RefusedError, match="was undone already"):
        undo(journal.records()[0])


def test_undo_names_the_repair_that_stands_on_it(lines):
    """Repairs are undone in turn, the newest first."""
    first = replace(lines).entry
    second = replace(lines, [Copy(0, 8)]).entry
    with pytest.raises(RefusedError) as caught:
        undo(first)
    assert second.id in caught.value.advice
    undo(second)
    undo(first)
    assert lines.read_bytes() == LINES


def test_undo_of_a_live_session_is_refused_unless_forced(lines):
    """The live guard stands before undo, too."""
    entry = replace(lines).entry
    os.utime(lines)
    with pytest.raises(RefusedError, match="modified"):
        undo(entry)
    undo(entry, force=True)
    assert lines.read_bytes() == LINES


def test_undo_of_a_file_that_is_gone_is_unreadable(lines):
    """Without the repaired file its spans give nothing back."""
    entry = replace(lines).entry
    lines.unlink()
    with pytest.raises(UnreadableError, match="No such file"):
        undo(entry)


def test_a_damaged_journal_does_not_damage_the_session(lines, state):
    """If the patch does not give the old hash, nothing is put back."""
    entry = replace(lines).entry
    (state / "journal" / entry.id / "removed").write_bytes(b'{"x":2}\n')
    with pytest.raises(RefusedError, match="damaged"):
        undo(entry)
    assert (lines.read_bytes(), names(lines.parent)) == (REPAIRED, ["session.jsonl"])


def test_repairs_in_threads_do_not_meet(lines):
    """Many repairs started together: one wins, the others are refused, and the session is whole."""
    sources = [open_source(str(lines)) for _ in range(5)]
    outcomes = []

    def work(source):
        try:
            outcomes.append(replace_in_place(source, WITHOUT_2, lambda _: time.sleep(0.05), repair=REPAIR).entry is not None)
        except RefusedError:
            outcomes.append(False)

    threads = [threading.Thread(target=work, args=(source,)) for source in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for source in sources:
        source.close()
    assert (outcomes.count(True), outcomes.count(False), lines.read_bytes()) == (1, 4, REPAIRED)
