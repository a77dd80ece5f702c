"""Bytes that are no file, in the shape in which documents read files."""

from __future__ import annotations

import hashlib
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class BytesInMemory:
    """Bytes in memory, read as those of a file are."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from start to end."""
        return self.data[start:end]

    def lines(self) -> Iterator[bytes]:
        """Yield the lines with their endings."""
        return iter(io.BytesIO(self.data))

    def sha256(self) -> str:
        """Return the digest of all bytes."""
        return hashlib.sha256(self.data).hexdigest()
