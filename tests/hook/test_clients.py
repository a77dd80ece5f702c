"""Where clients keep their hooks."""

from condense_cli.hook.clients import CLIENTS, groups


def test_settings_are_where_the_client_reads_them():
    """The variables that move a client's folder are followed."""
    environment = {"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x"}
    places = {name: client.path(environment) for name, client in CLIENTS.items()}
    assert places == {
        "claude-code": "/c/settings.json",
        "codex": "/x/hooks.json",
        "gemini": "/h/.gemini/settings.json",
        "qwen": "/h/.qwen/settings.json",
        "pi": "/h/.pi/agent/extensions/condense.ts",
    }


def test_a_hook_runs_when_a_session_is_resumed_and_when_it_rests():
    """Timeouts are in the client's unit."""
    found = groups(CLIENTS["claude-code"], "condense hook")
    assert list(found) == ["SessionStart", "Stop", "SessionEnd", "PreCompact"]
    assert found["SessionStart"] == {"matcher": "resume", "hooks": [{"type": "command", "command": "condense hook", "timeout": 5}]}
    assert groups(CLIENTS["gemini"], "x")["AfterAgent"]["hooks"][0]["timeout"] == 5000
