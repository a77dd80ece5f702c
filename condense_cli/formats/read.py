"""Turn an opened file into a document: detect its format, find the records, read their facts. One pass."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from typing import Any

import orjson

from condense_cli import formats
from condense_cli.document.document import Document
from condense_cli.document.format import Format
from condense_cli.document.reading import read_leniently
from condense_cli.document.records import UNREADABLE, Bytes, Passed, Shape
from condense_cli.document.views import Head
from condense_cli.errors import UnreadableError, UsageError
from condense_cli.formats.one_document import LISTS, holds_list, is_document
from condense_cli.formats.read_arrays import read_array, read_conversations, start_of
from condense_cli.formats.torn_document import beginning
from condense_cli.jsonbytes import jsonread
from condense_cli.model.messages import Record
from condense_cli.storage.binaries import refuse as refuse_binary

Watch = Callable[[Record, dict[str, Any]], bool]
"""Takes facts of its own from a record and its value; says whether those are all that is wanted of the message."""

_HEAD = 1 << 16
_HEAD_MOST = 1 << 20
_HEAD_RECORDS = 20
_HEAD_ELEMENTS = 500  # at either end of an array


def read_document(
    path: str,
    source: Bytes,
    format_name: str = "auto",
    watch: Watch | None = None,
    judged_by: Collection[str] | None = None,
) -> Document:
    """Read a whole session.

    Raises UnreadableError when it is none, or of no known format; UsageError for a name that is none.

    watch, of a format that pi-condense prunes, is shown each line's record with its value, where the line is sound JSON:
    who needs more than the facts of the format need not parse the file again. What it has taken for good is not kept in
    the record.

    judged_by: contracts (none: the format's own) of a check, which needs no records of conversations on lines of their own
    in which none of these can find anything; they are counted.
    """  # noqa: E501 - a sentence is one text
    if format_name != "auto" and format_name not in formats.BY_NAME:
        raise UsageError(f"there is no format {format_name!r}", f"one of auto, {', '.join(formats.BY_NAME)}")
    refuse_binary(path, source)
    head = look(path, source)
    document = _rescued(path, source, head, format_name) if head.fault is not None else None
    if document is None:
        if head.fault is not None and not any(head.records) and not head.lists:
            raise _broken(path, head.fault)
        fmt = formats.detect(head) if format_name == "auto" else formats.BY_NAME[format_name]
        document = _read(path, source, fmt, head, watch, judged_by)
    fmt = document.format
    if not fmt.understands(document):
        raise UnreadableError(
            f"{path}: none of its messages was understood as {fmt.name}",
            "condense reads session files; see `condense formats`",
        )
    document.neutral = head.document is not None and format_name == "auto" and fmt.is_neutral(head)
    return document


def _read(
    path: str, source: Bytes, fmt: Format, head: Head, watch: Watch | None, judged_by: Collection[str] | None
) -> Document:
    if head.document is not None:
        if not fmt.documents:
            raise UnreadableError(
                f"{path}: one JSON document, and a {fmt.name} session has a record on each line",
                "name the format with --format, or see `condense formats`",
            )
        return read_array(path, source, fmt, head.document)
    if not fmt.lines:
        raise _broken(path, head.fault or _fault(source))
    if fmt.conversations and (head.lists or (head.records and _is_conversation(fmt, head.records[0]))):
        return read_conversations(path, source, fmt, None if judged_by is None else fmt.quick_look(judged_by))
    return _read_lines(path, source, fmt, watch if fmt.pruned else None)


def _is_conversation(fmt: Format, value: dict[str, Any]) -> bool:
    """Say whether an object holds a list of messages where the format looks for it; what has a role is a message."""
    held: Any = value if "role" not in value else None
    for step in fmt.array_path(value):
        held = held.get(step) if isinstance(held, dict) else None
    return isinstance(held, list)


def look(path: str, source: Bytes) -> Head:
    """Read as much of the beginning as detection needs: up to 20 records, 64 KiB, or one first line of up to 1 MiB."""
    size = source.size
    raw = source.read(0, min(size, _HEAD))
    if b"\n" not in raw[3:] and size > len(raw):
        raw = source.read(0, min(size, _HEAD_MOST))
    start = raw.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n\0")
    if not start:
        return Head(path, raw, ())
    fault = None
    whole_lines = raw if len(raw) == size or b"\n" not in raw else raw[: raw.rindex(b"\n")]
    if start[:1] == b"[" or (start[:1] == b"{" and _is_one_value(start)):
        value = _whole(source)
        if isinstance(value, (list, dict)):
            return Head(path, raw, (), _shortened(value))
        fault = _fault(source)
    lists = _lists(whole_lines) if start[:1] == b"[" else ()
    if lists or is_document(whole_lines):
        return Head(path, raw, (), None, None if lists else fault or _fault(source), lists)
    return _head_of_lines(path, raw, whole_lines, source, fault)


def _shortened(value: Any) -> Any:
    """Return a document with no more than the first and last elements of its list: they say whose it is."""
    if isinstance(value, list):
        return value if len(value) <= 2 * _HEAD_ELEMENTS else [*value[:_HEAD_ELEMENTS], *value[-_HEAD_ELEMENTS:]]
    return {
        key: _shortened(listed) if key in LISTS and isinstance(listed, list) else listed
        for key, listed in value.items()
    }


def _head_of_lines(path: str, raw: bytes, whole_lines: bytes, source: Bytes, fault: tuple[int, str] | None) -> Head:
    """Read the first records of a file of lines, those that end a damaged line, too."""
    records: list[dict[str, Any]] = []
    for whole in whole_lines.split(b"\n"):
        line = whole.strip(b"\0 \t\r").removeprefix(b"\xef\xbb\xbf")
        if not line or len(records) == _HEAD_RECORDS:
            continue
        parsed = jsonread.parse(line)
        if parsed is not None and isinstance(parsed.value, dict):
            records.append(parsed.value)
            continue
        records.extend(value for value in _inside(line) if len(records) < _HEAD_RECORDS)
    if not records and source.size > len(raw):
        records.extend(_first_records(source))
    return Head(path, raw, tuple(records), None, fault)


def _lists(raw: bytes) -> tuple[list[Any], ...]:
    """Return the arrays of objects on the first lines, if there is one on each of them."""
    lines = [line for part in raw.split(b"\n") if (line := part.strip(b"\0 \t\r").removeprefix(b"\xef\xbb\xbf"))]
    found = [parsed.value for line in lines[:_HEAD_RECORDS] if (parsed := jsonread.parse(line)) is not None]
    lists = [value for value in found if isinstance(value, list) and any(isinstance(one, dict) for one in value)]
    return tuple(lists) if len(lists) == len(lines[:_HEAD_RECORDS]) else ()


def _inside(line: bytes) -> Iterable[dict[str, Any]]:
    """Yield the objects that end a damaged line: a record fused after a fragment."""
    at = line.find(b'}{"') + 1 or line.find(b'{"', 1)
    for _ in range(40):
        if at <= 0:
            return
        parsed = jsonread.parse(line[at:])
        if parsed is not None and isinstance(parsed.value, dict):
            yield parsed.value
            return
        at = line.find(b'{"', at + 1)


def _first_records(source: Bytes) -> list[dict[str, Any]]:
    """Read on when the first line is longer than the head."""
    found: list[dict[str, Any]] = []
    for n, line in enumerate(source.lines()):
        parsed = jsonread.parse(line)
        if parsed is not None and isinstance(parsed.value, dict):
            found.append(parsed.value)
        if n >= 4 or len(found) >= 3:
            break
    return found


def _is_one_value(start: bytes) -> bool:
    """Say whether a file that starts with `{` is one pretty-printed or one-line JSON document, not lines of records."""
    first = start.split(b"\n", 1)[0].rstrip()
    if first == b"{" or not first.endswith(b"}"):
        return jsonread.parse(first) is None
    rest = start[len(start.split(b"\n", 1)[0]) :].strip()
    if rest:
        return False
    parsed = jsonread.parse(first)
    return parsed is not None and isinstance(parsed.value, dict) and holds_list(parsed.value)


def _broken(path: str, fault: tuple[int, str]) -> UnreadableError:
    return UnreadableError(
        f"{path}:{fault[0]}: {fault[1]}", "a document is read as a whole or not at all: write it, or export it, again"
    )


def _whole(source: Bytes) -> Any:
    raw = source.read(0, source.size).removeprefix(b"\xef\xbb\xbf").strip(b"\0 \t\r\n")
    try:
        return orjson.loads(raw)
    except ValueError:
        try:
            return json.loads(raw.decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError:
            parsed = jsonread.parse(raw)
            return parsed.value if parsed is not None else None
        except (ValueError, RecursionError):
            return None


def _fault(source: Bytes) -> tuple[int, str]:
    """Say in which line a JSON document is none any more, and why."""
    raw = source.read(0, source.size).removeprefix(b"\xef\xbb\xbf")
    try:
        json.loads(raw.decode("utf-8", "replace"))
    except json.JSONDecodeError as problem:
        ends = not problem.doc[problem.pos :].strip() or problem.msg.startswith("Unterminated string")
        where = f"column {problem.colno}"
        return problem.lineno, f"the JSON document breaks off ({where})" if ends else f"not JSON from {where} on"
    except RecursionError:
        return 1, "the JSON document is nested too deeply"
    return 1, "not one JSON document"


def _read_lines(path: str, source: Bytes, fmt: Format, watch: Watch | None) -> Document:
    document = Document(path, source, fmt, Shape.LINES)
    records = document.records
    damaged: list[Record] = []
    nul: list[Record] = []
    keep, read, parse = records.append, fmt.reader(), orjson.loads
    start, last, taken, alone = 0, None, 0, not fmt.linked_by_calls
    for line, raw in enumerate(source.lines(), 1):
        end = start + len(raw)
        record = Record(line, start, end)
        keep(record)
        try:
            value = parse(raw)
        except ValueError:
            damaged.append(record)
            read_leniently(record, raw, read)
        else:
            if type(value) is dict:
                read(record, value)
                if record.parent == last:
                    record.parent = last  # one string for both: in a large session half of all ids
                last = record.id
                if watch is not None and watch(record, value) and alone and record.message is not None:
                    record.message = None
                    taken += 1
                if raw.rfind(b"\\u0000") >= 0:  # from the end it is found in two thirds of the time
                    nul.append(record)
            else:
                damaged.append(record)
                record.damaged = True
                record.kind = UNREADABLE
        start = end
    document.damaged, document.with_nul = tuple(damaged), tuple(nul)
    document.passed = Passed(messages=taken)
    if records:
        first = source.read(0, min(records[0].end, 1 << 16))
        document.newline = b"\r\n" if first.endswith(b"\r\n") else b"\n"
    return document


def _rescued(path: str, source: Bytes, head: Head, format_name: str) -> Document | None:
    """Return the whole beginning of a document that breaks off, where its client would take it for an empty one."""
    raw = source.read(0, source.size)
    found = beginning(raw, start_of(raw))
    if found is None:
        return None
    seen = head._replace(document=found.value, records=())
    known = (fmt for fmt in formats.FORMATS if fmt.rescued and format_name in ("auto", fmt.name))
    fmt = next((fmt for fmt in known if format_name == fmt.name or fmt.detect(seen)), None)
    if fmt is None:
        return None
    document = read_array(path, source, fmt, found.value, found)
    return document if document.records else None
