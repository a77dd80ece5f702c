"""How many tokens the turns of a request are: an estimate that is rather too high, since a request that fits is wanted.

A token for each three bytes of text; an image by its pixels, as Anthropic counts (width × height / 750, 1,600 at most).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from condense_cli.jsonbytes.javascript import UNDEFINED, stringify
from condense_cli.model.media import picture_of

if TYPE_CHECKING:
    from condense_cli.document.views import Block

BYTES = 3  # of text for a token
PIXELS = 750  # of an image for a token
IMAGE = 1600  # tokens of an image at most, and of one whose size is not known
_PART = 8  # tokens around each part: its kind, its ids


def tokens(blocks: Iterable[Block]) -> int:
    """Return the estimate for the parts of turns."""
    return sum(map(_of, blocks))


def _of(block: Block) -> int:
    text = "" if block.inner else block.text  # the text of a result's parts
    size = len(text.encode("utf-8", "surrogatepass")) + len(block.signature)
    if block.arguments not in (None, UNDEFINED):
        size += len(stringify(block.arguments))
    media = _image(block.data) if block.data else IMAGE if block.url else 0
    return _PART + -(-size // BYTES) + media + tokens(block.inner)


def _image(data: str) -> int:
    picture = picture_of(data)
    known = picture is not None and picture.width
    return min(IMAGE, -(-picture.width * picture.height // PIXELS)) if picture is not None and known else IMAGE


def widest(most: int, chains: int, measure: Callable[[int], int]) -> int | None:
    """Return how many of the newest chains can stay so that the request has at most `most` tokens; None: not even none.

    measure: the tokens with that many chains left alone; more chains are more tokens.
    """
    if measure(0) > most:
        return None
    fits, too_many = 0, chains + 1
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if measure(middle) <= most:
            fits = middle
        else:
            too_many = middle
    return fits
