"""What a record says, apart from its place: its parent, what else it names, and when it was written."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.model.messages import Record

_SAID = ("role", "content", "id", "responseId", "toolCallId", "toolUseId")
_TIMES = ("timestamp",)


def substance(document: Document, record: Record) -> bytes:
    """Return a digest of what a record says: of a message its role, content and the model's id of it, of others all
    but their place.
    """
    value = document.value(record)
    message = value.get("message") if isinstance(value, dict) else None
    said: Any = value
    if record.message is not None and isinstance(message, dict):
        said = [record.kind, [message.get(key) for key in _SAID]]
    elif isinstance(value, dict):
        said = _without_place(document, value)
    return hashlib.sha256(jsonedit.dump(said)).digest()


def _without_place(document: Document, value: dict[str, Any]) -> dict[str, Any]:
    tree = document.format.tree
    assert tree is not None
    place = {tree.parent, *(path[0] for path in tree.references), *_TIMES}
    return {key: value[key] for key in sorted(value) if key not in place}
