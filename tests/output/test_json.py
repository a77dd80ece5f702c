"""Reports as JSON."""

from __future__ import annotations

import io
import json

from condense_cli.model.findings import Severity
from condense_cli.output import json as writer


def test_whole_object(written, finding, report, unreadable):
    """Every key of a file and a finding is there, null where it does not apply, and the summary counts findings."""
    text = written(
        writer,
        report(
            finding(part=0, call_id="c1", entry="e4", related=(2,), detail="d", fixable=True),
            finding("trailing-call", 9, Severity.INFO),
        ),
        unreadable,
    )

    assert text == (
        '{"version":1,"files":[\n'
        '{"path":"s.jsonl","format":"pi","client_version":"1.6.0","threads":1,"messages":10,"calls":3,"results":2,"findings":['
        '{"rule":"orphan-result","severity":"error","line":4,"entry":"e4","part":0,"call_id":"c1","related":[2],"detail":"d","fixable":true},'
        '{"rule":"trailing-call","severity":"info","line":9,"entry":null,"part":null,"call_id":null,"related":[],"detail":"","fixable":false}'
        '],"error":null},\n'
        '{"path":"notes.jsonl","format":null,"client_version":null,"threads":0,"messages":0,"calls":0,"results":0,"findings":[],'
        '"error":"notes.jsonl: no session"}\n'
        '],"summary":{"files":2,"error":1,"warning":0,"info":1,"passed_over":{}}}\n'
    )


def test_contract_and_index_only_where_they_apply(written, finding, report):
    """A finding of a named contract says which and what it answers; one in an array says its index."""
    found = json.loads(
        written(
            writer, report(finding(contract="pi", index=3), finding(contract="gemini", provider_error="no"), finding())
        )
    )

    keys = [
        {key: one[key] for key in ("index", "contract", "provider_error") if key in one}
        for one in found["files"][0]["findings"]
    ]
    assert keys == [
        {"index": 3, "contract": "pi", "provider_error": None},
        {"contract": "gemini", "provider_error": "no"},
        {},
    ]


def test_nothing_checked(written):
    """No file at all is still an object."""
    assert json.loads(written(writer)) == {
        "version": 1,
        "files": [],
        "summary": {"files": 0, "error": 0, "warning": 0, "info": 0, "passed_over": {}},
    }


def test_hostile_ids_survive_as_ascii(written, finding, report, hostile):
    """Ids and paths come back exactly, lone surrogates included, from text that is pure printable ASCII."""
    text = written(writer, report(finding(call_id=hostile, entry=hostile), path=hostile))

    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    file = json.loads(text)["files"][0]
    assert [file["path"], file["findings"][0]["call_id"], file["findings"][0]["entry"]] == [hostile] * 3


def test_files_are_written_as_they_come(finding, report):
    """A file's object is on the stream before the next file is checked."""
    stream = io.StringIO()

    def reports():
        yield report(finding())
        assert '"rule":"orphan-result"' in stream.getvalue()
        yield report(path="second")

    writer.write(reports(), stream)
    assert [file["path"] for file in json.loads(stream.getvalue())["files"]] == ["s.jsonl", "second"]


def test_passed_over_is_counted_and_not_listed(written, finding, report):
    """A file that was passed over is a number of its reason; what is not shown is counted by its severity."""
    text = written(
        writer,
        report(path="t.jsonl", passed_over="torn", error="no session"),
        report(finding(), not_shown=(finding(),)),
        report(path="z.jsonl.gz", passed_over="packed"),
    )
    value = json.loads(text)

    assert [file["path"] for file in value["files"]] == ["s.jsonl"]
    assert value["summary"]["passed_over"] == {"packed": 1, "torn": 1}
    assert (value["summary"]["error"], value["summary"]["not_shown"]) == (2, 1)
