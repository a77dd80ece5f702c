"""Files that are no text: what each is called, what is in it, and what to do."""

import io
import sqlite3
import tarfile
import zipfile

import pytest
from condense_cli.errors import UnreadableError
from condense_cli.storage.binaries import refuse
from condense_cli.storage.source import open_source


def told(path):
    """Return the error of a file, its advice included."""
    with open_source(str(path)) as source, pytest.raises(UnreadableError) as refused:
        refuse(str(path), source)
    return refused.value.problem, refused.value.advice


def make_zip(path, *names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "{}\n")


def make_tar(path, *names):
    with tarfile.open(path, "w:gz" if str(path).endswith("gz") else "w") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 3
            archive.addfile(member, io.BytesIO(b"{}\n"))


@pytest.mark.parametrize(("ending", "make", "command"), [("zip", make_zip, "unzip"), ("tar", make_tar, "tar -xf"), ("tar.gz", make_tar, "tar -xf")])
def test_an_archive_says_what_is_in_it(tmp_path, ending, make, command):
    """The session in it by its name, and the commands that unpack and check it, in the shell's quotes."""
    path = tmp_path / f"my a.{ending}"
    make(path, "notes.txt", "b c/s.jsonl")

    problem, advice = told(path)
    assert problem == f"{path}: a {ending[:3]} archive with b c/s.jsonl and 1 other file, not a session"
    assert advice == f"unpack it: `{command} '{path}'`, then `condense check 'b c/s.jsonl'`"


def test_an_archive_without_a_session_and_a_damaged_one(tmp_path):
    """They are named; nothing is promised."""
    make_zip(tmp_path / "a.zip", "x.txt")
    (tmp_path / "b.zip").write_bytes(b"PK\x03\x04" + b"\0" * 40)
    make_zip(tmp_path / "c.zip", "a\nb.jsonl")
    (tmp_path / "d.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + b"\0" * 40)

    assert "a zip archive with x.txt, not a session" in told(tmp_path / "a.zip")[0]
    assert "condense check" not in told(tmp_path / "a.zip")[1]
    for name, what in (("b.zip", "a zip archive"), ("c.zip", "a zip archive"), ("d.7z", "a 7z archive")):
        assert told(tmp_path / name)[0] == f"{tmp_path / name}: {what}, not a session"


@pytest.mark.parametrize(
    ("tables", "what", "advice"),
    [
        (("session", "message", "part", "project"), "OpenCode's database", "opencode export"),
        (("transcript_events", "sessions"), "OpenClaw's database", "openclaw doctor"),
        (("sessions", "turns", "checkpoints"), "GitHub Copilot CLI", "session-state"),
        (("agent_sessions", "agent_messages"), "the Agents SDK", "formats"),
        (("sessions", "messages", "content_json"), "Goose's database", "export"),
        (("sessions", "messages", "messages_fts"), "Hermes", "export"),
        (("sessions", "messages"), "a database of sessions (SQLite)", "export"),
        (("checkpoints", "writes"), "checkpoints of LangGraph", "update_state"),
        (("threads", "data_type"), "Zed", "formats"),
        (("forge_trajectory_events",), "GitHub Copilot", "session-state"),
        (("other",), "an SQLite database", "formats"),
    ],
)
def test_a_database_is_named_by_its_tables(tmp_path, tables, what, advice):
    """By their columns, too. It is opened to read alone: nothing is made beside it."""
    path = tmp_path / "a.db"
    base = sqlite3.connect(path)
    columns = [name for name in tables if name in ("content_json", "data_type")]
    for table in tables:
        if table not in columns:
            base.execute(f"create table {table} ({', '.join(['id', *columns])})")
    base.commit()
    base.close()

    problem, help_ = told(path)
    assert what in problem
    assert "SQLite" in problem
    assert advice in help_
    assert [one.name for one in tmp_path.iterdir()] == ["a.db"]


def test_a_damaged_database_is_still_one(tmp_path):
    """Its first bytes say so."""
    (tmp_path / "a.db").write_bytes(b"SQLite format 3\0" + b"\0" * 84)
    assert "an SQLite database" in told(tmp_path / "a.db")[0]


@pytest.mark.parametrize(("data", "what"), [(b"\x89PNG\r\n\x1a\n0000", "PNG"), (b"\xff\xd8\xff\xe0", "JPEG"), (b"GIF89a", "GIF")])
def test_a_screenshot_is_answered_with_explain(tmp_path, data, what):
    """The error in a picture cannot be read, its text can."""
    (tmp_path / "a").write_bytes(data)
    problem, advice = told(tmp_path / "a")
    assert f"a picture ({what}), not a session" in problem
    assert "condense explain" in advice


def test_text_is_let_through(tmp_path):
    """Whatever it is."""
    (tmp_path / "a").write_bytes(b"PK is no archive\n")
    with open_source(str(tmp_path / "a")) as source:
        refuse("a", source)
