"""A changed record in words: what happens to it and why, and pairs of old and new text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.records import UNREADABLE
from condense_cli.jsonbytes.javascript import stringify
from condense_cli.jsonbytes.jsonspan import span
from condense_cli.output.difference.fields import MISSING, Field, fields
from condense_cli.output.difference.words import Piece, compare, short_words
from condense_cli.output.plain import one_line, visible
from condense_cli.output.sentence import counted, sentence, shortened
from condense_cli.output.transcript import text_lines
from condense_cli.output.turns import as_json
from condense_cli.output.window import MarkedLine, views

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.document.document import Document
    from condense_cli.model.messages import Record
    from condense_cli.model.plan import Edit
    from condense_cli.output.difference.align import Changed

_MOST_OLD_LINES = 8  # of a text that is removed or only moved; `--raw` has all of it
_LONGEST_ID = 60
_LONGEST_RAW = 480  # characters of a line that nobody can read

Text = list[list[Piece]]  # lines of pieces


class Pair(NamedTuple):
    """A text as it was and as it will be; label names the field, "" the whole message. same: shown as it is in both."""

    label: str
    old: Text | None
    new: Text | None
    same: bool = False


class Described(NamedTuple):
    """A changed record: where it is, what happens to it, why, and its texts.

    linked: only its link to its parent changes, and no texts are given.
    """

    place: str
    who: str
    what: str
    reasons: tuple[str, ...]
    pairs: tuple[Pair, ...]
    linked: bool = False


def describe(one: Changed, old: Document, new: Document) -> Described:
    """Say what happens to one record."""
    reasons = tuple(dict.fromkeys(_reason(edit) for edit in one.edits))
    if one.old is None:
        assert one.new is not None
        where = f"after line {one.after}" if one.after else "before all"
        return Described(where, _who(one.new), "is inserted", reasons, (Pair("", None, _body(new, one.new)),))
    place = f"line {one.old.line}" + ("" if (n := old.index(one.old)) is None else f", message {n}")
    if one.new is None:
        return Described(place, _who(one.old), "is removed", reasons, (Pair("", _short(_body(old, one.old)), None),))
    link = new.format.tree.parent if new.format.tree is not None else None
    only_link = link is not None and _differ_in(link, one, old, new)
    differing = _fields(old, new, one) if not only_link else []
    if only_link or (differing and all(field.path == link for field in differing)):
        if not one.moved:
            return Described(place, _who(one.new), "changes", reasons, (), linked=True)
        differing = []
    pairs = tuple(_pair(field) for field in differing) if differing is not None else _whole(one, old, new)
    if not one.moved:
        return Described(place, _who(one.new), "changes", reasons, pairs)
    text = Pair("", None, _short(_body(new, one.new)), same=True)
    what = "is moved " + (f"after line {one.after}" if one.after else "before all")
    return Described(place, _who(one.new), what, reasons, (text, *(pair for pair in pairs if pair.label != link)))


def _differ_in(key: str, one: Changed, old: Document, new: Document) -> bool:
    """Say quickly whether the text of one field is all that differs; False also where that takes a closer look."""
    assert one.old is not None
    assert one.new is not None
    if UNREADABLE in (one.old.kind, one.new.kind):
        return False
    was, will = old.raw(one.old), new.raw(one.new)
    left, right = span(was, (key,)), span(will, (key,))
    if left is None or right is None or was[: left[0]] != will[: right[0]] or was[left[1] :] != will[right[1] :]:
        return False
    texts = was[slice(*left)], will[slice(*right)]
    return texts[0] != texts[1] and all(text.isascii() and b"\\" not in text and text[:1] in b'"n' for text in texts)


def _reason(edit: Edit) -> str:
    return f"{edit.rule}: {sentence(edit.rule, edit.detail)}"


def _who(record: Record) -> str:
    """Return the role of a message with the ids of its calls or results, or the kind of another record."""
    if record.message is None:
        return one_line(record.kind or "record")
    ids = [shortened(half.id or "(empty)", _LONGEST_ID) for half in record.message.halves]
    role = one_line(record.message.role.value)
    return " ".join([role, *ids[:3], *([f"and {counted(len(ids) - 3, 'id')} more"] if len(ids) > 3 else [])])


def _fields(old: Document, new: Document, one: Changed) -> list[Field] | None:
    """Return the fields that differ; None where one of the two is no JSON object or both say the same in other
    bytes.
    """
    assert one.old is not None
    assert one.new is not None
    if UNREADABLE in (one.old.kind, one.new.kind):
        return None
    return list(fields(old.value(one.old), new.value(one.new))) or None


def _whole(one: Changed, old: Document, new: Document) -> tuple[Pair, ...]:
    """Return the bytes around the place where two records differ that have the same fields, or both as they are."""
    assert one.old is not None
    assert one.new is not None
    was, will = old.raw(one.old), new.raw(one.new)
    if was == will:
        return ()
    if one.old.kind == UNREADABLE and one.new.kind != UNREADABLE:
        return (Pair("", _short(_raw(was)), _body(new, one.new)),)
    left, right = views(was, will)
    return (Pair("bytes", _around(left, was), _around(right, will)),)


def _around(seen: MarkedLine, data: bytes) -> Text:
    return [
        [
            Piece(seen.before, changed=False),
            Piece(seen.changed or _ending(data), changed=True),
            Piece(seen.after, changed=False),
        ]
    ]


def _ending(data: bytes) -> str:
    """Return how a line ends, where nothing else of it differs."""
    return (
        " (no newline at the end)" if not data.endswith(b"\n") else " (\\r\\n)" if data.endswith(b"\r\n") else " (\\n)"
    )


def _pair(field: Field) -> Pair:
    label = shortened(field.path, 120)
    if isinstance(field.old, str) and isinstance(field.new, str) and field.old.strip() and field.new.strip():
        was, will = compare(short_words(visible(field.old)), short_words(visible(field.new)))
        return Pair(label, _lines(was), _lines(will))
    return Pair(
        label,
        None if field.old is MISSING else _short(_value(field.old)),
        None if field.new is MISSING else _value(field.new),
    )


def _value(value: Any) -> Text:
    if isinstance(value, dict) and "type" in value:
        return _block([value])
    text = value if isinstance(value, str) and value.strip() else stringify(value).decode()
    return _lines([Piece(short_words(visible(text)), changed=True)])


def _body(document: Document, record: Record) -> Text:
    """Return the lines of what a record says: a message's text, the fields of another record, or its bytes."""
    if record.kind == UNREADABLE:
        return _raw(document.raw(record))
    if record.message is None:
        return _lines([Piece(short_words(visible(stringify(document.value(record)).decode())), changed=True)])
    turn = as_json(document.format.turn(document, record.message))
    return _block(turn["content"])


def _block(content: list[Any]) -> Text:
    found = [[Piece(short_words(text), changed=True)] for text, _ in text_lines({"content": content})]
    return found if any(piece.text.strip() for line in found for piece in line) else [[Piece("(blank)", changed=True)]]


def _raw(data: bytes) -> Text:
    text = short_words(one_line(data.rstrip(b"\r\n").decode("utf-8", "backslashreplace")))
    more = len(text) - _LONGEST_RAW
    return [[Piece(f"{text[:_LONGEST_RAW]}… {more} more characters" if more > 0 else text, changed=True)]]


def _lines(pieces: Iterable[Piece]) -> Text:
    out: Text = [[]]
    for piece in pieces:
        first, *rest = piece.text.split("\n")
        out[-1].append(Piece(first, piece.changed))
        out.extend([Piece(line, piece.changed)] for line in rest)
    return out


def _short(text: Text) -> Text:
    more = len(text) - _MOST_OLD_LINES
    return text if more <= 1 else [*text[:_MOST_OLD_LINES], [Piece(f"… {counted(more, 'more line')}", changed=False)]]
