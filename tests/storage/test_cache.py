"""The cache only saves work."""

import os
import sqlite3

import pytest
from condense_cli.storage import cache
from condense_cli.storage.cache import CacheRow

ROW = CacheRow((1, 2, 3, 4, 5), '{"a": "é"}')


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "condense"


def test_rows_are_kept_replaced_and_forgotten(folder):
    """Under any path, for their owner alone."""
    odd = os.fsdecode(b"/s/\xff.jsonl")
    cache.keep("v1", {"/a": ROW, odd: ROW})
    assert cache.known("v1") == {"/a": ROW, odd: ROW}
    cache.keep("v1", {"/a": ROW._replace(data="x")}, gone=[odd])
    assert cache.known("v1") == {"/a": ROW._replace(data="x")}
    assert folder.stat().st_mode & 0o077 == 0


def test_another_program_starts_anew():
    """What other rules found does not count."""
    cache.keep("v1", {"/a": ROW})
    assert cache.known("v2") == {}
    assert cache.known("v1") == {}


def test_a_database_of_another_layout_is_made_anew(folder):
    """Tables of the same names with other columns are no reason to fail."""
    folder.mkdir()
    with sqlite3.connect(cache.cache_file()) as database:
        database.execute("CREATE TABLE looks (x)")
    database.close()
    assert cache.known("v1") == {}
    cache.keep("v1", {"/a": ROW})
    assert cache.known("v1") == {"/a": ROW}


def test_only_regular_files_have_a_stamp(tmp_path):
    """A folder and a missing file have none."""
    (tmp_path / "s").write_bytes(b"abc")
    assert cache.stamp_of(str(tmp_path / "s"))[2] == 3
    assert cache.stamp_of(str(tmp_path)) is cache.stamp_of("/nowhere") is cache.stamp_of("a\0b") is None
