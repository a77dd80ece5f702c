"""Trap: results are collected by skipping as many messages as were found, and a user message between them is skipped too."""

import pytest
from tests.oracle import notation
from tests.strategies import sweep


@pytest.mark.parametrize("form", ["pi", "openai-chat"])
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("U A(x,y) U R(x) U", ["m0", "m2", "m4"]),
        ("U A(x,y) U U R(x) T", ["m0", "m2", "m3", "m5"]),
        ("U A(x) U R(x)", ["m0", "m2"]),
    ],
)
def test_the_user_message_in_the_middle_stays(given, kept, form):
    """However the results are put in order, no user message and no text is lost on the way."""
    messages, tags = sweep(notation(given), "contract", form=form)
    assert [tag for message, tag in zip(messages, tags, strict=True) if message[0] in {"user", "text"}] == kept
    assert ("result", "x") in messages
