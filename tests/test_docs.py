"""The pages of docs/ are written from the program's own tables."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def test_pages_are_what_the_tables_say() -> None:
    """`python docs/generate.py --check` finds nothing to write."""
    done = subprocess.run([sys.executable, "docs/generate.py", "--check"], check=False, cwd=ROOT, capture_output=True, text=True)

    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize("page", ["datasets", "library"])
def test_python_in_pages_runs(page: str) -> None:
    """The Python blocks of a page run, one after the other."""
    text = (Path(ROOT) / "docs" / f"{page}.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)

    assert blocks
    exec("\n".join(blocks), {})
