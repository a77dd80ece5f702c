"""The README's commands are run, and their output is what stands there."""

from __future__ import annotations

import html
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


PAGES = ("README.md", os.path.join("docs", "usage.md"))


def blocks(page: str) -> list[str]:
    with open(os.path.join(ROOT, page), encoding="utf-8") as handle:
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


def play_all(page: str, folder: str) -> list[str]:
    """Play all blocks of a page in one folder, in order: later ones build on earlier ones."""
    work, home = os.path.join(folder, "work"), os.path.join(folder, "home")
    os.mkdir(home)
    demo = shutil.copytree(os.path.join(ROOT, "fixtures", "demo"), os.path.join(work, "fixtures", "demo"))
    for name in os.listdir(demo):
        os.utime(os.path.join(demo, name), (1767225600, 1767225600))  # not in use any more
    return [play(block, work, home) for block in blocks(page)]


@pytest.mark.parametrize("page", PAGES)
def test_examples_are_real_runs(page: str, tmp_path: pathlib.Path) -> None:
    """Each console block of a page is what its commands print."""
    expected = ["\n".join(row.rstrip() for row in block.splitlines()) for block in blocks(page)]

    assert expected
    assert expected == [text.rstrip("\n") for text in play_all(page, str(tmp_path))]


def test_the_table_of_commands_has_all_of_them() -> None:
    """The README names every command, and no other."""
    from condense_cli.cli.commands import COMMANDS

    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as handle:
        table = re.findall(r"^\| (`.*?) \|", handle.read(), re.MULTILINE)
    named = {name for row in table for name in re.findall(r"`([a-z-]+)`", row)}

    assert named - {"condense"} == {row.name for row in COMMANDS}


def test_the_picture_shows_what_is_printed() -> None:
    """docs/terminal.svg has the words that the commands print now."""
    spec = importlib.util.spec_from_file_location("pictures", os.path.join(ROOT, "docs", "pictures.py"))
    assert spec is not None
    assert spec.loader is not None
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    with open(os.path.join(ROOT, "docs", "terminal.svg"), encoding="utf-8") as handle:
        drawn = re.sub(r"\s+", "", html.unescape(re.sub("<[^>]*>", "", handle.read().split("<g class", 1)[1])))
    said = re.sub(r"\s+", "", re.sub("\x1b\\[[0-9;]*m", "", "".join(pictures.lines())))

    assert said in drawn


def test_pictures_and_links_are_there() -> None:
    """What the README points to is in the repository."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as handle:
        for target in re.findall(r"\]\(([^)#:]+)\)", handle.read()):
            assert os.path.exists(os.path.join(ROOT, target)), target


def test_exit_codes_are_all_named() -> None:
    """The table of exit codes names every code, and no other."""
    from condense_cli.errors import ExitCode

    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as handle:
        named = re.findall(r"^\| (\d+) \| ", handle.read(), re.MULTILINE)

    assert [str(int(code)) for code in ExitCode] == named


if __name__ == "__main__":  # writes the blocks anew: python tests/test_readme.py
    import tempfile

    for one in PAGES:
        with tempfile.TemporaryDirectory() as top:
            told = iter(play_all(one, top))
        written = pathlib.Path(ROOT) / one
        text = written.read_text(encoding="utf-8")
        written.write_text(BLOCK.sub(lambda _, told=told: "```console\n" + next(told).rstrip("\n") + "\n```", text), encoding="utf-8")
