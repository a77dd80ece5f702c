"""Parts of the page: what is cut says so, what steers is visible, images are checked."""

import base64

import pytest
from condense_cli.document.views import Block
from condense_cli.output.html.parts import Limits, Maker, cut

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(64)).decode()


def part(block):
    """One block as a part of a page."""
    return Maker(Limits(1000, 1000), 10_000).part(block, "WHOLE", "OUTPUT")


def test_a_long_output_is_cut_and_says_how_to_get_it():
    """Beginning and end stay; the note has the number of characters and the command."""
    made = part(Block("result", "a" * 5000 + "end", "id", "bash"))
    (piece,) = made.pieces
    assert piece.text.endswith("end")
    assert len(piece.text) < 1100
    assert made.more == "4,003 characters are left out. All of it: OUTPUT"


def test_what_hardly_exceeds_the_limit_is_whole():
    """A note would be longer than what it leaves out."""
    assert cut("x" * 1100, 1000, "WHOLE") == ("x" * 1100, "")


def test_characters_that_steer_are_visible():
    """Bidirectional overrides and control characters show as escapes, in texts and in heads."""
    made = part(Block("result", "a\u202eb\x1b", "id", "na\u2066me"))
    assert made.pieces[0].text == "a\\u202eb\\x1b"
    assert made.title == "na\\u2066me"


@pytest.mark.parametrize(
    ("media_type", "data", "shown"),
    [("image/png", PNG, True), ("image/svg+xml", PNG, False), ("image/png", "PHN2Zz4=", False), ("image/png", PNG + '"', False), ("text/html", PNG, False), ("image/png", "", False)],
)
def test_only_an_image_of_a_known_type_is_in_the_page(media_type, data, shown):
    """Everything else is a note with type and reason."""
    made = part(Block("image", media_type=media_type, data=data))
    assert bool(made.picture) is shown
    assert made.summary


def test_images_have_a_budget():
    """A large one is never in the page, and many small ones only until there is no room."""
    maker = Maker(Limits(10, 10), 0)
    large = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(300_000)).decode()
    assert not maker.part(Block("image", media_type="image/png", data=large), "", "").picture
    small = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(150_000)).decode()
    shown = [bool(maker.part(Block("image", media_type="image/png", data=small), "", "").picture) for _ in range(30)]
    assert 0 < sum(shown) < 30


def test_an_image_elsewhere_is_not_loaded():
    """Its address is told."""
    made = part(Block("image", url="https://example.invalid/x.png"))
    assert not made.picture
    assert "not loaded" in made.summary


def test_a_call_shows_its_command_and_colours_it():
    """The head has the command, the body has it as shell code."""
    made = part(Block("call", id="c", name="bash", arguments={"command": "if true; then ls; fi", "timeout": 3}))
    assert (made.title, made.summary) == ("bash", "if true; then ls; fi")
    assert '<span class="k">if</span>' in made.pieces[0].markup


def test_code_between_fences_is_code_and_the_rest_is_not():
    """Unknown languages are plain code."""
    made = part(Block("text", "before\n```python\nx = 1\n```\nbetween\n```nonsense\n<b>\n```\nafter"))
    assert [(p.text, p.code) for p in made.pieces] == [("before", False), ("x = 1", True), ("between", False), ("<b>", True), ("after", False)]
    assert made.pieces[1].markup
    assert not made.pieces[3].markup
