"""Whether a damaged file is one document or lines of records."""

import pytest
from condense_cli.formats.one_document import is_document

USER = b'{"role":"user","content":"q"}'
ANSWER = b'{"role":"assistant","content":"a"}'
TORN = b'{"role: "user"}'


@pytest.mark.parametrize("raw", [
    pytest.param(b"[\n" + USER + b",\n" + TORN + b"\n]\n", id="a broken element"),
    pytest.param(USER + b",\n" + ANSWER + b",\n" + USER + b"\n]\n", id="the first bracket is lost"),
    pytest.param(b"[\n" + USER + b",\n" + ANSWER + b",\n" + USER, id="the end is lost"),
    pytest.param(b"[" + USER + b"," + TORN + b"]", id="on one line"),
    pytest.param(b"[\n" + USER + b"\n", id="one element"),
    pytest.param(b"[\n  " + USER + b",\n  " + TORN + b"\n]\n", id="indented"),
    pytest.param(b'[\n  {\n    "role": "user"\n    "content": "q"\n  },\n  {\n  }\n]\n', id="pretty-printed"),
    pytest.param(b'{"model":"x","messages":[' + USER + b"," + TORN + b"]}", id="an object with a list"),
])  # fmt: skip
def test_a_damaged_document(raw):
    """An array or document, whatever of it is lost."""
    assert is_document(raw)
    assert is_document(b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"))


@pytest.mark.parametrize("raw", [
    pytest.param(USER + b"\n" + ANSWER + b"\n", id="healthy"),
    pytest.param(USER + b"\n" + TORN + b"\n" + ANSWER + b"\n", id="a broken line"),
    pytest.param(b'[{"type":"text"}],"role":"user"}\n' + USER + b"\n", id="the beginning is lost"),
    pytest.param(USER + b",\n" + ANSWER + b"\n" + USER + b"\n", id="a comma after one of them"),
    pytest.param(TORN, id="one broken record"),
    pytest.param(b"", id="empty"),
])  # fmt: skip
def test_lines_of_records(raw):
    """Lines, whatever is wrong with some of them."""
    assert not is_document(raw)
