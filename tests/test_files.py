"""Writing a new file: whole or not at all, and never over the input."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest
from condense_cli.errors import ExitCode, RefusedError, UsageError
from condense_cli.files import open_source, write_new

OLD = b'{"old":1}\n'
NEW = b'{"new":2}\n'


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "session.jsonl"
    path.write_bytes(OLD)
    return path


def names(folder):
    return sorted(os.listdir(folder))


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
        "import sys; from condense_cli.files import *; from condense_cli.errors import UsageError\n"
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
    [("", "is empty"), ("missing/out.jsonl", "does not exist"), (".", "is a folder"), ("session.jsonl/x", "Not a directory"), ("a\0b", "null byte")],
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
