"""Outputs that are too long for their entry: the file that each goes to, planned here and written before the session.

Ids come from the session, and a session is not to be trusted: a file is named inside the session's blob folder or
not at all, and no file that is there is written over. What cannot be spilled stays in its entry.
"""

from __future__ import annotations

import hashlib
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.jsonbytes.javascript import replaced_halves, trim

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_NAME = 255
"""Bytes of a file name on every common file system."""
_ENDING = ".txt"
_DIGEST = 16


class Blob(NamedTuple):
    """One file to write: where, and how to get its bytes again; they are not kept."""

    path: str
    sha256: str
    read: Callable[[], bytes]


class BlobFolder:
    """The blob folder of one session, beside its file; without a usable name nothing is spilled."""

    def __init__(self, folder: str | None, session_id: str) -> None:
        self.path: str | None = None
        self._planned: dict[str, Blob] = {}
        self.inline = 0  # outputs that should have been spilled, but could not
        if folder is not None and _is_plain(session_id):
            path = os.path.join(folder, f"{session_id}-blobs")
            if not os.path.lexists(path) or (os.path.isdir(path) and not os.path.islink(path)):
                self.path = path

    def plan(self, key: str, data: bytes, read: Callable[[], bytes]) -> str | None:
        """Return the path of the file for an occurrence, or None where its text must stay in the entry."""
        path = self._path(key)
        if path is not None:
            digest = hashlib.sha256(data).hexdigest()
            planned = self._planned.get(path)
            if planned is None and (not os.path.lexists(path) or holds(path, digest)):
                planned = self._planned[path] = Blob(path, digest, read)
            if planned is not None and planned.sha256 == digest:
                return path
        self.inline += 1
        return None

    @property
    def blobs(self) -> tuple[Blob, ...]:
        """Return the files that were planned, in order."""
        return tuple(self._planned.values())

    def _path(self, key: str) -> str | None:
        return None if self.path is None else os.path.join(self.path, blob_name(key))


def blob_name(key: str) -> str:
    """Return the file name of an occurrence: every UTF-16 unit but ASCII letters, digits, `_` and `-` becomes `_`.

    A name that would be too long ends with a digest of the key, so that long keys keep names of their own.
    """
    name = "".join(char if _is_safe(char) else "_" * (1 + (char > "\uffff")) for char in key)
    if len(name) + len(_ENDING) > _LONGEST_NAME:
        digest = hashlib.sha1(replaced_halves(key)).hexdigest()[:_DIGEST]
        name = f"{name[: _LONGEST_NAME - len(_ENDING) - _DIGEST - 1]}.{digest}"
    return name + _ENDING


def _is_safe(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char in "_-")


def _is_plain(session_id: str) -> bool:
    if not session_id or session_id in (".", "..") or any(char in "/\\\0" for char in session_id):
        return False
    try:
        return len(f"{session_id}-blobs".encode()) <= _LONGEST_NAME
    except UnicodeEncodeError:
        return False


def preview(data: bytes, most: int) -> str:
    """Return the head of a text in at most so many bytes of UTF-8, cut after a whole line if there is one."""
    if len(data) <= most:
        return data.decode()
    text = data[:most].decode("utf-8", "ignore")
    at = text.rfind("\n")
    return text[:at] if at > 0 else text


def content_hash(tool: str, text: bytes) -> str:
    """Return the SHA-1 by which equal outputs are found: line ends and white space at ends do not count."""
    lines = text.decode().replace("\r\n", "\n").split("\n")
    normal = trim("\n".join([line.rstrip(" \t") for line in lines]))
    return hashlib.sha1(b"%b\0%b" % (replaced_halves(tool), normal.encode())).hexdigest()


def holds(path: str, sha256: str) -> bool:
    """Say whether a plain file with these bytes is there."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as file:
            return stat.S_ISREG(os.fstat(descriptor).st_mode) and hashlib.sha256(file.read()).hexdigest() == sha256
    except OSError:
        return False
