"""Why a file is no session."""

import gzip
import io
import tarfile
import zipfile

import pytest
from condense_cli.check.passed_over import REASONS, reason_of


def packed_as_zip():
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("s.jsonl", "{}")
    return out.getvalue()


def packed_as_tar():
    """A tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("s.jsonl"))
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"\n \t\r\n", "empty"),
        (bytes(100), "nul"),
        (bytes(3) + b'{"a":1}\n', "nul"),
        (b'{"a":1', "torn"),
        (b'{"a":1}\n{"b":', "torn"),
        (b'{"a":1}\n{"b":' + b"1" * 70000, "torn"),
        (b'[{"a":1},', "torn"),
        (b'{"a":1}\n', "foreign"),
        (b'{\n "a": 1\n}\n', "foreign"),
        (b'\xef\xbb\xbf{"a":1}\n{"b":1}\n', "foreign"),
        (b'{"a":1}\n' * 20000, "foreign"),
        (b"[1, 2]", "foreign"),
        (b"text\n", "foreign"),
        (gzip.compress(b"PK\x03\x04"), "packed"),
        (gzip.compress(b"{}"), "foreign"),
        (gzip.compress(b"{}")[:9], "unreadable"),
        (packed_as_zip(), "packed"),
        (packed_as_tar(), "packed"),
        (b"SQLite format 3\0", "packed"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(len(value)),
)
def test_reason(tmp_path, data, reason):
    """What is damaged, packed or empty is told apart from what is something else."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)

    assert reason in REASONS
    assert reason_of(str(path)) == reason


def test_what_cannot_be_opened(tmp_path):
    """A dangling link is unreadable."""
    (tmp_path / "s.jsonl").symlink_to(tmp_path / "nowhere")

    assert reason_of(str(tmp_path / "s.jsonl")) == "unreadable"
