"""Which session is meant when none is named."""

import json
import os

from condense_cli.storage.newest import candidates, newest


def put(path, age, first=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(first or {"type": "session"}) + "\n")
    os.utime(path, (10_000 - age, 10_000 - age))
    return str(path)


def test_every_client_has_its_store(tmp_path):
    """Sessions of the folder are found in all stores, newest first; those of other folders are not."""
    home, cwd = tmp_path, "/home/dev/my.app"
    found = [
        put(home / ".pi/agent/sessions/--home-dev-my.app--/2026_a.jsonl", 4),
        put(home / ".claude/projects/-home-dev-my-app/b.jsonl", 3),
        put(home / ".codex/sessions/2026/08/12/rollout-c.jsonl", 2, {"type": "session_meta", "payload": {"cwd": cwd}}),
        put(home / ".openclaw/agents/main/sessions/d.jsonl", 1, {"type": "session", "cwd": cwd}),
    ]
    put(home / ".pi/agent/sessions/--home-dev-other--/x.jsonl", 0)
    put(home / ".codex/sessions/2026/08/12/rollout-y.jsonl", 0, {"type": "session_meta", "payload": {"cwd": "/other"}})
    put(home / ".claude/projects/-home-dev-my-app/notes.txt", 0)

    assert [c.path for c in candidates(cwd, {"HOME": str(home)})] == found[::-1]
    assert newest(cwd, {"HOME": str(home)}).client == "openclaw"


def test_the_clients_own_variables_move_their_stores(tmp_path):
    """Each override is honoured; `~` is the home folder."""
    cwd = "/w"
    pi = put(tmp_path / "agents/sessions/--w--/a.jsonl", 9)
    flat = put(tmp_path / "flat/a.jsonl", 8, {"type": "session", "cwd": cwd})
    claude = put(tmp_path / "cc/projects/named/b.jsonl", 7)
    codex = put(tmp_path / "cx/sessions/2026/01/01/rollout-c.jsonl", 6, {"payload": {"cwd": cwd}})
    claw = put(tmp_path / "oc/agents/m/sessions/d.jsonl", 5, {"type": "session", "cwd": cwd})
    home = {"HOME": str(tmp_path)}

    def paths(**environment):
        return [c.path for c in candidates(cwd, {**home, **environment})]

    assert paths(PI_CODING_AGENT_DIR="~/agents") == [pi]
    assert paths(PI_CODING_AGENT_SESSION_DIR=str(tmp_path / "flat")) == [flat]
    assert paths(CLAUDE_CONFIG_DIR=str(tmp_path / "cc"), CLAUDE_CODE_PROJECT_DIR_NAME="named") == [claude]
    assert paths(CODEX_HOME=str(tmp_path / "cx")) == [codex]
    assert paths(OPENCLAW_STATE_DIR=str(tmp_path / "oc")) == [claw]


def test_pis_settings_name_another_folder(tmp_path):
    """`sessionDir` in settings.json is used when no variable says otherwise; broken settings are passed over."""
    settings = tmp_path / ".pi/agent/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"sessionDir": "~/mine"}))
    path = put(tmp_path / "mine/--w--/a.jsonl", 1)

    assert [c.path for c in candidates("/w", {"HOME": str(tmp_path)})] == [path]
    settings.write_text("{")
    assert newest("/w", {"HOME": str(tmp_path)}) is None
