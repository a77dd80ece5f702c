"""A difference as JSON lines: one object a changed record, and one for each edit that no record shows.

`{"change", "line", "index", "after", "moved", "edits", "old", "new"}`: change is insert, remove or change; line (from 1)
and index (from 0, in an array) are those of the old record; after is the old line that an inserted or moved record
comes after; old and new are the records as they are in the files, as text, null where there is none.
"""  # noqa: E501 - a sentence is one text

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from condense_cli.output.difference.align import Changed, align
from condense_cli.output.plan_file import edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document
    from condense_cli.model.messages import Record
    from condense_cli.model.plan import Plan


def raw_lines(plan: Plan, old: Document, new: Document) -> Iterator[str]:
    """Yield the lines without their endings."""
    aligned = align(plan, old, new)
    for one in aligned.changed:
        yield json.dumps(_value(one, old, new))
    for other in aligned.others:
        yield json.dumps({"change": "edit", "line": other.line, "index": other.index, "edits": [edit(other)]})


def _value(one: Changed, old: Document, new: Document) -> dict[str, Any]:
    return {
        "change": "insert" if one.old is None else "remove" if one.new is None else "change",
        "line": one.old.line if one.old is not None else None,
        "index": old.index(one.old) if one.old is not None else None,
        "after": one.after if one.old is None or one.moved else None,
        "moved": one.moved,
        "edits": [edit(each) for each in one.edits],
        "old": _text(old, one.old),
        "new": _text(new, one.new),
    }


def _text(document: Document, record: Record | None) -> str | None:
    return document.raw(record).decode("utf-8", "backslashreplace") if record is not None else None
