"""condense doctor, from the command line."""

import json
import os
import re

import pytest
from tests.strategies import condense

VARIABLES = (
    "CLINE_DIR", "CLINE_DATA_DIR", "CLINE_SESSION_DATA_DIR", "QWEN_HOME", "QWEN_RUNTIME_DIR", "COPILOT_HOME", "KIMI_SHARE_DIR", "GEMINI_CLI_HOME",
    "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCLAW_STATE_DIR", "XDG_DATA_HOME")
TIME = "2026-11-02T09:00:00.000Z"


def entry(ident, parent, message):
    return {"type": "message", "id": ident, "parentId": parent, "timestamp": TIME, "message": message}


HEAD = {"type": "session", "version": 3, "id": "s", "timestamp": TIME, "cwd": "/w"}
ASK = entry("00000001", None, {"role": "user", "content": [{"type": "text", "text": "secret words"}]})
CALL = entry("00000002", "00000001", {"role": "assistant", "content": [{"type": "toolCall", "id": "t", "name": "bash", "arguments": {}}], "stopReason": "toolUse"})
ORPHAN = entry("00000003", "00000001", {"role": "toolResult", "toolCallId": "nobody", "toolName": "bash", "content": []})
SOUND = [HEAD, ASK]
WARNING = [HEAD, ASK, CALL, entry("00000004", "00000002", {"role": "user", "content": [{"type": "text", "text": "x"}]})]
ERROR = [HEAD, ASK, ORPHAN]
INFO = [HEAD, ASK, CALL]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home folder, and no client's variables."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def put(home):
    def written(name, records, age=0, data=None):
        path = home / ".pi" / "agent" / "sessions" / "--w--" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if data is not None else b"".join(json.dumps(r).encode() + b"\n" for r in records))
        os.utime(path, (1_790_000_000 - age, 1_790_000_000 - age))
        return str(path)

    return written


def test_no_store_is_exit_3(home):
    """Where no client keeps anything there is nothing to check."""
    outcome = condense("doctor")

    assert (outcome.code, outcome.out) == (3, b"")
    assert "no client" in outcome.err


def ages(text):
    """The output without what depends on today."""
    return re.sub(r"\d+ \w+ ago", "AGE", text)


def test_worst_first_then_newest(home, put):
    """One line for each session with problems, errors before warnings, new before old; sound ones are counted."""
    put("sound", SOUND)
    put("info", INFO)
    old, new, bad, lost = put("old", WARNING, 50), put("new", WARNING, 10), put("bad", ERROR, 90), put("lost", [], 95, b"")
    outcome = condense("doctor", "-j", "1")
    lines = ages(outcome.out.decode()).splitlines()

    assert outcome.code == 1
    assert lines == [
        f"{bad}: 1 error: orphan-result (pi, AGE) secret words",
        f"{lost}: error: the file is empty (pi, AGE)",
        f"{new}: 1 warning: unanswered-call (pi, AGE) secret words",
        f"{old}: 1 warning: unanswered-call (pi, AGE) secret words",
        "",
        "client  folder                sessions  sound  errors  warnings",
        "pi      ~/.pi/agent/sessions         6      2       2         2",
        "/w: does not exist, and 5 sessions can only be resumed in it: move the project back, or make the folder",
        "6 sessions, 4 with problems",
        f"next: condense repair {bad}",
    ]


def test_several_at_a_time_come_to_the_same(home, put):
    """The number of processes changes nothing."""
    for number in range(9):
        put(f"s{number}", (SOUND, WARNING, ERROR)[number % 3], number)

    assert condense("doctor", "-j", "2").out == condense("doctor", "-j", "1").out


@pytest.mark.parametrize(
    ("records", "option", "code"),
    [(SOUND, "warning", 0), (INFO, "warning", 0), (INFO, "info", 1), (WARNING, "warning", 1), (WARNING, "error", 0), (ERROR, "error", 1), (ERROR, "never", 0)],
)
def test_fail_on_decides_the_exit_code(home, put, records, option, code):
    """--fail-on works as in check."""
    put("s", records)

    assert condense("doctor", "--fail-on", option).code == code


def test_json_holds_no_text_of_sessions(home, put):
    """The JSON has the same numbers, the findings of sessions with problems, and nothing that was said in them."""
    put("sound", SOUND)
    bad = put("bad", ERROR)
    outcome = condense("doctor", "--output-format", "json")
    value = json.loads(outcome.out)

    assert outcome.code == 1
    assert value["stores"] == [{"client": "pi", "path": str(home / ".pi/agent/sessions"), "sessions": 2, "sound": 1, "error": 1, "warning": 0}]
    assert value["summary"] == {"sessions": 2, "sound": 1, "error": 1, "warning": 0, "info": 0}
    assert [(s["client"], s["path"], s["modified"], s["findings"][0]["rule"]) for s in value["sessions"]] == [("pi", bad, 1_790_000_000_000, "orphan-result")]
    assert b"secret" not in outcome.out


def test_databases_are_said_to_be_unread(home):
    """A store in SQLite is no failure, and is not passed over in silence."""
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")
    outcome = condense("doctor")

    assert outcome.code == 0
    assert b"opencode.db is not read" in outcome.out
    assert json.loads(condense("doctor", "--output-format", "json").out)["unread"] == [{"client": "opencode-db", "path": str(path)}]


def test_nothing_is_written(home, put):
    """No file of the home folder is made, changed or touched."""
    put("bad", ERROR)
    before = {path: path.stat().st_mtime_ns for path in sorted(home.rglob("*"))}
    condense("doctor")

    assert {path: path.stat().st_mtime_ns for path in sorted(home.rglob("*"))} == before


def test_names_of_files_do_not_steer_the_terminal(home, put):
    """Control characters in a path show as escapes, and the command is quoted."""
    put("a\x1b[2Jb c", ERROR)
    out = condense("doctor").out

    assert b"\x1b" not in out
    assert b"$'" in out


def test_a_compressed_bomb_in_a_store_is_unpacked_to_the_limit(home):
    """What unpacks to more than --max-size is an error of that one file; with a higher limit it is read."""
    zstandard = pytest.importorskip("zstandard")
    path = home / ".codex" / "sessions" / "2026" / "11" / "02" / "rollout-2026-11-02T09-00-00-a.jsonl.zst"
    path.parent.mkdir(parents=True)
    path.write_bytes(zstandard.compress(b" " * 100_000))

    assert "unpacks to more than 1024 bytes" in condense("doctor", "--max-size", "1K").out.decode()
    assert "unpacks to more" not in condense("doctor", "--max-size", "1M").out.decode()
    assert condense("doctor", "--max-size", "much").code == 2


def test_each_session_of_each_client_is_listed_once(home):
    """A home with the stores of all clients; copies, sub-agents and what else is beside the sessions is not counted."""
    sessions = {
        ".pi/agent/sessions/--w--/2026_a.jsonl": "pi",
        ".claude/projects/-w/a.jsonl": "claude-code",
        ".codex/sessions/2026/08/12/rollout-a.jsonl": "codex",
        ".openclaw/agents/main/sessions/a.jsonl": "openclaw",
        ".gemini/tmp/app/chats/session-a.jsonl": "gemini",
        ".kimi/sessions/ab12/s1/context.jsonl": "kimi",
        ".qwen/projects/-w/chats/a.jsonl": "qwen",
        ".copilot/session-state/a/events.jsonl": "copilot",
        ".cline/data/sessions/1_a/1_a.messages.json": "cline",
    }
    others = (
        ".claude/projects/-w/agent-a.jsonl",
        ".codex/sessions/2026/08/12/rollout-a.jsonl.zst",
        ".gemini/tmp/app/chats/session-a.json",
        ".kimi/sessions/ab12/s1/wire.jsonl",
        ".cline/data/sessions/1_a/1_a.json",
        ".copilot/session-state/a/events.jsonl.backup-before-recovery-00",
    )
    for name in (*sessions, *others):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("torn\n")

    done = condense("doctor", "--output-format", "json")

    value = json.loads(done.out)
    assert sorted((one["path"], one["client"]) for one in value["sessions"]) == sorted((str(home / name), client) for name, client in sessions.items())
    assert {(store["client"], store["sessions"]) for store in value["stores"] if store["sessions"]} == {(client, 1) for client in sessions.values()}


# ---------------------------------------------------------------------- a second run
@pytest.fixture
def looked_at(monkeypatch, tmp_path):
    """The paths that are looked at in each run, with a cache of its own."""
    from condense_cli.cli.doctor import sessions

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own-cache"))
    seen = []
    real = sessions._look
    monkeypatch.setattr(sessions, "_look", lambda paths, *rest: seen.append([os.path.basename(path) for path in paths]) or real(paths, *rest))
    return seen


def test_what_did_not_change_is_not_read_again(home, put, looked_at):
    """And the second run says the same, as text and as JSON."""
    for number in range(5):
        put(f"s{number}", (SOUND, WARNING, ERROR)[number % 3], number)
    first = condense("doctor").out, condense("doctor", "--json").out
    assert [len(paths) for paths in looked_at] == [5, 0]
    assert (condense("doctor").out, condense("doctor", "--json").out) == first


@pytest.mark.parametrize("how", ["appended", "replaced", "truncated", "edited"])
def test_a_session_that_changed_is_looked_at_again(home, put, looked_at, how):
    """Also where its size and its modification time are those of before."""
    path = put("s", SOUND)
    assert condense("doctor").code == 0
    facts = os.stat(path)
    data = b"".join(json.dumps(r).encode() + b"\n" for r in ERROR)
    if how == "appended":
        with open(path, "ab") as file:
            file.write(json.dumps(ORPHAN).encode() + b"\n")
    elif how == "truncated":
        os.truncate(path, facts.st_size - 20)
    elif how == "replaced":
        with open(f"{path}.new", "wb") as file:
            file.write(data)
        os.replace(f"{path}.new", path)
    else:
        with open(path, "r+b") as file:
            file.write(b"[")
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert condense("doctor").code == 1
    assert looked_at[-1] == ["s.jsonl"]


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_cache_is_made_anew(home, put, looked_at, damage):
    """Nothing is lost but time."""
    from condense_cli.storage.cache import cache_file

    put("s", ERROR)
    wanted = condense("doctor").out
    with open(cache_file(), "wb") as file:
        file.write(damage)
    assert condense("doctor").out == wanted
    assert condense("doctor").out == wanted
    assert [len(paths) for paths in looked_at][-1] == 0


def test_without_a_place_for_the_cache_all_is_looked_at(home, put, monkeypatch):
    """And said."""
    put("s", ERROR)
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    assert condense("doctor").code == condense("doctor").code == 1


# ---------------------------------------------------------------------- what is shown
def test_sessions_of_this_folder_come_first(home, put, tmp_path, monkeypatch):
    """Before worse ones of elsewhere."""
    here = tmp_path / "project"
    here.mkdir()
    monkeypatch.chdir(here)
    put("bad", ERROR)
    mine = put("mine", [{**HEAD, "cwd": str(here)}, *WARNING[1:]])
    first = condense("doctor").out.decode().splitlines()[0]
    assert first.startswith(f"{mine}: 1 warning")
    assert "this folder" in first


def test_only_some_clients_and_times(home, put):
    """--client and --since; what is neither is a usage error."""
    put("old", ERROR, 40 * 86400)
    new = put("new", ERROR)
    os.utime(new)
    assert b"2 sessions" in condense("doctor", "--client", "pi").out
    assert condense("doctor", "--client", "codex").code == 3
    assert b"1 session," in condense("doctor", "--since", "1d").out
    for words in (("--client", "emacs"), ("--since", "soon"), ("--watch", "--json")):
        assert condense("doctor", *words).code == 2


def test_watch_writes_a_line_for_each_change(home, put, monkeypatch):
    """For better and for worse, and nothing else."""
    from condense_cli.cli.doctor import run

    path = put("s", SOUND)
    steps = [lambda: None, lambda: put("s", ERROR), lambda: None, lambda: put("s", SOUND), lambda: put("new", WARNING)]

    def pause(_seconds):
        if not steps:
            raise KeyboardInterrupt
        steps.pop(0)()

    monkeypatch.setattr(run.time, "sleep", pause)
    done = condense("doctor", "--watch")
    assert done.code == 130
    lines = done.out.decode().split("0 with problems\n")[1].splitlines()
    assert [re.sub(r"^[\d:]+ ", "", ages(line)) for line in lines] == [
        f"{path}: 1 error: orphan-result (pi, AGE) secret words",
        f"{path}: sound (pi, AGE) secret words",
        f"{path.replace('/s.', '/new.')}: 1 warning: unanswered-call (pi, AGE) secret words",
    ]


def test_what_the_picker_does_not_show_is_said(home):
    """A session that is not in Claude Code's index, and one that is only there."""
    folder = home / ".claude" / "projects" / "-w"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_text("torn\n")
    (folder / "sessions-index.json").write_text(json.dumps({"version": 1, "entries": [{"sessionId": "b"}]}))
    out = condense("doctor").out.decode()
    assert f"{folder}/a.jsonl: is not in the index of its client" in out
    assert "claude --resume a" in out
    assert f"{folder}/b.jsonl: is in the index of its client, but does not exist" in out
    lost = json.loads(condense("doctor", "--json").out)["lost"]
    assert [(one["path"][-7:], one["exists"]) for one in lost] == [("a.jsonl", True), ("b.jsonl", False)]
