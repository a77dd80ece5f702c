"""Notes in the place of files: attached ones, and parts of their own."""

import json

from condense_cli.formats.opencode.media import media_of_parts, note_instead

FILE = {"type": "file", "mime": "image/png", "url": "data:image/png;base64,aGVsbG8="}


def test_files_are_found_where_they_are():
    """A part of a message, and what a tool gave back beside its text."""
    parts = [FILE, {"type": "tool", "state": {"output": "two", "attachments": [FILE, FILE]}}]

    assert [medium.path for medium in media_of_parts(parts)] == [(0,), (1, "state", "attachments", 0), (1, "state", "attachments", 1)]
    assert [medium.in_result for medium in media_of_parts(parts)] == [False, True, True]


def test_an_attached_file_is_named_in_the_output():
    """The other attachments stay, and so does the text."""
    raw = json.dumps({"parts": [{"state": {"output": "two", "attachments": [FILE, {"type": "file"}]}}]}).encode()

    new = json.loads(note_instead(raw, ("parts", 0, "state", "attachments", 0), "[gone]"))

    assert new["parts"][0]["state"] == {"output": "two\n[gone]", "attachments": [{"type": "file"}]}


def test_a_file_without_text_beside_it():
    """An empty output is the note."""
    raw = json.dumps({"parts": [{"state": {"output": "", "attachments": [FILE]}}]}).encode()

    new = json.loads(note_instead(raw, ("parts", 0, "state", "attachments", 0), "[gone]"))

    assert new["parts"][0]["state"] == {"output": "[gone]", "attachments": []}


def test_a_part_stays_the_row_that_it_is():
    """Ids come first, as they are kept in a database."""
    raw = json.dumps({"parts": [{"id": "prt_1", "messageID": "m", "row": 1, **FILE}]}).encode()

    new = json.loads(note_instead(raw, ("parts", 0), "[gone]"))

    assert list(new["parts"][0].items()) == [("id", "prt_1"), ("messageID", "m"), ("row", 1), ("type", "text"), ("text", "[gone]")]
