"""Bytes that are put aside come back, from memory and from a file."""

import errno

import pytest
from condense_cli.errors import RefusedError
from condense_cli.storage.spool import Spool


def test_pieces_come_back_in_any_order():
    """Also those that were written after others were read, and when there are too many for memory."""
    spool = Spool()
    pieces = [b"%d " % n * 9000 for n in range(60)]
    starts = [spool.add(piece) for piece in pieces[:30]]
    assert spool.read(starts[3], starts[3] + len(pieces[3])) == pieces[3]
    starts += [spool.add(piece) for piece in pieces[30:]]

    assert [spool.read(start, start + len(piece)) for start, piece in zip(starts, pieces, strict=True)] == pieces


def test_a_full_disk_is_told(monkeypatch):
    """With what can be done, and without a traceback."""
    spool = Spool()

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(spool._file, "write", full)
    with pytest.raises(RefusedError, match="not written: No space left on device"):
        spool.add(b"x")
