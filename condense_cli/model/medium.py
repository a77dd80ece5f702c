"""An image or document of a message as facts: where it is, what it is labelled, and what its bytes say.

No bytes are kept.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from condense_cli.model.media import (
    GIF,
    JPEG,
    PDF,
    PNG,
    WEBP,
    decoded_size,
    head_of,
    is_base64,
    is_pdf,
    picture_of,
)

IMAGE_TYPES = frozenset({PNG, JPEG, GIF, WEBP})
_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*),", re.IGNORECASE)

NO_DATA = "no data"
NOT_BASE64 = "not base64"
UNKNOWN_TYPE = "unsupported media type"
NO_IMAGE = "the bytes are no image"
NO_PDF = "the bytes are no PDF"
NO_DATA_URL = "not a data URL"

Path = tuple[str | int, ...]


class Medium(NamedTuple):
    """An image or document, without its bytes.

    path leads to its block, from the content of its message on. label is the media type that it is given, kind the one
    of its bytes ("" unknown). width and height are pixels, 0 where the header has none; size is in bytes, encoded in
    characters of base64, both 0 for what is elsewhere (a URL, a file's id). pages are those of a PDF, 0 if not known;
    sure says whether that number is proved. fault says why it cannot be what it is labelled, "" if it can.
    """

    path: Path
    document: bool
    label: str
    kind: str = ""
    width: int = 0
    height: int = 0
    size: int = 0
    encoded: int = 0
    pages: int = 0
    sure: bool = False
    fault: str = ""
    in_result: bool = False

    @property
    def part(self) -> int:
        """Return the number of its block in the content of the message, from 0."""
        return self.path[0] if self.path and isinstance(self.path[0], int) else 0

    @property
    def mislabelled(self) -> bool:
        """Say whether the bytes are an image of another type than the label says."""
        return not self.fault and self.label.lower() in IMAGE_TYPES and self.kind in IMAGE_TYPES - {self.label.lower()}


def image(
    path: Path, label: object, data: object, *, in_result: bool = False, known: frozenset[str] = IMAGE_TYPES
) -> Medium:
    """Read an image from its base64 text, no more of it than its header; known: the media types that may be named."""
    name = label if isinstance(label, str) else ""
    found = Medium(path, False, name, in_result=in_result)
    if name.lower() not in known:
        return found._replace(fault=UNKNOWN_TYPE)
    if not isinstance(data, str) or not data:
        return found._replace(fault=NO_DATA)
    found = found._replace(size=decoded_size(data), encoded=len(data))
    if not is_base64(data):
        return found._replace(fault=NOT_BASE64)
    picture = picture_of(data)
    if picture is None:
        return found if name.lower() not in IMAGE_TYPES else found._replace(fault=NO_IMAGE)
    return found._replace(kind=picture.media_type, width=picture.width, height=picture.height)


def image_url(path: Path, url: object, *, in_result: bool = False) -> Medium:
    """Read an image that is given as a URL; one that is elsewhere cannot be judged and has no fault."""
    if not isinstance(url, str) or not url:
        return Medium(path, False, "", fault=NO_DATA, in_result=in_result)
    if url[:5].lower() != "data:":
        return Medium(path, False, "", in_result=in_result)
    match = _DATA_URL.match(url)
    if match is None:
        return Medium(path, False, "", fault=NO_DATA_URL, in_result=in_result)
    if ";base64" not in match[2].lower():
        return Medium(path, False, match[1], fault=NOT_BASE64, in_result=in_result)
    return image(path, match[1], url[match.end() :], in_result=in_result)


def document(path: Path, label: object, data: object, *, in_result: bool = False) -> Medium:
    """Read a document from its base64 text; one that is labelled PDF is decoded, to count its pages."""
    name = label if isinstance(label, str) else ""
    found = Medium(path, True, name, in_result=in_result)
    if not isinstance(data, str) or not data:
        return found._replace(fault=NO_DATA)
    found = found._replace(size=decoded_size(data), encoded=len(data))
    if not is_base64(data):
        return found._replace(fault=NOT_BASE64)
    if name.lower() != PDF:
        return found
    if not is_pdf(head_of(data, 2048)):
        return found._replace(fault=NO_PDF)
    import base64

    from condense_cli.model.pdf import pages

    counted = pages(base64.b64decode(data))
    return found._replace(kind=PDF, pages=counted.number, sure=counted.sure)
