"""`condense mcp` from the command line; what it answers is tested with the SDK's client."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp.server.mcpserver")


@pytest.mark.slow
def test_it_ends_when_its_client_is_gone():
    """Nothing on standard output that is no answer."""
    done = subprocess.run([sys.executable, "-m", "condense_cli", "mcp"], stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd=Path(__file__).parents[2])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
