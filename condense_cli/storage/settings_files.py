"""Settings files of clients: read, written as a whole, and kept as they were before condense changed them."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
from typing import NamedTuple

from condense_cli.errors import UnreadableError
from condense_cli.storage.new_file import write_new
from condense_cli.storage.state import key, make_private, state_folder
from condense_cli.storage.writing import unwritable

_MOST_BYTES = 16 << 20


class Kept(NamedTuple):
    """A file before a change (None: it did not exist), and the SHA-256 in hex of what it was changed into."""

    before: bytes | None
    after: str


def read(path: str) -> bytes | None:
    """Return a file's bytes, None where it does not exist. Raises UnreadableError."""
    try:
        with open(path, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise UnreadableError(
            f"{path}: {problem.strerror or problem}", "check the path and its permissions"
        ) from problem
    if len(data) > _MOST_BYTES:
        raise UnreadableError(f"{path}: too large for settings", "check what it is")
    return data


def write(path: str, data: bytes | None) -> None:
    """Replace a file as a whole, or remove it (None). Raises RefusedError where the system refuses."""
    try:
        if data is None:
            os.unlink(path)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as problem:
        raise unwritable(path, problem) from problem
    write_new(path, [data])


def keep(path: str, value: Kept) -> None:
    """Remember a file as it was.

    The oldest state is what counts: a second change does not replace it. Raises RefusedError.
    """
    before = kept(path)
    if before is not None and value.before is not None and _is_after(value.before, before):
        value = Kept(before.before, value.after)
    place = _place(path)
    text = json.dumps({"path": path, "after": value.after, "before": _packed(value.before)})
    try:
        make_private(os.path.dirname(place))
    except OSError as problem:
        raise unwritable(place, problem) from problem
    write_new(place, [text.encode()])


def kept(path: str) -> Kept | None:
    """Return what was remembered of a file."""
    try:
        with open(_place(path), "rb") as file:
            value = json.loads(file.read())
        before = value["before"]
        return Kept(None if before is None else base64.b64decode(before), str(value["after"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def forget(path: str) -> None:
    """Remove what was remembered."""
    with contextlib.suppress(OSError):
        os.unlink(_place(path))


def _is_after(data: bytes, change: Kept) -> bool:
    return hashlib.sha256(data).hexdigest() == change.after


def _packed(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _place(path: str) -> str:
    return os.path.join(state_folder(), "settings", f"{key(os.path.realpath(path))}.json")
