"""Headers from before Codex's records had an envelope, and headers that break inside."""

from __future__ import annotations

import pytest
from tests.strategies import condense

EARLY = b'{"id":"","timestamp":"2025-05-07T17:24:21.597Z","instructions":null}\n'
USER = b'{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}\n'


@pytest.mark.parametrize("command", ["check", "repair"])
def test_an_early_header_without_an_id_is_no_bug(tmp_path, command):
    """It has no payload in which an id could be missing."""
    path = tmp_path / "rollout-2025-05-07T17-24-21.jsonl"
    path.write_bytes(EARLY + USER)
    assert condense(command, str(path)).code in (0, 1)
