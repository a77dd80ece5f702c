"""Read arrays of messages: one JSON document, or a conversation on each line. Every element is parsed once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from condense_cli.document.document import Document
from condense_cli.document.records import UNREADABLE, Body, Bytes, Look, Passed, Shape, Torn
from condense_cli.errors import UnreadableError
from condense_cli.formats.torn_document import Beginning, beginning
from condense_cli.jsonbytes import jsonarray, jsonread, jsonspan
from condense_cli.jsonbytes.jsonarray import Element
from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.document.format import Format
    from condense_cli.jsonbytes.jsonspan import Path


_NOTHING = jsonread.Parsed(None, "")


def read_array(path: str, source: Bytes, fmt: Format, value: Any, whole: Beginning | None = None) -> Document:
    """Read one document. whole: what of it is, where it breaks off or something comes after it."""
    document = Document(path, source, fmt, Shape.ARRAY)
    raw = source.read(0, source.size)
    at = start_of(raw)
    if whole is None and fmt.rescued:
        whole = beginning(raw, at)
    if whole is not None and (whole.closing or whole.end < source.size):
        document.torn = _torn(raw, whole)
        raw = raw[: whole.end] + whole.closing
    opening = _opening(raw, fmt.array_path(value), at)
    if raw[opening : opening + 1] != b"[":
        raise UnreadableError(f"{path}: no list of messages in it", "name the format with --format")
    line = 1 + raw.count(b"\n", 0, opening)
    body = _body(document, raw, opening, jsonarray.elements(raw, opening), line)
    document.bodies = (body if document.torn is None else body._replace(end=min(body.end, document.torn.rest.start)),)
    return document


def _torn(raw: bytes, whole: Beginning) -> Torn:
    said = whole.end + len(raw[whole.end :]) - len(raw[whole.end :].lstrip(b", \t\r\n\0"))
    rest = Record(1 + raw.count(b"\n", 0, said), whole.end, len(raw))
    rest.kind, rest.damaged = UNREADABLE, True
    return Torn(rest, whole.closing)


def start_of(raw: bytes) -> int:
    """Return where the value of a document begins: after a BOM and white space."""
    return jsonspan.space_end(raw, 3 if raw.startswith(b"\xef\xbb\xbf") else 0)


def _opening(raw: bytes, path: Path, at: int) -> int:
    """Return where the list begins that a path of one key at most leads to, -1 where there is none."""
    if not path:
        return at
    if len(path) == 1 and isinstance(path[0], str) and _is_there_once(raw, path[0]):
        return jsonarray.opening(raw, at, path[0])
    place = jsonspan.span(raw, path, at)
    return place[0] if place is not None else -1


def _is_there_once(raw: bytes, key: str) -> bool:
    """Say whether a key is nowhere in a document but once: of a repeated key the last one counts."""
    word = b'"%s"' % key.encode()
    return raw.find(word, raw.find(word) + 1) < 0


def read_conversations(path: str, source: Bytes, fmt: Format, look: Look | None = None) -> Document:
    """Read a conversation on each line; a line that holds none has no records, nor has one that passes a quick look.

    What is no JSON is told as unread.

    The first is read in any case: the file is judged by it.
    """
    document = Document(path, source, fmt, Shape.CONVERSATIONS)
    bodies: list[Body] = []
    unread: list[Record] = []
    start = 0
    known: Path | None = None  # where the list of the line before is
    for line, raw in enumerate(source.lines(), 1):
        passed = _passed(raw, look) if look is not None and bodies else None
        if passed is not None:
            document.passed = document.passed.and_then(passed)
            start += len(raw)
            continue
        at = start_of(raw)
        read = _sound(raw, known, at, fmt) if known is not None else None
        if read is not None:
            bodies.append(_body(document, raw, read[0], read[1], line, start))
        elif (parsed := jsonread.parse(raw)) is not None and isinstance(parsed.value, (dict, list)):
            known = fmt.array_path(parsed.value)
            opening = _opening(raw, known, at)
            if raw[opening : opening + 1] == b"[":
                bodies.append(_body(document, raw, opening, jsonarray.elements(raw, opening), line, start))
        elif parsed is None and raw.strip():
            unread.append(Record(line, start, start + len(raw)))
        start += len(raw)
    document.bodies, document.unread = tuple(bodies), tuple(unread)
    if unread and not bodies:
        problem = f"{path}:{unread[0].line}: no line of the file holds a whole conversation"
        raise UnreadableError(problem, "nothing was read; look at this line in an editor")
    return document


def _passed(raw: bytes, look: Look) -> Passed | None:
    try:
        value = orjson.loads(raw)
    except ValueError:
        return None
    return look(raw, value)


def _sound(raw: bytes, path: Path, at: int, fmt: Format) -> tuple[int, list[Element]] | None:
    """Return where the list of a conversation begins, and its elements with their values.

    None where the line is no strict JSON, or has its list elsewhere. It is strict JSON if its elements are, and what is
    left without them: so nothing is parsed twice.
    """
    try:
        opening = _opening(raw, path, at)
        if raw[opening : opening + 1] != b"[":
            return None
        found = [one if one.value is not None else _parsed(raw, one) for one in jsonarray.elements(raw, opening)]
        closing = jsonspan.space_end(raw, found[-1].end if found else opening + 1)
        around = orjson.loads(raw[: opening + 1] + raw[closing:])
    except ValueError:
        return None
    return (opening, found) if isinstance(around, (dict, list)) and fmt.array_path(around) == path else None


def _parsed(raw: bytes, element: Element) -> Element:
    return element._replace(value=orjson.loads(raw[element.start : element.end]))


def _body(document: Document, raw: bytes, at: int, elements: Iterable[Element], line: int, offset: int = 0) -> Body:
    found: list[Record] = []
    nul: list[Record] = []
    read, seen, stop = document.format.read, at, at + 1
    for start, end, known in elements:
        line += raw.count(b"\n", seen, start)
        seen, stop = start, end
        record = Record(line, start + offset, end + offset)
        found.append(record)
        value, fault = (jsonread.parse(raw[start:end]) or _NOTHING) if known is None else (known, "")
        if type(value) is dict:
            read(record, value)
            if fault:
                record.damaged = True
            if raw.rfind(b"\\u0000", start, end) >= 0:
                nul.append(record)
    document.records.extend(found)
    document.damaged += tuple(r for r in found if r.damaged)
    document.with_nul += tuple(nul)
    closing = raw.index(b"]", stop) if found else jsonspan.space_end(raw, stop)
    return Body(at + 1 + offset, closing + offset, line, tuple(found))
