"""Draw the pictures of the README from real runs: python docs/pictures.py.

docs/terminal.svg is a terminal of 80 columns, with colour; docs/view.png the page of `view` in Chromium, if there is one.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
PICTURE = HERE / "terminal.svg"
PAGE = HERE / "view.png"
COMMANDS = (("check", "bricked.jsonl"), ("repair", "bricked.jsonl"))
_LINK = re.compile("\x1b\\]8;[^\x1b]*\x1b\\\\")


def lines() -> list[str]:
    """Return what the commands print, with the escapes of a terminal."""
    out: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(HERE.parent / "fixtures" / "demo" / "bricked.jsonl", folder)
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "GITHUB_ACTIONS")}
        environment |= {"TERM": "xterm", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "HOME": folder, "XDG_STATE_HOME": folder}
        for words in COMMANDS:
            command = [sys.executable, "-m", "condense_cli", "--color", "always", *words]
            done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True, encoding="utf-8")  # noqa: S603 - our own commands
            out += [f"\x1b[1m$ condense {' '.join(words)}\x1b[0m", *_LINK.sub("", done.stdout + done.stderr).splitlines(), ""]
    return out[:-1]


def svg() -> str:
    """Return the picture."""
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor", legacy_windows=False)
    for line in lines():
        console.print(Text.from_ansi(line), soft_wrap=False)
    return console.export_svg(title="condense", unique_id="condense")


def photograph(chromium: str) -> None:
    """Let Chromium make a picture of the page of `view`."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        shutil.copy(HERE.parent / "fixtures" / "demo" / "bricked.jsonl", folder)
        subprocess.run([sys.executable, "-m", "condense_cli", "view", "bricked.jsonl", "-o", str(page)], check=True, capture_output=True, cwd=folder)  # noqa: S603 - our own command
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=900,640", f"--user-data-dir={folder}/profile")
        subprocess.run([chromium, *options, f"--screenshot={PAGE}", page.as_uri()], check=True, capture_output=True)  # noqa: S603 - the user's browser


if __name__ == "__main__":
    PICTURE.write_text(svg(), encoding="utf-8")
    if browser := shutil.which("chromium") or shutil.which("google-chrome"):
        photograph(browser)
