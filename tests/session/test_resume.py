"""The command that resumes a session with its client."""

import pytest
from condense_cli.session.resume import resume_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("claude-code", ("claude", "--resume", "3f2a0b1c-0000-4000-8000-000000000001")),
        ("codex", ("codex", "resume", "3f2a0b1c-0000-4000-8000-000000000001")),
        ("pi", ("pi", "--session", "/w/3f2a0b1c-0000-4000-8000-000000000001.jsonl")),
        ("anthropic", ()),
    ],
)
def test_each_client_goes_on_in_its_own_way(name, words):
    """The command is exact; an array of messages has none."""
    assert resume_words(name, "/w/3f2a0b1c-0000-4000-8000-000000000001.jsonl") == words
