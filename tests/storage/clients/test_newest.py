"""Which session is meant when none is named."""

import hashlib
import json
import os

from condense_cli.storage.clients.newest import candidates, newest


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


def test_the_newer_clients_have_their_stores_too(tmp_path):
    """By the name of a folder, a hash of it, or what a session says of itself."""
    cwd = "/home/dev/my.app"
    sha, md5 = hashlib.sha256(cwd.encode()).hexdigest(), hashlib.md5(cwd.encode(), usedforsecurity=False).hexdigest()
    found = [
        put(tmp_path / ".qwen/projects/-home-dev-my-app/chats/a.jsonl", 5),
        put(tmp_path / f".gemini/tmp/{sha}/chats/session-b.jsonl", 4),
        put(tmp_path / f".kimi/sessions/{md5}/c/context.jsonl", 3),
        put(tmp_path / ".copilot/session-state/d/events.jsonl", 2, {"type": "session.start", "data": {"context": {"cwd": cwd}}}),
    ]
    put(tmp_path / ".qwen/projects/-home-dev-other/chats/x.jsonl", 0)
    put(tmp_path / ".gemini/tmp/other/chats/session-y.jsonl", 0)
    put(tmp_path / ".copilot/session-state/z/events.jsonl", 0, {"type": "session.start", "data": {"context": {"cwd": "/other"}}})

    assert [(c.path, c.client) for c in candidates(cwd, {"HOME": str(tmp_path)})] == list(
        zip(found[::-1], ("copilot", "kimi", "gemini", "qwen"), strict=True)
    )


def test_cline_names_its_folder_in_a_manifest_and_a_task_in_its_first_request(tmp_path):
    """The manifest beside the messages of Cline's store; the environment that is told to the model at the start of a task."""
    store = put(tmp_path / ".cline/data/sessions/1_a/1_a.messages.json", 2)
    (tmp_path / ".cline/data/sessions/1_a/1_a.json").write_text(json.dumps({"session_id": "1_a", "cwd": "/w/app"}))
    told = [{"role": "user", "content": [{"type": "text", "text": "<environment_details>\n# Current Working Directory (/w/app) Files\n"}]}]
    task = put(tmp_path / ".cline/data/tasks/17/api_conversation_history.json", 1, told)
    put(tmp_path / ".cline/data/tasks/18/api_conversation_history.json", 0)

    assert [(c.path, c.client) for c in candidates("/w/app", {"HOME": str(tmp_path)})] == [(task, "cline"), (store, "cline")]
    assert candidates("/w/other", {"HOME": str(tmp_path)}) == []


def test_gemini_names_a_project_by_its_table(tmp_path):
    """projects.json names the folder; the folder's own .project_root is believed before it, and is enough."""
    home = {"HOME": str(tmp_path)}
    listed = put(tmp_path / ".gemini/tmp/app/chats/session-a.jsonl", 3)
    (tmp_path / ".gemini/projects.json").write_text(json.dumps({"projects": {"/w/app": "app", "/w/other": "other"}}))
    assert [c.path for c in candidates("/w/app", home)] == [listed]

    rooted = put(tmp_path / ".gemini/tmp/app-1/chats/session-b.jsonl", 2)
    (tmp_path / ".gemini/tmp/app-1/.project_root").write_text("/w/app\n")
    (tmp_path / ".gemini/tmp/app/.project_root").write_text("/w/elsewhere")
    assert [c.path for c in candidates("/w/app", home)] == [rooted]

    (tmp_path / ".gemini/projects.json").write_text("[")
    assert [c.path for c in candidates("/w/app", home)] == [rooted]


def test_copilot_names_the_folder_beside_the_session(tmp_path):
    """workspace.yaml is believed before the header, however its text is quoted."""
    home = {"HOME": str(tmp_path)}
    path = put(tmp_path / ".copilot/session-state/a/events.jsonl", 1, {"type": "session.start", "data": {"context": {"cwd": "/old"}}})
    for text in ("/w/my app", '"/w/my app"', "'/w/my app'"):
        (tmp_path / ".copilot/session-state/a/workspace.yaml").write_text(f"id: a\ncwd: {text}\nname: x\n")
        assert [c.path for c in candidates("/w/my app", home)] == [path]
        assert candidates("/old", home) == []


def test_a_copy_and_a_sub_agent_are_never_the_newest(tmp_path):
    """What is excluded from a client's store is excluded from a folder's."""
    put(tmp_path / ".claude/projects/-w/agent-a.jsonl", 0)
    put(tmp_path / ".codex/sessions/2026/01/02/rollout-b.jsonl", 0, {"payload": {"cwd": "/w", "source": {"subagent": "review"}}})
    older = put(tmp_path / ".codex/sessions/2026/01/01/rollout-c.jsonl", 5, {"payload": {"cwd": "/w"}})

    assert [c.path for c in candidates("/w", {"HOME": str(tmp_path)})] == [older]
