"""Pictures over the limit of a request."""

import pytest
from condense_cli.pi_condense.prune.cap import NOTE, capped, capped_images
from condense_cli.pi_condense.prune.facts import Facts
from condense_cli.pi_condense.prune.settings import Settings, settings_from


@pytest.mark.parametrize(("limit", "count", "left_out"), [(None, 100, 0), (None, 101, 50), (None, 150, 50), (None, 151, 100), (3, 8, 6), (1, 5, 4), (2, 3, 1), (150, 120, 0)])
def test_the_oldest_go_in_steps_of_half_the_limit(limit, count, left_out):
    """The default limit is that of Anthropic's API; the settings' own may be above it."""
    found = capped_images([Facts("user", images=(0,))] * count, Settings(most_images=limit))

    assert list(found) == list(range(left_out))


@pytest.mark.parametrize("value", [0, 0.5, -1, "3", None, True, float("nan"), float("inf")])
def test_what_is_no_limit_counts_as_none(value):
    """A number from 1 is a limit, its fraction cut off."""
    assert settings_from({"maxImagesPerRequest": value}).most_images is None
    assert settings_from({"maxImagesPerRequest": 3.9}).most_images == 3


def test_a_note_takes_the_place_of_a_picture_and_the_rest_stays():
    """Other blocks and fields are the same objects."""
    message = {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "a"}], "timestamp": 1}

    assert capped(message, {0}) == {**message, "content": [{"type": "text", "text": NOTE}, message["content"][1]]}


def test_the_cap_acts_where_pruning_is_off(chat, show):
    """Nothing counts as pruned then, and the pictures are left out all the same."""
    for n in range(3):
        chat.message("user", n, [{"type": "image", "data": "AA==", "mimeType": "image/png"}])

    shown = show(chat, Settings(enabled=False, most_images=2))

    assert [m["content"][0]["type"] for m in shown.messages] == ["text", "image", "image"]
    assert not shown.pruning.pruned and shown.pruning.changed
