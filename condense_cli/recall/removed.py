"""Outputs in bytes that a repair took out of a session: they are read as records of the same format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from condense_cli.document.document import Document
from condense_cli.document.memory import BytesInMemory
from condense_cli.document.records import Shape
from condense_cli.errors import UnreadableError
from condense_cli.formats import BY_NAME
from condense_cli.formats.read import read_document
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.recall import transcript
from condense_cli.recall.find import named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.format import Format
    from condense_cli.model.messages import Record
    from condense_cli.recall.output import Output
    from condense_cli.recall.transcript import Occurrence
    from condense_cli.session.opened import Session


class Removed:
    """The results in one run of removed bytes, with their calls there or in the session; line counts in the run."""

    def __init__(self, session: Session, data: bytes, format_name: str) -> None:
        # What is left of an array may look like another API's.
        self.format: Format = BY_NAME.get(format_name, session.format)
        self.session = session
        self.document = _read(session, data, self.format)
        records = self.document.records if self.document is not None else []
        self._records = {id(record) for record in records}
        self._occurrences = [self._with_call(one) for one in transcript.occurrences(records)]

    def find(self, ref: str) -> tuple[Output, ...]:
        """Return the outputs that `ID`, `ID@TIME` or `ID#N` names here, in time order."""
        # Only `format` and `load` of a session are asked for.
        as_session = cast("Session", self)
        return named(
            ref,
            lambda call_id: tuple(
                transcript.output_of(as_session, o) for o in self._occurrences if o.result.id == call_id
            ),
        )

    def load(self, record: Record) -> dict[str, Any]:
        """Load a record from where it is: the removed bytes or the session."""
        if self.document is not None and id(record) in self._records:
            value: dict[str, Any] = self.document.value(record)
            return value
        return self.session.load(record)

    def _with_call(self, occurrence: Occurrence) -> Occurrence:
        if occurrence.call is not None:
            return occurrence
        wanted = occurrence.result.id
        messages = (record.message for record in self.session.records if record.message is not None)
        calls = [call for message in messages for call in message.calls if call.id == wanted]
        return occurrence._replace(call=calls[-1]) if wanted and calls else occurrence


def _read(session: Session, data: bytes, fmt: Format) -> Document | None:
    if session.document.shape is not Shape.LINES:
        data = b"".join(jsonedit.dump(value) + b"\n" for value in _whole(fmt, data))
    try:
        return read_document(session.path, BytesInMemory(data), fmt.name)
    except UnreadableError:
        return None


_PATIENCE = 1000  # braces that begin no message, in a run that starts in the middle of one


def _whole(fmt: Format, data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the messages that are whole in a piece of an array, which begins and ends anywhere."""
    at = data.find(b"{")
    wrong = 0
    while at >= 0 and wrong < _PATIENCE:
        try:
            end = jsonspan.value_end(data, at)
            parsed = jsonread.parse(data[at:end])
        except ValueError:
            end, parsed = at, None
        value = parsed.value if parsed is not None else None
        if isinstance(value, dict) and fmt.is_record(value) and not isinstance(value.get("messages"), list):
            yield value
        else:
            wrong += 1
            end = at + 1
        at = data.find(b"{", end)
