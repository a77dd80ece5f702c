"""Where Cline keeps its sessions, and the tasks of its versions for editors; Roo Code's tasks are kept likewise."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from condense_cli.storage.clients.client import Client, folder_name
from condense_cli.storage.clients.folders import Environment, head, home, same_folder, settings

_HISTORY = "api_conversation_history.json"
_MESSAGES = ".messages.json"
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".vscodium-server", ".cursor-server", ".windsurf-server")
_CWD = re.compile(r"# Current (?:Working|Workspace) Directory \((.+?)\)")


def _tasks(environment: Environment, *extensions: str) -> Iterator[str]:
    """Yield the folders in which editors keep the tasks of extensions."""
    users = [os.path.join(_applications(environment), editor, "User") for editor in _EDITORS]
    users += [home(environment, "", server, "data", "User") for server in _SERVERS]
    for user in users:
        for extension in extensions:
            yield os.path.join(user, "globalStorage", extension, "tasks")


def _applications(environment: Environment) -> str:
    if sys.platform == "darwin":
        return home(environment, "", "Library", "Application Support")
    if sys.platform == "win32":
        return home(environment, "APPDATA", "AppData", "Roaming")
    return home(environment, "XDG_CONFIG_HOME", ".config")


def _excluded(path: str) -> bool:
    """Exclude the messages of sub-agents, which are beside those of their session."""
    name = os.path.basename(path)
    return name.endswith(_MESSAGES) and name != folder_name(path) + _MESSAGES


def _of(client: Client, cwd: str, environment: Environment) -> Iterator[str]:
    for root in client.roots(environment):
        for path in client.sessions(root):
            named = _folder(path)
            if named is not None and same_folder(named, cwd):
                yield path


def _folder(path: str) -> str | None:
    """Return the working folder that the manifest beside a session names, or the first request of a task."""
    if path.endswith(_MESSAGES):
        cwd = settings(path.removesuffix(_MESSAGES) + ".json").get("cwd")
        return cwd if isinstance(cwd, str) else None
    found = _CWD.search(head(path).decode("utf-8", "replace"))
    return found[1].replace("\\\\", "\\") if found else None


# ---------------------------------------------------------------------- cline
def _cline_roots(environment: Environment) -> tuple[str, ...]:
    data = home(environment, "CLINE_DATA_DIR", os.path.join(home(environment, "CLINE_DIR", ".cline"), "data"))
    sessions = home(environment, "CLINE_SESSION_DATA_DIR", os.path.join(data, "sessions"))
    return (sessions, os.path.join(data, "tasks"), *_tasks(environment, "saoudrizwan.claude-dev"))


def _cline_here(cwd: str, environment: Environment) -> Iterator[str]:
    return _of(CLINE, cwd, environment)


CLINE = Client(
    "cline",
    roots=_cline_roots,
    patterns=(f"*/*{_MESSAGES}", f"*/{_HISTORY}"),
    here=_cline_here,
    excluded=_excluded,
    id=folder_name,
    resume=("cline", "--id", "{id}"),
    resumes=lambda path: path.endswith(_MESSAGES),  # tasks are opened in the editor
)


# ---------------------------------------------------------------------- roo
_ROO = ("rooveterinaryinc.roo-cline", "zoocodeorganization.zoo-code", "kilocode.kilo-code")


def _roo_roots(environment: Environment) -> tuple[str, ...]:
    return tuple(_tasks(environment, *_ROO))


def _roo_here(cwd: str, environment: Environment) -> Iterator[str]:
    return _of(ROO, cwd, environment)


ROO = Client("roo", roots=_roo_roots, patterns=(f"*/{_HISTORY}",), here=_roo_here, id=folder_name)
