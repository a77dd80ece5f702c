"""Looks are kept, and only save work."""

import os

from condense_cli.storage import looks
from condense_cli.storage.looks import Look, Sight

LOOK = Look("1", (1, 2, 3, 4, 5), (Sight("orphan-result", 5, "error", True, "k"),), frozenset({"k"}))


def test_what_is_kept_is_read_again(tmp_path, monkeypatch):
    """The same value, in a folder that only its owner can read."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    looks.remember("/s.jsonl", LOOK)
    assert looks.remembered("/s.jsonl") == LOOK
    assert looks.remembered("/t.jsonl") is None
    assert os.stat(tmp_path / "condense" / "looks").st_mode & 0o077 == 0
    assert [name for name in os.listdir(tmp_path / "condense" / "looks") if name.endswith(".tmp")] == []


def test_old_looks_are_forgotten(tmp_path, monkeypatch):
    """The folder does not grow for ever."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(looks, "_MOST_KEPT", 8)
    for n in range(30):
        looks.remember(f"/{n}.jsonl", LOOK)
    assert len(os.listdir(tmp_path / "condense" / "looks")) <= 8
    assert looks.remembered("/29.jsonl") == LOOK


def test_only_regular_files_have_a_stamp(tmp_path):
    """A folder and an empty file have none."""
    (tmp_path / "a").write_bytes(b"x")
    assert looks.stamp_of(str(tmp_path / "a"))[2] == 1
    assert looks.stamp_of(str(tmp_path)) is looks.stamp_of("a\0b") is None
