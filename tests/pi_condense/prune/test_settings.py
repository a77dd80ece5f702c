"""pi's settings.json."""

import pytest
from condense_cli.errors import UnreadableError
from condense_cli.jsonbytes.javascript import UNDEFINED
from condense_cli.pi_condense.prune.settings import Settings, read_settings, settings_from


def test_without_a_file_pruning_is_on():
    """The defaults are those of pi-condense, switched on."""
    assert read_settings(None) == Settings()
    assert Settings().enabled is True


def test_a_nested_object_replaces_the_default_one():
    """Members missing from a partial object are undefined: no `enabled` is off, no limit is no limit."""
    settings = settings_from({"enabled": True, "chainCompression": {"rollingWindow": 1}, "purgeErrors": {"enabled": True}})

    assert settings.compress is False
    assert settings.strip_final_thinking is False
    assert settings.purge is True
    assert settings.cooldown_turns is UNDEFINED


@pytest.mark.parametrize(("given", "turns"), [(0.5, 0), (2.9, 2), (-1, 3), ("3", 3), (None, 3), (True, 3)])
def test_grace_turns_are_floored_or_default(given, turns):
    """A number that is finite and not negative is rounded down, anything else is the default."""
    assert settings_from({"recoveryGraceTurns": given}).grace_turns == turns


def test_a_file_that_is_no_json_is_an_error(tmp_path):
    """The settings named on the command line must be readable."""
    path = tmp_path / "settings.json"
    path.write_text("{")

    with pytest.raises(UnreadableError):
        read_settings(str(path))
    with pytest.raises(UnreadableError):
        read_settings(str(tmp_path / "none.json"))
