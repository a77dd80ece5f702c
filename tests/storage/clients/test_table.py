"""The table of clients: where their sessions are, what is none, their ids, and the command that goes on with one."""

import os

import pytest
from condense_cli.formats import ABILITIES, BY_NAME
from condense_cli.session.named import find
from condense_cli.storage.clients import table
from condense_cli.storage.clients.pi import pi_folder
from condense_cli.storage.clients.table import CLIENTS, resume_words, session_id, stores, unread
from tests.databases import opencode

ONE, TWO = "3f2a0b1c-0000-4000-8000-000000000001", "0199b0b1-0000-7000-8000-000000000002"


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
        ("gemini", ".gemini/tmp/project/chats/session-2026-a.jsonl"),
        ("kimi", ".kimi/sessions/ab12/s1/context.jsonl"),
        ("kimi-code", ".kimi-code/sessions/wd_shop_0a/session_1/agents/main/wire.jsonl"),
        ("qwen", ".qwen/projects/-w/chats/a.jsonl"),
        ("qwen", ".qwen/projects/-w/chats/archive/a.jsonl"),
        ("copilot", ".copilot/session-state/a/events.jsonl"),
        ("cline", ".cline/data/sessions/1767225600000_labab/1767225600000_labab.messages.json"),
        ("cline", ".cline/data/tasks/1767225600000/api_conversation_history.json"),
        ("cline", ".vscode-server/data/User/globalStorage/saoudrizwan.claude-dev/tasks/1767225600000/api_conversation_history.json"),
        ("roo", f".cursor-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/{ONE}/api_conversation_history.json"),
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
        (".openclaw/agents/main/sessions/a.jsonl.reset.2026", "{}\n"),
        (".gemini/tmp/ab12/chats/session-2026-a.jsonl", '{"sessionId":"a","kind":"subagent"}\n'),
        (".kimi/sessions/ab12/s1/context_1.jsonl", "{}\n"),
        (".qwen/projects/-w/chats/a.worktree.json", "{}\n"),
        (".copilot/session-state/a/events.jsonl.backup-before-recovery-00ff", "{}\n"),
        (".copilot/session-state/.session-operation-locks/events.jsonl", "{}\n"),
        (".cline/data/sessions/a/a.json", "{}\n"),
        (".cline/data/sessions/a/agent_1.messages.json", "{}\n"),
        (".cline/data/tasks/1/ui_messages.json", "[]\n"),
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
        ("gemini", "GEMINI_CLI_HOME", ".gemini/tmp/p/chats/session-a.jsonl"),
        ("kimi", "KIMI_SHARE_DIR", "sessions/ab12/s1/context.jsonl"),
        ("kimi-code", "KIMI_CODE_HOME", "sessions/wd_shop_0a/session_1/agents/main/wire.jsonl"),
        ("qwen", "QWEN_HOME", "projects/-w/chats/a.jsonl"),
        ("qwen", "QWEN_RUNTIME_DIR", "projects/-w/chats/a.jsonl"),
        ("copilot", "COPILOT_HOME", "session-state/a/events.jsonl"),
        ("cline", "CLINE_DIR", "data/sessions/a/a.messages.json"),
        ("cline", "CLINE_DATA_DIR", "sessions/a/a.messages.json"),
        ("cline", "CLINE_SESSION_DATA_DIR", "a/a.messages.json"),
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

    assert [(store.client, store.path) for store in unread(environment)] == [("openclaw", claw), ("opencode-db", code)]
    assert unread({"HOME": str(tmp_path / "nobody")}) == []


def test_sessions_in_a_database_are_listed(tmp_path):
    """Each by the database and its id; one that is unknown to condense is named as not read."""
    path = tmp_path / "opencode" / "opencode.db"
    path.parent.mkdir()
    opencode(path, more=1).close()
    environment = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}

    assert found(environment) == {("opencode-db", f"{path}#ses_1"), ("opencode-db", f"{path}#ses_more0")}
    assert unread(environment) == []
    assert find("ses_1", "/w", environment).path == f"{path}#ses_1"
    assert find("@last", "/home/dev/shop", environment).path == f"{path}#ses_1"


def test_one_folder_under_two_names_counts_once(tmp_path):
    """A link from an old name to the new folder does not double its sessions."""
    put(tmp_path / ".openclaw/agents/main/sessions/a.jsonl")
    (tmp_path / ".clawdbot").symlink_to(tmp_path / ".openclaw")

    assert len(found({"HOME": str(tmp_path)})) == 1


@pytest.mark.parametrize(
    ("kept", "passed_over"),
    [
        (".codex/sessions/2026/08/12/rollout-a.jsonl", ".codex/sessions/2026/08/12/rollout-a.jsonl.zst"),
        (".gemini/tmp/p/chats/session-a.jsonl", ".gemini/tmp/p/chats/session-a.json"),
    ],
)
def test_a_session_in_two_forms_counts_once(tmp_path, kept, passed_over):
    """The one that its client reads is listed."""
    path = put(tmp_path / kept)
    put(tmp_path / passed_over)

    assert [one for _, one in found({"HOME": str(tmp_path)})] == [path]


def test_the_table_names_formats_and_the_folders_that_formats_tells():
    """Each row is a format's, once, and `condense formats` names one of its folders."""
    names = [client.name for client in CLIENTS]
    assert len(set(names)) == len(names)
    assert set(names) <= set(BY_NAME)
    for client in CLIENTS:
        assert ABILITIES[client.name].folder in [root.replace("/h/", "~/", 1) for root in client.roots({"HOME": "/h"})]
    assert {name for name, about in ABILITIES.items() if about.folder} == set(names)


@pytest.mark.parametrize(
    ("client", "path", "ident"),
    [
        ("claude-code", f"a/{ONE}.jsonl", ONE),
        ("codex", f"a/rollout-2026-01-02T03-04-05-{TWO}.jsonl.zst", TWO),
        ("codex", f"a/rollout-2026-01-02T03-04-05-{TWO}_{ONE}.jsonl", TWO),
        ("pi", f"a/2026-01-01T00-00-00-000Z_{ONE}.jsonl", ONE),
        ("pi", "a/2026-01-01T00-00-00-000Z_my_own_id.jsonl", "my_own_id"),
        ("pi", "a/main_2.jsonl", "main_2"),
        ("openclaw", f"a/{ONE}-topic-7.jsonl", f"{ONE}-topic-7"),
        ("gemini", "a/session-2026-01-02T03-04-deadbeef.json", "deadbeef"),
        ("kimi", f"a/{ONE}/context.jsonl", ONE),
        ("kimi-code", f"a/session_{ONE}/agents/main/wire.jsonl", f"session_{ONE}"),
        ("qwen", f"a/chats/{ONE}.jsonl", ONE),
        ("copilot", f"a/{ONE}/events.jsonl", ONE),
        ("cline", "a/1_ab/1_ab.messages.json", "1_ab"),
        ("cline", "tasks/1767225600000/api_conversation_history.json", "1767225600000"),
        ("roo", f"tasks/{ONE}/api_conversation_history.json", ONE),
        ("opencode-db", "a/opencode.db#ses_1", "ses_1"),
        ("openai-chat", "a/main.jsonl", "main"),
    ],
)
def test_the_id_is_in_the_path(client, path, ident):
    """In the name of the file, or of the folder that it is in."""
    assert session_id(path, client) == ident


def test_the_whole_id_of_gemini_is_in_the_file(tmp_path):
    """Its name has the first 8 characters; a file of another session is not believed."""
    path = put(tmp_path / "session-2026-01-02T03-04-3f2a0b1c.jsonl", f'{{"sessionId":"{ONE}","projectHash":"x"}}\n')
    other = put(tmp_path / "session-2026-01-02T03-04-deadbeef.jsonl", f'{{"sessionId":"{ONE}","projectHash":"x"}}\n')

    assert session_id(path, "gemini") == ONE
    assert session_id(other, "gemini") == "deadbeef"


@pytest.mark.parametrize(
    ("client", "path", "words"),
    [
        ("claude-code", f"/w/{ONE}.jsonl", ("claude", "--resume", ONE)),
        ("codex", f"/w/rollout-2026-01-02T03-04-05-{ONE}.jsonl", ("codex", "resume", ONE)),
        ("pi", f"/w/{ONE}.jsonl", ("pi", "--session", f"/w/{ONE}.jsonl")),
        ("openclaw", f"/w/{ONE}.jsonl", ("openclaw", "doctor", "--fix")),
        ("gemini", "/w/session-2026-01-02T03-04-3f2a0b1c.jsonl", ("gemini", "--resume", "3f2a0b1c")),
        ("kimi", f"/w/{ONE}/context.jsonl", ("kimi", "--session", ONE)),
        ("kimi-code", f"/w/session_{ONE}/agents/main/wire.jsonl", ("kimi", "--session", f"session_{ONE}")),
        ("qwen", f"/w/chats/{ONE}.jsonl", ("qwen", "--resume", ONE)),
        ("copilot", f"/w/{ONE}/events.jsonl", ("copilot", f"--resume={ONE}")),
        ("cline", "/w/1_ab/1_ab.messages.json", ("cline", "--id", "1_ab")),
        ("cline", "/w/tasks/1/api_conversation_history.json", ()),
        ("roo", f"/w/tasks/{ONE}/api_conversation_history.json", ()),
        ("opencode", "/w/a.json", ()),
        ("opencode-db", "/w/opencode.db#ses_1", ("opencode", "--session", "ses_1")),
        ("anthropic", "/w/a.json", ()),
    ],
)
def test_each_client_goes_on_in_its_own_way(client, path, words):
    """The command is exact; an array of messages has none."""
    assert resume_words(client, path) == words


def test_pi_takes_the_id_in_the_folder_of_the_session(tmp_path, monkeypatch):
    """From another folder it would ask whether to copy the session; a path opens it everywhere."""
    monkeypatch.setenv("HOME", str(tmp_path))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    path = put(tmp_path / ".pi/agent/sessions" / pi_folder(os.getcwd()) / f"2026-01-02T03-04-05-006Z_{ONE}.jsonl", "{}\n")

    assert resume_words("pi", path) == ("pi", "--session", ONE)
    monkeypatch.chdir(tmp_path)
    assert resume_words("pi", path) == ("pi", "--session", path)


def test_a_client_is_one_row(tmp_path, monkeypatch):
    """All that a new client needs is its row."""
    row = table.Client("kimi-code", lambda environment: (os.path.join(environment["HOME"], ".new"),), ("*/wire.jsonl",), id=lambda path: path[-12])
    monkeypatch.setattr(table, "CLIENTS", (row,))
    path = put(tmp_path / ".new/s1/wire.jsonl")

    assert found({"HOME": str(tmp_path)}) == {("kimi-code", path)}
    assert unread({"HOME": str(tmp_path)}) == []
