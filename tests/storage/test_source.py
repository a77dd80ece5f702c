"""Reading an input: what is accepted, what is said of the rest, and that a changing file never gives wrong bytes."""

from __future__ import annotations

import hashlib
import io
import os
import sys

import pytest
from condense_cli.errors import ExitCode, UnreadableError
from condense_cli.storage.source import open_source

LINES = b'{"a":1}\r\n{"b":"\xe2\x80\xa8"}\n\n{"c":3}'


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "session.jsonl"
    path.write_bytes(LINES)
    return path


def test_lines_are_cut_behind_line_feeds_only(session):
    """Carriage returns, U+2028 and a missing final newline stay in the lines they are in."""
    with open_source(str(session)) as source:
        assert list(source.lines()) == [b'{"a":1}\r\n', b'{"b":"\xe2\x80\xa8"}\n', b"\n", b'{"c":3}']
        assert list(source.lines(9)) == list(source.lines())[1:]


def test_read_gives_the_bytes_of_a_span(session):
    """A span is given back exactly, and the part of it that lies behind the end is empty."""
    with open_source(str(session)) as source:
        assert source.read(2, 5) == LINES[2:5]
        assert source.read(len(LINES) - 2, len(LINES) + 50) == LINES[-2:]
        assert source.read(5, 5) == b""
        assert (source.size, source.path) == (len(LINES), str(session))
        assert source.sha256() == hashlib.sha256(LINES).hexdigest()
        assert source.sha256(4) == hashlib.sha256(LINES[:4]).hexdigest()


def test_a_long_file_is_the_same_in_lines_and_in_chunks(tmp_path):
    """Lines and chunks across the buffer's borders add up to the file."""
    data = b"".join(b"%d:" % n + b"x" * (n * 37 % 5000) + b"\n" for n in range(3000)) + b"y" * 3_000_000
    (tmp_path / "long.jsonl").write_bytes(data)
    with open_source(str(tmp_path / "long.jsonl")) as source:
        assert b"".join(source.lines()) == data
        assert b"".join(source.chunks()) == data
        assert b"".join(source.chunks(5, 2_500_000)) == data[5:2_500_000]
        assert list(source.lines()) == data.splitlines(keepends=True)


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input_is_spooled(monkeypatch, name):
    """`-` reads standard input, which can then be read as often as a file and is called <stdin>."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINES)))
    with open_source(name) as source:
        assert (source.path, source.size, source.real) == ("<stdin>", len(LINES), None)
        assert b"".join(source.lines()) == b"".join(source.lines()) == LINES
        assert not source.changed()


def test_closed_standard_input_is_an_error(monkeypatch):
    """Without a standard input `-` is unreadable."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UnreadableError, match="standard input is closed"):
        open_source("-")


def _missing(folder):
    return str(folder / "nowhere.jsonl")


def _folder(folder):
    return str(folder)


def _fifo(folder):
    os.mkfifo(folder / "fifo")
    return str(folder / "fifo")


def _below_a_file(folder):
    (folder / "file").write_bytes(b"")
    return str(folder / "file" / "x.jsonl")


def _loop(folder):
    os.symlink("loop", folder / "loop")
    return str(folder / "loop")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (_missing, "No such file"),
        (_folder, "is a folder"),
        (_fifo, "no regular file"),
        (_below_a_file, "Not a directory"),
        (_loop, "symbolic links"),
        (lambda _: "/dev/null", "no regular file"),
        (lambda _: "", "is empty"),
        (lambda _: "a\0b", "not a file name"),
        (lambda _: "x" * 5000, "too long"),
    ],
    ids=["missing", "folder", "fifo", "below-a-file", "loop", "device", "empty", "nul", "long"],
)
def test_what_is_no_file_is_unreadable(tmp_path, name, says):
    """Whatever cannot be a session ends with code 3, its name and advice."""
    with pytest.raises(UnreadableError, match=says) as caught:
        open_source(name(tmp_path))
    assert caught.value.exit_code is ExitCode.UNREADABLE
    assert caught.value.advice


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_forbidden_file_is_unreadable(session):
    """A file without read permission is an error with advice."""
    session.chmod(0)
    with pytest.raises(UnreadableError, match="Permission denied"):
        open_source(str(session))


def test_a_deleted_file_is_still_read(session):
    """Deleting the file while it is open takes nothing away, but it counts as changed."""
    with open_source(str(session)) as source:
        assert not source.changed()
        session.unlink()
        assert b"".join(source.lines()) == LINES
        assert source.changed()


def test_what_is_appended_later_is_not_read(session):
    """A source ends where the file ended when it was opened."""
    with open_source(str(session)) as source, session.open("ab") as writer:
        writer.write(b'\n{"d":4}\n')
        writer.flush()
        assert b"".join(source.lines()) == LINES
        assert source.read(0, 1000) == LINES
        assert source.changed()


def test_a_file_that_got_shorter_is_an_error_and_never_wrong_data(session):
    """Bytes that are gone since opening raise an error in every way of reading."""
    with open_source(str(session)) as source:
        os.truncate(session, 5)
        assert source.read(0, 5) == LINES[:5]
        for read in (lambda: source.read(0, 8), lambda: list(source.lines()), source.sha256, lambda: list(source.chunks())):
            with pytest.raises(UnreadableError, match="changed while it was read"):
                read()


def test_a_file_that_takes_the_place_counts_as_a_change(session, tmp_path):
    """Another file under the same name is a change, although the opened one is as it was."""
    with open_source(str(session)) as source:
        (tmp_path / "other").write_bytes(LINES)
        os.replace(tmp_path / "other", session)
        assert source.changed()


def test_a_compressed_rollout_is_unpacked(tmp_path):
    """A file compressed with zstd is read as what is in it."""
    zstandard = pytest.importorskip("zstandard")
    data = LINES * 1000
    (tmp_path / "rollout-x.jsonl.zst").write_bytes(zstandard.compress(data))
    with open_source(str(tmp_path / "rollout-x.jsonl.zst")) as source:
        assert source.packing.name == "zstd"
        assert b"".join(source.lines()) == data
        assert source.size == len(data)
        assert not source.changed()


@pytest.mark.parametrize(
    ("damage", "says"),
    [(lambda packed: packed[:-7], "ends too early"), (lambda packed: packed[:4] + b"\xff" * 40 + packed[44:], "cannot be unpacked")],
    ids=["cut", "overwritten"],
)
def test_a_damaged_compressed_rollout_is_unreadable(tmp_path, damage, says):
    """A compressed file that is cut or damaged is an error, not half a session."""
    zstandard = pytest.importorskip("zstandard")
    (tmp_path / "bad.zst").write_bytes(damage(zstandard.compress(os.urandom(5000))))
    with pytest.raises(UnreadableError, match=says):
        open_source(str(tmp_path / "bad.zst"))


def test_frames_in_a_row_are_unpacked(tmp_path):
    """A compressed file may consist of several frames."""
    zstandard = pytest.importorskip("zstandard")
    (tmp_path / "two.zst").write_bytes(zstandard.compress(LINES) + zstandard.compress(LINES * 9000))
    with open_source(str(tmp_path / "two.zst")) as source:
        assert b"".join(source.lines()) == LINES * 9001


def test_a_compressed_bomb_is_refused_before_it_fills_the_disk(tmp_path):
    """A few kilobytes that unpack to hundreds of megabytes stop at the limit."""
    zstandard = pytest.importorskip("zstandard")
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(zstandard.compress(bytes(64 << 20)))
    with pytest.raises(UnreadableError, match="unpacks to more than 1000000 bytes"):
        open_source(str(path), max_size=1_000_000)
    with open_source(str(path), max_size=64 << 20) as source:
        assert source.size == 64 << 20
