"""What is said at a line."""

from __future__ import annotations

import json

from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Severity
from condense_cli.output.placed import notes
from tests.strategies import pi_file


def lines(*records):
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def text(found):
    return [(note.line, "".join(part for part, _ in note.spans)) for note in found]


CODEX = lines(
    {"timestamp": "2026-01-01T00:00:00.000Z", "type": "session_meta", "payload": {"id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}},
    {"timestamp": "2026-01-01T00:00:01.000Z", "type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}},
    {"timestamp": "2026-01-01T00:00:02.000Z", "type": "event_msg", "payload": {"type": "error", "message": "400 \x1b[31mno"}},
)


def test_findings_and_stored_errors_are_in_the_order_of_their_lines(finding):
    """Codex keeps an error in a record of its own; a finding has its sentence and its facts."""
    document = read_document("r.jsonl", BytesInMemory(CODEX))
    found = text(notes(document, [finding("orphan-result", 2, call_id="c1"), finding("bom", 1, Severity.INFO)]))

    assert [line for line, _ in found] == [1, 2, 3]
    assert found[0][1].startswith("! info bom at line 1: ")
    assert found[1][1].startswith("! error orphan-result at line 2: ")
    assert found[1][1].endswith("(call c1)")
    assert found[2][1] == r"! the client stored this error at line 3: 400 \x1b[31mno"


def test_an_error_inside_a_message_is_said_once():
    """pi keeps it in the message itself, which a transcript shows."""
    data = pi_file([("user",), ("text",)]).replace(b'"stopReason"', b'"errorMessage":"400","stopReason"')

    assert notes(read_document("s.jsonl", BytesInMemory(data)), []) == []
