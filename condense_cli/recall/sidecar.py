"""The outputs that left a session when it was compacted into a new file: one file beside that, found by its name.

Lines of JSON: a head; for each chain its outputs, which `tN` or the call's id gives back, and the raw records that
went. The name derives from the session's path alone, never from an id. Texts are read when they are asked for.
"""

from __future__ import annotations

import base64
import os
import stat
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes import jsonread
from condense_cli.jsonbytes.javascript import UNDEFINED, is_number, stringify
from condense_cli.recall.output import Output, facts
from condense_cli.recall.transcript import occurrences, output_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from condense_cli.model.messages import Record, Result
    from condense_cli.pi_condense.compact.rewrite import Rewriting
    from condense_cli.session.opened import Session

SUFFIX = ".condense"
HEAD = "condense-sidecar"
VERSION = 1


def path_of(session: str) -> str:
    """Return the name of a session's sidecar: no client takes it for a session."""
    return session + SUFFIX


# ---------------------------------------------------------------------- writing
class ResultTexts:
    """Tells of the results of a session, as it was when this was made, what a query would say of them."""

    def __init__(self, session: Session, threads: Iterable[Iterable[Record]]) -> None:
        self._session = session
        self._found = {id(one.result): one for thread in threads for one in occurrences(thread)}

    def output(self, result: Result) -> Output:
        """Load the output of one result."""
        return output_of(self._session, self._found[id(result)])


def head_line(now: int) -> bytes:
    """Write the first line; now is the time of the compaction in milliseconds."""
    return stringify({"type": HEAD, "version": VERSION, "compactedAt": now}) + b"\n"


def lines(rewriting: Rewriting, output: Callable[[Result], Output], raw: Callable[[Record], bytes]) -> Iterator[bytes]:
    """Yield the lines for what left a session: of each chain its outputs, then its records, then what else went."""
    for row in rewriting.compressed:
        for kept in row.kept:
            yield _output_line(kept.ref, row.block, output(kept.result))
        for record in row.gone:
            yield _record_line(row.block, record, raw(record))
    for record in rewriting.others:
        yield _record_line(UNDEFINED, record, raw(record))


def _output_line(ref: str, block: str, output: Output) -> bytes:
    return stringify({"type": "output", "ref": ref, "block": block, **facts(output), "text": output.text}) + b"\n"


def _record_line(block: Any, record: Record, raw: bytes) -> bytes:
    """Bytes that are no UTF-8 are kept in base64: what left comes back byte for byte."""
    value: dict[str, Any] = {"type": "record", "block": block, "line": record.line}
    try:
        value["raw"] = raw.decode()
    except UnicodeDecodeError:
        value["base64"] = base64.b64encode(raw).decode()
    return stringify(value) + b"\n"


# ---------------------------------------------------------------------- reading
class Entry(NamedTuple):
    """Where an output is in a sidecar (bytes), with what it is found by."""

    ref: int
    block: int
    call_id: Any
    start: int
    end: int


class Sidecar(NamedTuple):
    """The outputs of one sidecar, in its order. problem says what is wrong with it."""

    path: str
    entries: tuple[Entry, ...] = ()
    problem: str = ""

    @property
    def highest(self) -> int:
        """Return the highest number of a reference, or 0."""
        return max((entry.ref for entry in self.entries), default=0)

    def output(self, entry: Entry, line: int) -> Output:
        """Load one output; line is where the session mentions it, from 1."""
        with _opened(self.path) as file:
            file.seek(entry.start)
            value = jsonread.loads(file.read(entry.end - entry.start))
        time = value.get("timestamp")
        return Output(
            "sidecar",
            value.get("toolCallId"),
            value.get("toolName", UNDEFINED),
            value.get("args", UNDEFINED),
            value.get("isError") is True,
            value.get("turn", UNDEFINED),
            time if is_number(time) else UNDEFINED,
            line,
            value["text"],
        )

    def head(self) -> bytes:
        """Return the first line."""
        with _opened(self.path) as file:
            line: bytes = file.readline()
        return line

    def body(self) -> Iterator[bytes]:
        """Yield the lines after the first, each with its end."""
        with _opened(self.path) as file:
            file.readline()
            for line in file:
                yield line if line.endswith(b"\n") else line + b"\n"


def _opened(path: str) -> Any:
    # Opened without waiting: a named pipe would otherwise block.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    file = os.fdopen(descriptor, "rb")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise OSError(0, "is no regular file")
    return file


def read(path: str) -> Sidecar | None:
    """Read what a sidecar holds, or return None where there is none. Lines that are none are passed over."""
    if not os.path.lexists(path):
        return None
    found: dict[int, Entry] = {}
    bad = at = 0
    try:
        with _opened(path) as file:
            for number, raw in enumerate(file):
                value = jsonread.parse(raw)
                known = value.value if value is not None and isinstance(value.value, dict) else {}
                if number == 0 and known.get("type") != HEAD:
                    return Sidecar(path, problem=f"{path}: is not what condense keeps outputs in")
                entry = _entry(known, at, at + len(raw))
                if entry is not None:
                    found.setdefault(entry.ref, entry)
                bad += not known or (known.get("type") == "output" and entry is None)
                at += len(raw)
    except OSError as problem:
        return Sidecar(path, problem=f"{path}: {problem.strerror or problem}")
    return Sidecar(path, tuple(found.values()), f"{path}: {bad} lines cannot be read" if bad else "")


def _entry(value: dict[str, Any], start: int, end: int) -> Entry | None:
    ref, block = _number(value.get("ref"), "t"), _number(value.get("block"), "b")
    if value.get("type") != "output" or ref is None or block is None or not isinstance(value.get("text"), str):
        return None
    return Entry(ref, block, value.get("toolCallId"), start, end)


def _number(name: Any, letter: str) -> int | None:
    if (
        not isinstance(name, str)
        or name[:1] != letter
        or not name[1:].isascii()
        or not name[1:].isdigit()
        or len(name) > 10
    ):
        return None
    return int(name[1:])
