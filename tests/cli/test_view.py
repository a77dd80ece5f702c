"""`condense view`: one page that needs nothing but itself and runs nothing of the session."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.output.html.hostile import ATTACKS, hostile
from tests.strategies import calls, condense, pi_file

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "fixtures" / "demo"


class Reader(HTMLParser):
    """Collects the elements of a page with their attributes, and its text."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Write a session, view it in another folder, return the page as text and parsed."""
    monkeypatch.chdir(tmp_path)

    def made(data, *words, name="s.jsonl"):
        (tmp_path / name).write_bytes(data)
        done = condense("view", name, "-o", "page.html", *words)
        assert done.code == 0, done.err
        text = (tmp_path / "page.html").read_text("utf-8")
        reader = Reader()
        reader.feed(text)
        return text, reader

    return made


def elements(reader, tag):
    """The attributes of all elements of a kind."""
    return [attrs for name, attrs in reader.tags if name == tag]


def test_a_hostile_session_is_text_only(page):
    """One style, one script, no handler, no live link, no address: whatever the session says is escaped."""
    text, reader = page(hostile())
    assert len(elements(reader, "script")) == len(elements(reader, "style")) == 1
    assert not {"iframe", "object", "embed", "base", "link", "form", "b2"} & {tag for tag, _ in reader.tags}
    for _, attrs in reader.tags:
        assert not [name for name in attrs if name.startswith("on") or name in ("style", "srcdoc", "action", "formaction")]
        assert attrs.get("href", "#m1").startswith("#m")
        assert attrs.get("src", "data:image/").startswith("data:image/")
    assert len(elements(reader, "meta")) == text.count("<meta ")
    shown = "".join(reader.text)
    for attack in ATTACKS[:7]:
        assert attack in shown
    assert "\u202e" not in text
    assert "\\u202e" in shown
    assert "{{ 7*7 }}" in shown


def test_a_policy_allows_the_own_style_and_script_only(page):
    """The hashes in the policy are those of the two elements; nothing else is allowed."""
    import base64
    import hashlib

    text, reader = page(hostile())
    (policy,) = [attrs["content"] for attrs in elements(reader, "meta") if attrs.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("img-src") == "data:"
    assert rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    for name in ("style", "script"):
        body = re.search(f"<{name}>(.*?)</{name}>", text, re.DOTALL)[1]
        assert rules.pop(f"{name}-src") == f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'"
    assert not rules
    assert text.index("Content-Security-Policy") < text.index("<style>")


def test_a_finding_is_at_its_message_with_the_repair_on_top(page):
    """The message of the orphan result has the finding, and is not in the repaired view."""
    text, _ = page(pi_file([("user",), calls(["a"]), ("result", "a"), ("result", "b"), ("text",)]))
    assert "condense repair -i s.jsonl" in text
    message = next(part for part in text.split("<article ") if 'id="f1"' in part)
    assert "orphan-result" in message
    assert 'data-in="sc"' in message
    assert "changed or removed by the repair" in message
    assert text.count('<path class="finding-error"') == 1


def test_a_sound_session_has_no_repair(page):
    """Nothing to run, every message in every view."""
    text, reader = page(pi_file([("user",), calls(["a"]), ("result", "a"), ("text",)]))
    assert "condense repair" not in text
    assert {a["data-in"] for a in elements(reader, "article") if "client" not in a["class"]} == {"scrp"}


def test_what_pruning_does_is_in_the_page(page):
    """Ranges have a heading, and what takes their place is in the rendered view only."""
    text, reader = page((DEMO / "pruned.jsonl").read_bytes())
    assert "pruned: range b1" in text
    assert re.search(r"2 messages \(lines 3–4\) pruned", text)
    assert "r" in {a["data-in"] for a in elements(reader, "article")}


def test_the_same_session_gives_the_same_bytes(page):
    """No time, no random number, no order of a set."""
    assert page(hostile())[0] == page(hostile())[0]


def test_a_moved_result_is_said_to_move(page):
    """Both places say so."""
    text, _ = page((DEMO / "bricked.jsonl").read_bytes())
    assert "moved by the repair" in text
    assert "where the repair moves it" in text


def test_other_threads_are_marked(page):
    """Messages off the thread have a heading, and the other thread a command."""
    text, _ = page(_forked())
    assert "on another thread" in text
    assert "condense view --leaf" in text


def _forked():
    import json

    def line(ident, parent, role, text):
        return {"type": "message", "id": ident, "parentId": parent, "timestamp": "2026-11-01T10:00:00.000Z", "message": {"role": role, "content": [{"type": "text", "text": text}], "stopReason": "stop", "timestamp": 1}}

    head = {"type": "session", "version": 3, "id": "x", "timestamp": "2026-11-01T10:00:00.000Z", "cwd": "/"}
    lines = [head, line("a", None, "user", "one"), line("b", "a", "assistant", "two"), line("c", "b", "user", "lost way"), line("d", "b", "user", "other way")]
    return b"".join(json.dumps(one).encode() + b"\n" for one in lines)


def test_a_torn_line_is_shown_as_it_is(page):
    """It is no message, but it has a finding, and its bytes are in the page."""
    text, reader = page(pi_file([("user",), ("text",)]) + b'{"type":"message","id":"torn <b>')
    assert "torn-tail" in text
    assert "torn <b>" in "".join(reader.text)


def test_without_a_name_the_page_is_in_this_folder(tmp_path, monkeypatch):
    """It is called as the session; a page is replaced, another file is not."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (tmp_path / "s.jsonl").write_bytes(pi_file([("user",), ("text",)]))
    for _ in range(2):
        done = condense("view", "../s.jsonl")
        assert (done.code, done.err) == (0, "wrote s.html\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["here", "s.jsonl"]
    (folder / "s.html").write_text("mine")
    done = condense("view", "../s.jsonl")
    assert done.code == 2
    assert (folder / "s.html").read_text() == "mine"


def test_nothing_is_written_into_a_folder_of_a_client(tmp_path, monkeypatch):
    """There a client would find it."""
    folder = tmp_path / ".claude" / "projects" / "-w"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    (tmp_path / "s.jsonl").write_bytes(pi_file([("user",), ("text",)]))
    monkeypatch.chdir(folder)
    done = condense("view", str(tmp_path / "s.jsonl"))
    assert done.code == 2
    assert "-o FILE.html" in done.err
    assert not list(folder.iterdir())


def test_open_starts_a_browser(tmp_path, monkeypatch):
    """With the address of the file; there is nothing to open on standard output."""
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.jsonl").write_bytes(pi_file([("user",), ("text",)]))
    assert condense("view", "s.jsonl", "-o", "p.html", "--open").code == 0
    assert opened == [(tmp_path / "p.html").as_uri()]
    assert condense("view", "s.jsonl", "-o", "-", "--open").code == 2


@pytest.mark.parametrize("path", sorted(p for p in (ROOT / "fixtures" / "sessions").rglob("*.json*") if p.is_file())[::7] or [DEMO / "bricked.jsonl"], ids=lambda p: p.name)
def test_every_format_has_a_page(path, tmp_path):
    """Each message of each kind of session is shown."""
    done = condense("view", str(path), "-o", str(tmp_path / "p.html"))
    assert done.code in (0, 3), done.err
    if done.code == 0:
        assert "<article" in (tmp_path / "p.html").read_text("utf-8")
