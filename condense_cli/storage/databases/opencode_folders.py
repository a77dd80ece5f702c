"""A session in the folders of OpenCode's older versions as the document that its database is read as.

`session/PROJECT/ses_….json` names it; its messages are the files of `message/ses_…`, the parts of one those of
`part/msg_…`. Ids are those of the names: the client took them so when it moved the files into its database.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from condense_cli.errors import UnreadableError
from condense_cli.jsonbytes import jsonread
from condense_cli.storage.databases.opencode import MARK, UNREADABLE, dump


def is_session(path: str) -> bool:
    """Say whether a path is that of a session file of the older store, with its messages beside it."""
    name = os.path.basename(path)
    return name.startswith("ses_") and name.endswith(".json") and os.path.isdir(_beside(path, "message", _id(name)))


def document(path: str) -> Iterator[bytes]:
    """Yield the bytes of the session. Raises UnreadableError where a file cannot be read."""
    ident = _id(path)
    yield b'{"store":"%s","info":%s,"messages":[' % (MARK.encode(), _record(path, {"id": ident}))
    for number, message in enumerate(_in_order(path, ident)):
        about = {"id": _id(message), "sessionID": ident}
        yield b'%s{"info":%s,"parts":[' % (b",\n" if number else b"\n", _record(message, about))
        parts = (
            _record(part, {"id": _id(part), "sessionID": ident, "messageID": about["id"]})
            for part in _files(_beside(path, "part", about["id"]))
        )
        yield b",".join(b"\n" + part for part in parts)
        yield b"]}"
    yield b"\n]}\n"


def _in_order(path: str, ident: str) -> list[str]:
    """Return the files of the messages by the time that they were made, then by name."""
    files = _files(_beside(path, "message", ident))
    return sorted(files, key=lambda one: (_created(one), one))


def _created(path: str) -> float:
    parsed = jsonread.parse(_read(path))
    value = parsed.value if parsed is not None else None
    time = value.get("time") if isinstance(value, dict) else None
    created = time.get("created") if isinstance(time, dict) else None
    return created if isinstance(created, (int, float)) else 0.0


def _record(path: str, head: Mapping[str, object]) -> bytes:
    """Return the object in a file as it is written there; one that is none as a text, after what its name says."""
    raw = _read(path).strip()
    parsed = jsonread.parse(raw)
    if parsed is not None and isinstance(parsed.value, dict):
        return raw
    return dump({**head, UNREADABLE: raw.decode("utf-8", "replace")})


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as problem:
        raise UnreadableError(f"{path}: {problem.strerror or problem}", "check the folder's permissions") from problem


def _files(folder: str) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names]


def _beside(path: str, kind: str, ident: object) -> str:
    """Return the folder of a kind of records that belongs to an id."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(path))))
    return os.path.join(root, kind, str(ident))


def _id(path: str) -> str:
    return os.path.basename(path).removesuffix(".json")
