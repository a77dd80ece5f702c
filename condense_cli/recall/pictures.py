"""Pictures in outputs: found in a result's content, or by the markers that pi-condense leaves in its records."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.model.messages import Role
from condense_cli.pi_condense.prune.captured import digest_of, marked
from condense_cli.pi_condense.prune.facts import is_image

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.prune.context import Load

_DATA_URL = re.compile(r"data:([a-z]+/[-+.a-z0-9]+);base64,", re.IGNORECASE)
_ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp"}


class Picture(NamedTuple):
    """A picture's bytes and its media type, as the session names it."""

    media_type: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Return the digest of the bytes, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def file_name(self) -> str:
        """Return a file name: the digest, so that equal pictures are one file."""
        return f"{self.sha256[:16]}{_ENDINGS.get(self.media_type, '.bin')}"


def picture_of(block: dict[str, Any]) -> Picture | None:
    """Read a picture from a block of any format; None where the block holds no bytes that can be read."""
    source = block.get("source") if isinstance(block.get("source"), dict) else block.get("inlineData", block)
    fields = source if isinstance(source, dict) else block
    media = next((fields[key] for key in ("mimeType", "media_type") if isinstance(fields.get(key), str)), "")
    data = fields.get("data")
    if not isinstance(data, str):
        url = block.get("image_url")
        url = url.get("url") if isinstance(url, dict) else url
        match = _DATA_URL.match(url) if isinstance(url, str) else None
        if match is None or not isinstance(url, str):
            return None
        media, data = match[1].lower(), url[match.end() :]
    try:
        return Picture(media, base64.b64decode(data))
    except (binascii.Error, ValueError):
        return None


_KINDS = frozenset({"image", "image_url", "input_image"})


def picture_blocks(content: Any) -> Iterator[dict[str, Any]]:
    """Yield the blocks of a result that are pictures, as they are stored, in order."""
    todo = [content]
    while todo:
        value = todo.pop()
        if isinstance(value, list):
            todo.extend(reversed(value))
        elif isinstance(value, dict):
            kind = value.get("type")
            if (isinstance(kind, str) and kind in _KINDS) or isinstance(value.get("inlineData"), dict):
                yield value
            else:
                todo.extend(
                    value[key] for key in ("parts", "output", "content") if isinstance(value.get(key), (list, dict))
                )


class Marked:
    """The pictures of a branch by the digits of their markers; the branch is read when the first is asked for."""

    def __init__(self, branch: Iterable[Record], load: Load) -> None:
        self._branch = branch
        self._load = load
        self._blocks: dict[str, dict[str, Any]] | None = None

    def of(self, text: str) -> tuple[dict[str, Any], ...]:
        """Return the blocks that the markers of a text name, in order; repeats are kept, unknown ones left out."""
        digests = list(marked(text))
        if not digests:
            return ()
        if self._blocks is None:
            self._blocks = {digest_of(block["data"]): block for block in self._stored()}
        return tuple(self._blocks[digest] for digest in digests if digest in self._blocks)

    def _stored(self) -> Iterator[dict[str, Any]]:
        for record in self._branch:
            if record.message is not None and record.message.role is Role.RESULT:
                message = self._load(record).get("message")
                content = message.get("content") if isinstance(message, dict) else None
                for block in content if isinstance(content, list) else ():
                    if is_image(block) and isinstance(block.get("data"), str):
                        yield block
