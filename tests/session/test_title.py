"""What a session is about."""

import pytest
from condense_cli.session.title import title_of
from tests.conversations import FORMATS, chains, written

LINES = [
    b'{"type": "session", "cwd": "/w"}\n{"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": "Fix\\n the  bug"}]}}',
    b'{"type":"user","message":{"role":"user","content":"<system-reminder>x"}}\n{"type":"user","message":{"role":"user","content":"Fix the bug"}}',
    b'torn {\n{"role": "user", "content": "Fix the bug"}',
]


@pytest.mark.parametrize("head", LINES)
def test_the_first_words_of_the_user(head):
    """On one line; what a client says in the user's name is passed over, and so are torn lines."""
    assert title_of(head) == "Fix the bug"


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"openai-chat", "anthropic"}))
def test_of_every_format_of_lines(tmp_path, name):
    """Where the client writes them."""
    assert title_of(written(tmp_path, name, chains(2)).read_bytes()) == "Question 0"


def test_it_is_short_and_may_be_missing():
    """Sixty characters at most."""
    assert len(title_of(b'{"role":"user","content":"' + b"word " * 99 + b'"}')) == 60
    assert title_of(b"") == title_of(b"[1, 2]\n{}") == ""
