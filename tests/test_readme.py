"""The README's commands are run, and their output is what stands there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[str]:
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as handle:
        return BLOCK.findall(handle.read())


def run(words: list[str], folder: str, home: str) -> str:
    """Run one command as a user at 80 columns without colour; return what both streams said, stdout first."""
    env = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "GITHUB_ACTIONS", "CONDENSE_SESSION")}
    env |= {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb", "HOME": home, "XDG_STATE_HOME": os.path.join(home, "state"), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-m", "condense_cli", *words[1:]], cwd=folder, env=env, stdin=subprocess.DEVNULL, check=False, capture_output=True)
    return (done.stdout + done.stderr).decode()


def play(script: str, folder: str, home: str) -> str:
    """Run the commands of a block and return the block with their output."""
    out = []
    for line in script.splitlines():
        if line.startswith("$ "):
            said = run(shlex.split(line[2:]), folder, home)
            out.append(line + "\n" + "\n".join(row.rstrip() for row in said.splitlines()) + ("\n" if said else ""))
    text = "".join(out).replace(folder + os.sep, "").replace(os.path.realpath(folder) + os.sep, "")
    return re.sub(r"\d{8}-\d{6}-[0-9a-f]{4}", "20261130-120000-1a2b", text)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Play all blocks in one folder, in order: later ones build on earlier ones."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(os.path.join(ROOT, "fixtures", "demo"), folder / "fixtures" / "demo")
    for name in os.listdir(folder / "fixtures" / "demo"):
        os.utime(folder / "fixtures" / "demo" / name, (1767225600, 1767225600))  # not live any more
    home = str(tmp_path_factory.mktemp("home"))
    return [play(block, str(folder), home) for block in blocks()]


def test_examples_are_real_runs(played: list[str]) -> None:
    """Each console block of the README is what its commands print."""
    expected = ["\n".join(row.rstrip() for row in block.splitlines()) + "\n" for block in blocks()]

    assert [text.rstrip("\n") for text in expected] == [text.rstrip("\n") for text in played]


def test_exit_codes_are_all_named() -> None:
    """The table of exit codes names every code, and no other."""
    from condense_cli.errors import ExitCode

    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as handle:
        named = re.findall(r"^\| (\d+) \| ", handle.read(), re.MULTILINE)

    assert [str(int(code)) for code in ExitCode] == named


if __name__ == "__main__":  # writes the README's blocks anew: python tests/test_readme.py
    import pathlib
    import tempfile

    with tempfile.TemporaryDirectory() as work:
        place = pathlib.Path(work)
        shutil.copytree(os.path.join(ROOT, "fixtures", "demo"), place / "fixtures" / "demo")
        for one in (place / "fixtures" / "demo").iterdir():
            os.utime(one, (1767225600, 1767225600))
        (place / "home").mkdir()
        path = pathlib.Path(ROOT) / "README.md"
        text = path.read_text(encoding="utf-8")
        path.write_text(BLOCK.sub(lambda m: "```console\n" + play(m[1], work, str(place / "home")).rstrip("\n") + "\n```", text), encoding="utf-8")
