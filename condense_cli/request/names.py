"""Names, ids and arguments as every provider takes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonread

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.model.messages import Call
    from condense_cli.request.gather import Piece

_NOT_IN_ID = re.compile(r"[^a-zA-Z0-9_-]")
_LEGAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
UNKNOWN_TOOL = "unknown_tool"


def legal_name(name: object) -> str:
    """Return a tool name cut at its first illegal character; if nothing is left, a name that says so."""
    match = _LEGAL_NAME.match(name) if isinstance(name, str) else None
    return match[0] if match else UNKNOWN_TOOL


def legal_ids(pieces: Iterable[Piece], limit: int) -> dict[Call, str]:
    """Give each call an id that no other call has, of legal characters and at most `limit` of them.

    An id that is legal stays with the first call that has it; others are made from what they were.
    """
    calls = [asked.call for piece in pieces for asked in piece.calls]
    taken = {call.id for call in calls if _is_legal(call.id, limit)}
    kept: set[str] = set()
    found: dict[Call, str] = {}
    for call in calls:
        if call.id is not None and _is_legal(call.id, limit) and call.id not in kept:
            found[call] = call.id
            kept.add(call.id)
            continue
        base = _NOT_IN_ID.sub("_", (call.id or "").split("|", 1)[0]) or "call"
        new = base[:limit]
        number = 1
        while new in taken:
            number += 1
            mark = f"_{number}"
            new = base[: limit - len(mark)] + mark
        taken.add(new)
        found[call] = new
    return found


def _is_legal(ident: str | None, limit: int) -> bool:
    return bool(ident) and ident is not None and len(ident) <= limit and not _NOT_IN_ID.search(ident)


def object_of(arguments: object) -> dict[str, object]:
    """Return arguments as an object: a text that holds one is read, what is none becomes its member `input`."""
    if isinstance(arguments, str):
        parsed = jsonread.parse(arguments.encode("utf-8", "surrogatepass"))
        arguments = parsed.value if parsed is not None and isinstance(parsed.value, dict) else arguments
    if isinstance(arguments, dict):
        return arguments
    return {} if arguments in (None, "", []) else {"input": arguments}
