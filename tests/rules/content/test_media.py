"""Images and documents that a repair takes out: a note says what was there, query gives them back, undo puts them back."""

from __future__ import annotations

import base64
import json
import os
import time

import pytest
from condense_cli.cli import run

WIDE = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (8200).to_bytes(4, "big") + (3).to_bytes(4, "big") + b"\x08\x02\0\0\0").decode()
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": WIDE}}
NO_PDF = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "PGh0bWw+"}}


@pytest.fixture
def session(tmp_path, monkeypatch):
    """A session with an image that is too wide and a document that is none, in one result."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("CONDENSE_STATE", str(tmp_path / "state"))
    messages = [
        {"role": "user", "content": "Show it."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "camera", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "one frame"}, IMAGE, NO_PDF]}]},
    ]
    path = tmp_path / "s.json"
    path.write_text(json.dumps(messages, indent=1), "utf-8")
    past = time.time() - 7200
    os.utime(path, (past, past))
    return path


def test_what_was_replaced_comes_back(session, tmp_path, capfd):
    """A note in the file; the picture by query; every byte by undo."""
    before = session.read_bytes()
    assert run(["repair", "-i", str(session)]) == 0
    inner = json.loads(session.read_bytes())[2]["content"][0]["content"]
    assert [block["type"] for block in inner] == ["text", "text", "text"]
    assert "8200x3" in inner[1]["text"]
    assert "document removed" in inner[2]["text"]
    capfd.readouterr()

    assert run(["query", "toolu_1", str(session), "--images", str(tmp_path / "out")]) == 0
    (picture,) = (tmp_path / "out").iterdir()
    assert picture.read_bytes() == base64.b64decode(WIDE)
    told = capfd.readouterr().err
    ident = told.split("condense undo ")[1].split("`")[0]

    assert run(["undo", ident]) == 0
    assert session.read_bytes() == before


def test_an_output_that_has_lost_nothing_is_given_once(session, capfd):
    """Before the repair there is one answer."""
    assert run(["query", "toolu_1", str(session)]) == 0
    assert capfd.readouterr().out.count("one frame") == 1
