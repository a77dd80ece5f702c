"""What `condense mcp` takes."""

from __future__ import annotations


def mcp() -> None:
    """Answer an agent's requests on stdin and stdout (MCP): query, list_outputs, check_session. Extra `mcp`.

    It reads the sessions below this folder, and those of this project in the clients' stores; it writes nothing.
    """
