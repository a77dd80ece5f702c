"""compact --target-tokens."""

import contextlib
import io
import json
import re
import shutil
from pathlib import Path

import pytest
from condense_cli.cli import run
from condense_cli.recall.find import Finder
from condense_cli.session.opened import open_session
from tests.conversations import FORMATS, chains, written
from tests.pi_condense.compact.test_tokens import png
from tests.strategies import Outcome

ROOT = Path(__file__).parents[3]


def condense(*words):
    """Run one command; other than in most tests, all of a test have one state folder."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(words))
    return Outcome((code, out.buffer.getvalue(), err.buffer.getvalue().decode()))


@pytest.fixture(params=sorted(FORMATS))
def session(tmp_path, request, monkeypatch):
    """A session of eight long chains."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return written(tmp_path, request.param, chains(8, calls=3, size=3000))


def test_the_oldest_chains_go_until_it_fits(session, tmp_path):
    """The newest stay; what is said of the tokens holds; every output comes back."""
    new = tmp_path / f"new{session.suffix}"
    done = condense("compact", str(session), "--target-tokens", "12000", "-o", str(new))
    assert done.code == 0
    before, after, most, gone, all_ = map(int, re.search(r"about (\d+) tokens before, (\d+) after \((\d+) wanted\); (\d+) of (\d+) chains", done.err).groups())
    assert after <= most == 12000 < before
    assert (gone, all_) == (5, 8)
    text = new.read_text()
    assert "output 4 2" not in text
    assert "output 5 0" in text
    with open_session(str(new)) as opened:
        assert "output 0 0\n" in Finder(opened).answer("t1").outputs[0].text


def test_in_place_and_back(session):
    """A session that its client no longer compacts: replaced, its outputs beside it, and undone byte for byte."""
    before = session.read_bytes()
    done = condense("compact", "-i", "--force", str(session), "--target-tokens", "3000")
    assert done.code == 0, done.err
    assert len(session.read_bytes()) < len(before) / 4
    assert condense("check", str(session)).code == 0
    with open_session(str(session)) as opened:
        assert "output 7 2\n" in Finder(opened).answer("t24").outputs[0].text
    entry = re.search(r"condense undo (\S+)", done.err)[1]
    assert condense("undo", entry, "--force").code == 0
    assert session.read_bytes() == before
    assert condense("compact", "-i", "--force", str(session), "--target-tokens", "3000").code == 0
    with open_session(str(session)) as opened:
        assert "output 7 2\n" in Finder(opened).answer("call_7_2").outputs[0].text


def test_one_that_fits_stays(session):
    """Nothing is written."""
    before = session.read_bytes()
    assert condense("compact", "-i", "--force", str(session), "--target-tokens", "100000").code == 0
    assert session.read_bytes() == before


def test_one_that_cannot_fit_is_refused(session):
    """Nothing is written either, and the least is said."""
    before = session.read_bytes()
    done = condense("compact", "-i", "--force", str(session), "--target-tokens", "50")
    assert done.code == 4
    assert "are left when all closed chains are compressed" in done.err
    assert session.read_bytes() == before


def test_images_count(tmp_path):
    """A chain that returned a picture is heavier by its pixels than one of short text."""
    messages = []
    for n in range(3):
        content = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png(1200, 1000)}}]
        messages += [{"role": "user", "content": f"q{n}"}, {"role": "assistant", "content": [{"type": "tool_use", "id": f"c{n}", "name": "see", "input": {}}]}]
        messages += [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{n}", "content": content}]}, {"role": "assistant", "content": [{"type": "text", "text": "a"}]}]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(messages))
    done = condense("compact", str(path), "--format", "anthropic", "--target-tokens", "4000", "-o", str(tmp_path / "new.json"))
    assert done.code == 0
    assert "1 of 3 chains" in done.err


def test_a_window_and_a_target_exclude_each_other(session):
    """Both say how much is left alone."""
    assert condense("compact", str(session), "--target-tokens", "9", "--window", "1").code == 2


def test_a_session_of_pi_is_measured_as_it_is_rendered(tmp_path, monkeypatch):
    """Appended entries make the rendered request smaller, in place, and undone byte for byte."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    source = next(path for path in sorted((ROOT / "fixtures" / "compact").rglob("*.jsonl")) if condense("compact", str(path), "--window", "0").code == 1)
    path = tmp_path / "2026-01-01T00-00-00-000Z_a.jsonl"
    shutil.copy(source, path)
    before = path.read_bytes()
    least = int(re.search(r"about (\d+) tokens are left", condense("compact", str(path), "--target-tokens", "1").err)[1])
    done = condense("compact", "-i", "--force", str(path), "--target-tokens", str(least))
    assert done.code == 0, done.err
    assert path.read_bytes().startswith(before)
    assert len(path.read_bytes()) > len(before)
    assert condense("undo", re.search(r"condense undo (\S+)", done.err)[1], "--force").code == 0
    assert path.read_bytes() == before
