"""The line layer: what became of lines that are not one JSON object, and what can be recovered from them.

Lines are split at 0x0A only. Each damaged line is explained by exactly one rule where there is one; records
found inside it take its place, so that later stages see what a repair would leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from condense_cli.document.document import Document
from condense_cli.document.records import BLANK, UNREADABLE, Shape
from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change

BOM = b"\xef\xbb\xbf"
_MOST_STARTS = 2000  # places inside one damaged line where a record is looked for
_MOST_SCANNED = 16 << 20  # bytes of a damaged line that the search may walk over, all starts together
_ENVELOPE = 160  # bytes that records may have in common before they say anything
_MOST_JOINED = 5000  # physical lines that one split record may stand on

Wanted = Callable[[str], bool]


class Piece(NamedTuple):
    """A part of a damaged line: a whole record, or a fragment."""

    start: int
    end: int
    whole: bool


def mend_lines(document: Document, wanted: Wanted) -> None:
    """Explain every line that could not be read, and mend those whose rule is wanted.

    Sets document.findings and document.edits; rules: rules.md, part line.
    """
    if document.shape is not Shape.LINES:
        _mend_array(document, wanted)
        return
    _Lines(document, wanted).run()


def _mend_array(document: Document, wanted: Wanted) -> None:
    """Mend what had to be forgiven to read the elements of an array, and take a byte order mark away."""
    for finding in document.findings:
        if not wanted(finding.rule):
            continue
        if finding.rule == "bom":
            document.skip = len(BOM)
        elif finding.rule in ("lone-surrogate", "invalid-utf8"):
            document.rewrite(finding.record, mend_text(document.raw(finding.record), finding.rule), finding.rule)
            continue
        document.note(Change.REPLACE, finding.rule, finding.record)


def mend_tail(document: Document, wanted: Wanted) -> bool:
    """Look again at lines that stay unreadable: taking records out can make one the torn tail, or a repeated one.

    Return whether anything is different now.
    """
    if document.shape is not Shape.LINES or not any(r.kind == UNREADABLE for r in document.records):
        return False
    lines = _Lines(document, wanted)
    edits, found = len(document.edits), list(document.findings)
    for n, record in enumerate(document.records):
        if record.kind == UNREADABLE and not record.gone:
            body = document.raw(record).rstrip(b"\r\n")
            if lines.is_last(n) and jsonspan.is_cut(body):
                if wanted("torn-tail"):
                    document.drop(record, "torn-tail")
                else:
                    document.findings[:] = [f._replace(rule="torn-tail") if f.record is record and f.rule == "unreadable-line" else f for f in document.findings]
            elif lines.said_again(n, body) and wanted("unreadable-line"):
                document.drop(record, "unreadable-line")
    document.settle()
    return len(document.edits) > edits or document.findings != found


class _Lines:
    def __init__(self, document: Document, wanted: Wanted) -> None:
        self.document = document
        self.wanted = wanted
        self.records = document.records
        self.instead: dict[int, list[Record]] = {}

    def run(self) -> None:
        document = self.document
        if document.unread:
            where = {id(record): n for n, record in enumerate(self.records)}
            skip = -1
            for record in document.unread:
                n = where[id(record)]
                if n > skip:
                    skip = self._explain(n, record)
            document.unread = []
            if self.instead:
                self.records[:] = [new for record in self.records for new in self.instead.get(id(record), [record])]
            document.settle()
        self._final_newline()

    # ------------------------------------------------------------------ one line
    def _explain(self, n: int, record: Record) -> int:
        """Explain the line at position n; return the last position that it used up."""
        document = self.document
        raw = document.raw(record)
        body = raw.rstrip(b"\r\n")
        ending = raw[len(body) :]
        if n == 0 and body.startswith(BOM):
            self._found("bom", record)
            if not self.wanted("bom"):
                record.kind = UNREADABLE
                return n
            body = body[len(BOM) :]
            if self._put(record, body + ending, "bom") and self._reads(record, body, ending):
                return n
        if not body.strip():
            record.kind = BLANK
            return n
        if b"\0" in body:
            rest = body.strip(b"\0 \t\r\n") if jsonread.parse(body.strip(b"\0 \t\r\n")) else body.replace(b"\0", b"")
            if not rest.strip():
                self._found("nul-bytes", record, detail=f"{body.count(0)} NUL bytes")
                if self.wanted("nul-bytes"):
                    document.drop(record, "nul-bytes")
                record.kind = BLANK
                return n
            if self._explained_by_nul(record, body, rest, ending):
                return n
        if self._reads(record, body, ending):
            return n
        if self._fused(record, body, ending):
            return n
        joined = self._split(n, record, body)
        if joined:
            return joined
        self._unreadable(n, record, body)
        return n

    def _explained_by_nul(self, record: Record, body: bytes, rest: bytes, ending: bytes) -> bool:
        parsed = jsonread.parse(rest)
        if parsed is None or not isinstance(parsed.value, dict):
            return False
        self._found("nul-bytes", record, detail=f"{body.count(0)} NUL bytes")
        if not self.wanted("nul-bytes"):
            record.kind = UNREADABLE
            return True
        self._put(record, rest + ending, "nul-bytes", Change.STRIP)
        return self._reads(record, rest, ending)

    def _reads(self, record: Record, body: bytes, ending: bytes) -> bool:
        """Take the line as a record when the lenient reader can; mend what had to be forgiven."""
        parsed = jsonread.parse(body)
        if parsed is None:
            return False
        if not isinstance(parsed.value, dict):
            record.kind = UNREADABLE
            self._found("unreadable-line", record, detail="it is JSON, but no object")
            return True
        value = parsed.value
        if parsed.fault:
            self._found(parsed.fault, record)
            if self.wanted(parsed.fault):
                mended = mend_text(body, parsed.fault)
                if self._put(record, mended + ending, parsed.fault):
                    body, value = mended, jsonread.loads(mended)
        self.document.format.read(record, value)
        if b"\\u0000" in body:
            self.document.with_nul.append(record)
        return True

    def _put(self, record: Record, data: bytes, rule: str, change: Change = Change.REPLACE) -> bool:
        """Give a line new bytes, if they fit where lines keep their length."""
        fitted = self.document.fitted(record, data)
        if fitted is None:
            self.document.hold(rule, record)
            return False
        record.data = fitted
        self.document.note(change, rule, record)
        return True

    # ------------------------------------------------------------------ several records on one line
    def _fused(self, record: Record, body: bytes, ending: bytes) -> bool:
        pieces = list(self._pieces(body))
        whole = [piece for piece in pieces if piece.whole]
        if not whole:
            return False
        lost = len(pieces) - len(whole)
        detail = f"{len(whole)} whole record{'s' * (len(whole) > 1)}" + (f" and {lost} fragment{'s' * (lost > 1)}" if lost else "")
        self._found("fused-line", record, detail=detail)
        if not self.wanted("fused-line"):
            record.kind = UNREADABLE
            return True
        new: list[Record] = []
        parts = [body[piece.start : piece.end] for piece in whole]
        ends = [ending or b"\n"] * len(parts)
        if self.document.fixed:
            room = len(body) + len(ending) - sum(map(len, (*parts, *ends)))
            if room < 0:
                self.document.hold("fused-line", record)
                record.kind = UNREADABLE
                return True
            ends[-1] = b" " * room + ends[-1]
        for part, end in zip(parts, ends, strict=True):
            one = Record(record.line, record.start, record.end, part + end)
            new.append(one)
            self._reads(one, part, end)
        self.instead[id(record)] = new
        self.document.note(Change.REPLACE, "fused-line", record, detail=detail)
        return True

    def _pieces(self, body: bytes) -> Iterator[Piece]:
        done = at = tries = scanned = 0
        while True:
            start = body.find(b"{", at)
            if start < 0 or tries >= _MOST_STARTS or scanned > _MOST_SCANNED:
                break
            tries += 1
            try:
                end = jsonspan.value_end(body, start)
            except ValueError:
                scanned += len(body) - start
                at = start + 1
                continue
            scanned += end - start
            parsed = jsonread.parse(body[start:end]) if body[start + 1 : start + 2] in b'" \t' else None
            if parsed is None or not isinstance(parsed.value, dict) or not self.document.format.is_record(parsed.value):
                at = start + 1
                continue
            if body[done:start].strip(b" \t\r\0,"):
                yield Piece(done, start, whole=False)
            yield Piece(start, end, whole=True)
            done = at = end
        if body[done:].strip(b" \t\r\0,"):
            yield Piece(done, len(body), whole=False)

    # ------------------------------------------------------------------ one record on several lines
    def _split(self, n: int, record: Record, body: bytes) -> int:
        if body.lstrip()[:1] != b"{" or not jsonspan.cut_in_string(body):
            return 0
        parts = [self._inner(self.document.raw(record), last=False)]
        for m in range(n + 1, min(len(self.records), n + _MOST_JOINED)):
            other = self.records[m]
            raw = self.document.raw(other)
            if other.kind not in ("", BLANK, UNREADABLE) and self.document.format.is_record(self.document.value(other)):
                return 0
            parts.append(self._inner(raw, last=True))
            if raw.rstrip().endswith(b"}"):
                joined = b"\\n".join(parts)
                parsed = jsonread.parse(joined)
                if parsed is None and b"\t" in joined:  # who writes newlines as they are writes tabs as they are
                    joined = joined.replace(b"\t", b"\\t")
                    parsed = jsonread.parse(joined)
                if parsed is not None and isinstance(parsed.value, dict) and self.document.format.is_record(parsed.value):
                    self._join(n, m, joined, raw[len(raw.rstrip(b"\r\n")) :])
                    return m
            parts[-1] = self._inner(raw, last=False)
        return 0

    @staticmethod
    def _inner(raw: bytes, *, last: bool) -> bytes:
        body = raw.rstrip(b"\r\n") if last else raw.removesuffix(b"\n")
        return body.replace(b"\r", b"\\r")

    def _join(self, first: int, last: int, joined: bytes, ending: bytes) -> None:
        document, record = self.document, self.records[first]
        self._found("split-record", record, detail=f"lines {record.line} to {self.records[last].line} are one record")
        if self.document.fixed:
            self.document.hold("split-record", record)  # an escaped newline is longer than a raw one
        if self.document.fixed or not self.wanted("split-record"):
            for n in range(first, last + 1):
                self.records[n].kind = UNREADABLE
            return
        document.note(Change.REPLACE, "split-record", record)
        for n in range(first + 1, last + 1):
            document.drop(self.records[n], "split-record")
        record.data = joined + (ending or b"\n")
        self._reads(record, joined, ending)

    # ------------------------------------------------------------------ nothing else explains it
    def _unreadable(self, n: int, record: Record, body: bytes) -> None:
        document = self.document
        record.kind = UNREADABLE
        broken_text = not _is_utf8(body)
        if self.is_last(n) and jsonspan.is_cut(body):
            self._found("torn-tail", record)
            if self.wanted("torn-tail"):
                document.drop(record, "torn-tail")
                return
        else:
            again = self.said_again(n, body)
            self._found("unreadable-line", record, variant="repeated" if again else "", detail="the next record repeats it in full" if again else "")
            if again and self.wanted("unreadable-line"):
                document.drop(record, "unreadable-line")
                return
        if broken_text:
            self._found("invalid-utf8", record, variant="unreadable")
            if self.wanted("invalid-utf8:unreadable"):
                self._put(record, document.raw(record).decode("utf-8", "replace").encode(), "invalid-utf8")

    def is_last(self, n: int) -> bool:
        return all(not self.document.raw(r).strip(b"\0 \t\r\n") for r in self.records[n + 1 :])

    def said_again(self, n: int, body: bytes) -> bool:
        for record in self.records[n + 1 :]:
            raw = self.document.raw(record)
            if raw.strip():
                # Without its time a short fragment is no more than the envelope, which many records begin with.
                return raw.startswith(body) or (len(body) > _ENVELOPE and _timeless(raw).startswith(_timeless(body)))
        return False

    def _final_newline(self) -> None:
        """Report a last record that is not ended. An unreadable last line is left as it is."""
        for record in reversed(self.records):
            raw_end = self.document.raw(record)[-1:] if record.data is not None or record.end == 0 else self.document.source.read(record.end - 1, record.end)
            if raw_end == b"\n":
                return
            if record.kind == BLANK:
                continue
            if record.kind == UNREADABLE:
                return
            self._found("missing-final-newline", record)
            if self.wanted("missing-final-newline"):
                record.data = self.document.raw(record) + b"\n"
                self.document.note(Change.REPLACE, "missing-final-newline", record)
            return

    def _found(self, rule: str, record: Record, variant: str = "", detail: str = "") -> None:
        self.document.findings.append(Finding(rule, record.line, record, variant=variant, detail=detail))


def mend_text(body: bytes, fault: str) -> bytes:
    """Replace what is no text by U+FFFD and keep every other byte."""
    if fault == "invalid-utf8":
        body = body.decode("utf-8", "replace").encode()
    return jsonread.mend_surrogates(body)


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _timeless(raw: bytes) -> bytes:
    """Leave out the first timestamp, so that a record written a second time is known again."""
    key = raw.find(b'"timestamp"')
    if key < 0:
        return raw
    end = raw.find(b",", key)
    return raw[:key] + raw[end + 1 :] if end > 0 else raw
