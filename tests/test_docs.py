"""The pages of docs/ are written from the program's own tables."""

from __future__ import annotations

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def test_pages_are_what_the_tables_say() -> None:
    """`python docs/generate.py --check` finds nothing to write."""
    done = subprocess.run([sys.executable, "docs/generate.py", "--check"], check=False, cwd=ROOT, capture_output=True, text=True)

    assert done.stderr == ""
    assert done.returncode == 0
