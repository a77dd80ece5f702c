"""Exchanging two names."""

from __future__ import annotations

import errno
import os
import sys

import pytest
from condense_cli.storage import exchange as module
from condense_cli.storage.exchange import exchange


@pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is Linux's")
def test_two_files_exchange_their_names(tmp_path):
    """Each has the name of the other, in one step."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"1")
    other.write_bytes(b"2")
    inode = one.stat().st_ino
    if not exchange(str(one), str(other)):
        pytest.skip("this file system cannot")
    assert (one.read_bytes(), other.read_bytes(), other.stat().st_ino) == (b"2", b"1", inode)


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EINVAL, errno.ENOTSUP])
def test_a_system_that_cannot_is_no_error(monkeypatch, code):
    """The caller does without."""
    monkeypatch.setattr(module, "rename_exchange", lambda *_: code)
    assert exchange("a", "b") is False


def test_another_failure_is_one(tmp_path):
    """A name that is not there is said."""
    with pytest.raises(OSError, match=os.strerror(errno.ENOENT)):
        if not exchange(str(tmp_path / "a"), str(tmp_path / "b")):
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
