"""Times of --since."""

from datetime import datetime

import pytest
from condense_cli.cli.doctor.since import since
from condense_cli.errors import UsageError


def test_times_ago_and_days():
    """In seconds."""
    assert since(None) == 0
    assert [since(word, 1e9) for word in ("90m", "12h", "7d", "2w")] == [1e9 - n for n in (5400, 43200, 604800, 1209600)]
    assert since("2026-11-30") == datetime(2026, 11, 30).timestamp()  # noqa: DTZ001 - a day of the user


@pytest.mark.parametrize("word", ["", "soon", "7", "7y", "-1d", "2026-13-01", "9" * 400 + "d"])
def test_anything_else_is_an_error(word):
    """Of usage."""
    with pytest.raises(UsageError):
        since(word)
