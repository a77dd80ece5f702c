"""Writing pieces to a file."""

import os

from condense_cli.storage.source import CHUNK
from condense_cli.storage.writing import write_all


def test_small_pieces_are_written_together_and_all_of_them(tmp_path, monkeypatch):
    """Ten thousand lines are a few writes; large pieces and a short write lose nothing."""
    pieces = [*(b"line %d\n" % n for n in range(10_000)), b"", b"x" * (3 * CHUNK), b"end"]
    writes = []
    real = os.write

    def short(descriptor, data):
        writes.append(len(data))
        return real(descriptor, data[: CHUNK - 7])

    monkeypatch.setattr(os, "write", short)
    descriptor = os.open(tmp_path / "out", os.O_WRONLY | os.O_CREAT)
    try:
        write_all(descriptor, pieces)
    finally:
        os.close(descriptor)

    assert (tmp_path / "out").read_bytes() == b"".join(pieces)
    assert len(writes) < 10
