"""Every call to the system fails once and is interrupted once, in every command that writes (tests/faults.py)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults import COMMANDS

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def sweep(command, most=0):
    """Run all points of a command, or about so many; return how many there were and what went wrong."""
    words = [sys.executable, "-m", "tests.faults", command, str(most)]
    done = subprocess.run(words, cwd=Path(__file__).parent.parent, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1]).values()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_sample_of_the_faults(command):
    """Fifty points of each command that writes."""
    done, wrong = sweep(command, 50)
    assert done >= 40
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_fault_at_every_call(command):
    """Thousands of points: old or new bytes, undo after new, true words, nothing left."""
    done, wrong = sweep(command)
    assert done > 500
    assert not wrong, f"{len(wrong)} of {done}\n" + "\n".join(wrong[:40])
