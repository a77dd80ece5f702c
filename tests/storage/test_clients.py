"""Where clients keep their sessions."""

import pytest
from condense_cli.storage.clients import stores, unread


def put(path, data="{}\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data)
    return str(path)


def found(environment):
    return {(store.client, path) for store in stores(environment) for path in store.sessions}


@pytest.mark.parametrize(
    ("client", "place"),
    [
        ("pi", ".pi/agent/sessions/--w--/2026_a.jsonl"),
        ("claude-code", ".claude/projects/-w/0a.jsonl"),
        ("codex", ".codex/sessions/2026/08/12/rollout-a.jsonl"),
        ("codex", ".codex/sessions/2026/08/12/rollout-a.jsonl.zst"),
        ("codex", ".codex/archived_sessions/rollout-b.jsonl"),
        ("openclaw", ".openclaw/agents/main/sessions/a.jsonl"),
        ("openclaw", ".clawdbot/agents/main/sessions/a.jsonl"),
        ("openclaw", ".moltbot/agents/main/sessions/a.jsonl"),
        ("gemini", ".gemini/tmp/ab12/chats/session-2026-a.jsonl"),
        ("gemini", ".gemini/tmp/ab12/chats/session-2026-a.json"),
        ("kimi", ".kimi/sessions/ab12/s1/context.jsonl"),
    ],
)
def test_sessions_are_found(tmp_path, client, place):
    """Each client's sessions are found in its own place below the home folder."""
    path = put(tmp_path / place)

    assert found({"HOME": str(tmp_path)}) == {(client, path)}


@pytest.mark.parametrize(
    ("place", "data"),
    [
        (".claude/projects/-w/agent-0a.jsonl", "{}\n"),
        (".claude/projects/-w/0a/subagents/agent-0a.jsonl", "{}\n"),
        (".codex/sessions/2026/08/12/rollout-a.jsonl", '{"type":"session_meta","payload":{"source":{"subagent":"review"}}}\n'),
        (".codex/history.jsonl", "{}\n"),
        (".gemini/tmp/ab12/chats/parent/abc.jsonl", "{}\n"),
        (".gemini/tmp/ab12/logs.json", "{}\n"),
        (".kimi/sessions/ab12/s1/subagents/x/context.jsonl", "{}\n"),
        (".kimi/sessions/ab12/s1/wire.jsonl", "{}\n"),
        (".openclaw/agents/main/sessions/cold/a.jsonl.zst", "{}\n"),
        (".openclaw/agents/main/sessions/sessions.json", "{}\n"),
    ],
)
def test_what_is_no_session_is_left_out(tmp_path, place, data):
    """Transcripts of subagents, indexes, logs and archives are not listed."""
    put(tmp_path / place, data)

    assert found({"HOME": str(tmp_path)}) == set()


@pytest.mark.parametrize(
    ("client", "variable", "place"),
    [
        ("pi", "PI_CODING_AGENT_DIR", "sessions/--w--/a.jsonl"),
        ("pi", "PI_CODING_AGENT_SESSION_DIR", "a.jsonl"),
        ("pi", "PI_CODING_AGENT_SESSION_DIR", "--w--/a.jsonl"),
        ("claude-code", "CLAUDE_CONFIG_DIR", "projects/-w/a.jsonl"),
        ("codex", "CODEX_HOME", "sessions/2026/01/01/rollout-a.jsonl"),
        ("openclaw", "OPENCLAW_STATE_DIR", "agents/m/sessions/a.jsonl"),
    ],
)
def test_variables_move_a_store(tmp_path, client, variable, place):
    """The variables of the clients are honoured, `~` included."""
    path = put(tmp_path / "moved" / place)

    assert found({"HOME": str(tmp_path), variable: str(tmp_path / "moved")}) == {(client, path)}
    assert found({"HOME": str(tmp_path), variable: "~/moved"}) == {(client, path)}
    assert found({"HOME": str(tmp_path)}) == set()


def test_databases_are_named(tmp_path):
    """SQLite stores are listed as not read, and XDG_DATA_HOME moves OpenCode's."""
    claw = put(tmp_path / ".openclaw/agents/main/agent/openclaw-agent.sqlite")
    code = put(tmp_path / "data/opencode/opencode.db")
    environment = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}

    assert [(store.client, store.path) for store in unread(environment)] == [("openclaw", claw), ("opencode", code)]
    assert unread({"HOME": str(tmp_path / "nobody")}) == []


def test_one_folder_under_two_names_counts_once(tmp_path):
    """A link from an old name to the new folder does not double its sessions."""
    put(tmp_path / ".openclaw/agents/main/sessions/a.jsonl")
    (tmp_path / ".clawdbot").symlink_to(tmp_path / ".openclaw")

    assert len(found({"HOME": str(tmp_path)})) == 1
