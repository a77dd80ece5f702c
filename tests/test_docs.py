"""The pages of docs/ are written from the program's own tables."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tokenize
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


ALIAS = '"mend"'  # what people type for repair
REPLACED = {
    "behind": "after",
    "hang": "reparent",
    "hangs": "is a child of",
    "heir": "next record",
    "in front of": "before",
    "lights": "outlines",
    "look past": "leave aside",
    "mend": "repair",
    "mended": "repaired",
    "mends": "repairs",
    "minds": "rejects",
    "overtaken": "followed",
    "settle": "emit",
    "stands": "is",
    "stood": "was",
    "teller": "result texts",
    "twins": "records with one id",
    "wishes": "asked",
}
"""Words that were used for an idea which has one in CONTRIBUTING.md, and that word."""


def prose(path: Path) -> list[tuple[int, str]]:
    """Return the names, comments and texts of a module with their lines, but for notes that are written into sessions."""
    texts = {tokenize.COMMENT, tokenize.NAME, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    with path.open("rb") as file:
        return [
            (token.start[0], token.string.replace("_", " ").lower())
            for token in tokenize.tokenize(file.readline)
            if token.type in texts and token.string != ALIAS and not token.string.startswith('"[condense]')
        ]


def test_one_word_for_one_idea() -> None:
    """Names, comments, docstrings, messages and the pages use none of the words that were replaced."""
    pattern = re.compile(rf"\b({'|'.join(REPLACED)})\b")
    pages = [*(Path(ROOT) / "docs").glob("*.md"), Path(ROOT) / "README.md", Path(ROOT) / "CONTRIBUTING.md"]
    said = [(path, number, text.lower()) for path in pages for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)]
    found = [f"{path.name}:{line}: {match[0]} → {REPLACED[match[0]]}" for path, line, text in said if (match := pattern.search(text))]
    found += [
        f"{path.relative_to(ROOT)}:{line}: {match[0]} → {REPLACED[match[0]]}"
        for path in sorted((Path(ROOT) / "condense_cli").rglob("*.py"))
        for line, text in prose(path)
        if (match := pattern.search(text))
    ]

    assert found == []


def test_help_uses_the_same_words() -> None:
    """So does what the program says of its commands."""
    pattern = re.compile(rf"\b({'|'.join(REPLACED)})\b")
    manual = (Path(ROOT) / "docs" / "condense.1").read_text(encoding="utf-8").lower()

    assert pattern.findall(manual) == []
