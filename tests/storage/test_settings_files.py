"""Settings are written as a whole, and kept as they were."""

import pytest
from condense_cli.errors import UnreadableError
from condense_cli.storage import settings_files
from condense_cli.storage.settings_files import Kept


def test_a_file_is_written_removed_and_read(tmp_path):
    """None is a file that does not exist."""
    path = str(tmp_path / "new" / "s.json")
    assert settings_files.read(path) is None
    settings_files.write(path, b"{}")
    assert settings_files.read(path) == b"{}"
    settings_files.write(path, None)
    assert settings_files.read(path) is None
    with pytest.raises(UnreadableError):
        settings_files.read(str(tmp_path))


@pytest.mark.parametrize("before", [None, b"\xff\x00"])
def test_what_is_kept_is_there_until_it_is_forgotten(tmp_path, monkeypatch, before):
    """Any bytes."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    settings_files.keep("/s.json", Kept(before, "ab"))
    assert settings_files.kept("/s.json") == Kept(before, "ab")
    settings_files.forget("/s.json")
    assert settings_files.kept("/s.json") is None
