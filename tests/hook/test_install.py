"""Installing and removing: byte for byte."""

import json
import subprocess
from pathlib import Path

import pytest
from condense_cli.errors import UsageError
from condense_cli.hook import install
from condense_cli.hook.clients import CLIENTS

OLD = b'{"model": "opus",\n "permissions": {"allow": ["Bash"]}}'


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """A home and a state folder of their own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return {"HOME": str(tmp_path)}


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("before", [None, OLD])
def test_removing_gives_the_settings_back(name, before, environment):
    """As they were, or gone where there were none."""
    path = Path(CLIENTS[name].path(environment))
    if before is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(before)
    change = install.installing(name, environment)
    assert change.before == before
    install.install(change)
    assert path.read_bytes() == change.after != before
    install.remove(install.removing(name, environment))
    assert (path.read_bytes() if path.exists() else None) == before


def test_installing_twice_still_gives_the_first_settings_back(environment):
    """The second installation keeps nothing of its own."""
    path = Path(CLIENTS["claude-code"].path(environment))
    path.parent.mkdir()
    path.write_bytes(OLD)
    for _ in range(2):
        install.install(install.installing("claude-code", environment))
    install.remove(install.removing("claude-code", environment))
    assert path.read_bytes() == OLD


def test_settings_that_were_changed_meanwhile_only_lose_the_hook(environment):
    """What the user added stays."""
    path = Path(CLIENTS["claude-code"].path(environment))
    install.install(install.installing("claude-code", environment))
    value = {**json.loads(path.read_bytes()), "model": "opus"}
    path.write_text(json.dumps(value))
    install.remove(install.removing("claude-code", environment))
    assert json.loads(path.read_bytes()) == {"model": "opus"}


def test_a_link_stays_a_link(environment, tmp_path):
    """Settings that are kept elsewhere are changed there."""
    path = Path(CLIENTS["claude-code"].path(environment))
    path.parent.mkdir()
    (tmp_path / "dotfiles.json").write_bytes(OLD)
    path.symlink_to(tmp_path / "dotfiles.json")
    install.install(install.installing("claude-code", environment))
    assert path.is_symlink()
    assert b"condense" in (tmp_path / "dotfiles.json").read_bytes()


def test_the_command_of_the_hook_runs(environment):
    """Through a shell, as clients run it: an event about nothing is answered with nothing."""
    group = json.loads(install.installing("claude-code", environment).after)["hooks"]["Stop"][0]
    done = subprocess.run(group["hooks"][0]["command"], shell=True, input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_the_extension_of_pi_names_the_command(environment):
    """The words that run condense are in it."""
    text = install.installing("pi", environment).after.decode()
    assert f"COMMAND: string[] = {json.dumps(install.own_command())};" in text


def test_a_client_without_hooks_is_refused():
    """With the names of those that have some."""
    with pytest.raises(UsageError, match="no client"):
        install.client_of("emacs")
