"""What a check says once it has looked at a file: with -v, of which kinds of records a format knows nothing."""

from pathlib import Path

import pytest
from condense_cli.formats import BY_NAME
from condense_cli.session.opened import open_session
from tests.strategies import calls, condense, pi_file

SOUND = [("user",), calls(["a"]), ("result", "a"), ("text",)]
SESSIONS = Path(__file__).parents[3] / "fixtures" / "sessions"


def test_verbose_counts_records_of_kinds_that_the_format_does_not_know(tmp_path):
    """They pass through untouched; a kind is a word of the file, so it is made visible and cut."""
    strange = b'{"type":"spark\\u001b[31mle%s","id":"a%d","parentId":null,"timestamp":"2026-01-01T00:00:02.000Z"}\n'
    path = tmp_path / "s.jsonl"
    path.write_bytes(pi_file(SOUND) + b"".join(strange % (b"!" * 60, n) for n in range(3)))
    told = condense("-v", "check", str(path))
    line = next(line for line in str(told.err).splitlines() if "does not know" in line)
    assert ": 3 spark" in line
    assert "\x1b" not in line
    assert "!" * 41 not in line
    assert "does not know" not in str(condense("check", str(path)).err)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_healthy_sessions_hold_no_record_of_an_unknown_kind(name):
    """Every kind in the fixtures of a format is one that it knows."""
    for path in sorted((SESSIONS / name).glob("*.*")):
        with open_session(str(path)) as session:
            assert not session.document.format.unknown_kinds(session.document), path
