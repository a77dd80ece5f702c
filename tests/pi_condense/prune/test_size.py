"""Sizes of messages."""

from condense_cli.jsonbytes.javascript import json_length
from condense_cli.pi_condense.prune.size import message_size


def test_a_picture_has_one_price_whatever_it_holds():
    """Only blocks of the content count so; pictures elsewhere count as they are."""
    bare = {"role": "user", "content": [{"type": "image"}, None], "details": {"type": "image", "data": "x" * 50}}
    full = {**bare, "content": [{"type": "image", "data": "x" * 9000}, None]}

    assert message_size(full) == json_length(bare) + 6400
    assert message_size({"content": "text"}) == json_length({"content": "text"})
