"""Spilled outputs are read only where a session may point."""

import os

import pytest
from condense_cli.recall.spill import Blobs


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "here" / "s1-blobs").mkdir(parents=True)
    return tmp_path / "here"


def test_a_file_below_the_session_is_read(folder):
    """The bytes come back as they are."""
    (folder / "s1-blobs" / "a.txt").write_bytes(b"x\xff\r\n")

    assert Blobs(str(folder), "s1").read(str(folder / "s1-blobs" / "a.txt")).data == b"x\xff\r\n"


def test_a_file_elsewhere_is_not_read_unless_allowed(folder, tmp_path):
    """A path outside, by name, by `..` or by a symlink inside, counts as missing, with a note."""
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    os.symlink(secret, folder / "s1-blobs" / "link.txt")

    for path in (str(secret), str(folder / ".." / "secret.txt"), str(folder / "s1-blobs" / "link.txt")):
        refused = Blobs(str(folder), "s1").read(path)
        assert refused.data is None
        assert "--allow-outside-blobs" in refused.note
        assert Blobs(str(folder), "s1", anywhere=True).read(path).data == b"secret"


def test_a_moved_session_finds_its_outputs(folder):
    """A stored path that is gone is looked for by its name beside the session."""
    (folder / "s1-blobs" / "a.txt").write_bytes(b"x")

    assert Blobs(str(folder), "s1").read("/gone/0-blobs/a.txt").data == b"x"
    assert Blobs(str(folder), "../here/s1").read("/gone/0-blobs/a.txt").data is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_is_missing(folder):
    """A pipe or a folder is never waited for."""
    os.mkfifo(folder / "pipe")

    assert Blobs(str(folder)).read(str(folder / "pipe")).data is None
    assert Blobs(str(folder)).read(str(folder / "s1-blobs")).data is None
    assert Blobs(str(folder)).read("a\0b").data is None


def test_standard_input_has_no_folder(tmp_path):
    """Without a file of its own a session may point nowhere."""
    (tmp_path / "a").write_text("x")

    assert Blobs(None).read(str(tmp_path / "a")).data is None
