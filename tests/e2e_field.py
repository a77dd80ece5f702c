"""Resume sessions as they are and as they are repaired: no text is sent less, and nothing is refused after a repair.

    python tests/e2e_field.py --lab LAB --condense PROGRAM FOLDER...

Not a unit test; run by `make e2e` with the real clients over the sessions of pi, Claude Code and Codex in each folder,
damaged and sound ones.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

CLIENTS = {"pi": "pi", "claude-code": "claude", "codex": "codex"}
NOISE = ("<system-reminder>", "<environment_context>", "<skills_instructions>", "<user_instructions>", "<permissions", "# Environment", "No response requested.", "[Image removed: the API")
OWN_PROVIDER = re.compile(rb'("model_provider": ?")openai(")')
SAID = ("text", "content", "output", "arguments")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--lab", required=True)
    parser.add_argument("--condense", required=True)
    parser.add_argument("--only", default="", help="only sessions whose name contains this")
    options = parser.parse_args()
    jobs = [(client, path) for folder in options.folders for client, path in sessions(options, folder) if options.only in path]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="condense-e2e-field-") as work, ThreadPoolExecutor(2) as pool:
        for (client, path), problem in zip(jobs, pool.map(lambda job: compared(options, work, *job), jobs), strict=True):
            failed += bool(problem)
            print(f"{'FAILED' if problem else 'ok':7}{client:8}{os.path.basename(path)}  {problem}", flush=True)
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0


def sessions(options: argparse.Namespace, folder: str) -> list[tuple[str, str]]:
    """Return the client and the path of each session that one of the real clients has."""
    done = subprocess.run([options.condense, "check", "--json", "--unknown", "skip", folder], check=False, capture_output=True, text=True)
    files = json.loads(done.stdout)["files"]
    return [(CLIENTS[f["format"]], f["path"]) for f in files if f["format"] in CLIENTS and not f["error"]]


def compared(options: argparse.Namespace, work: str, client: str, path: str) -> str:
    """Resume a session before and after its repair; return what is worse, or nothing."""
    name = os.path.basename(path)
    folder = tempfile.mkdtemp(dir=work)
    old, new = os.path.join(folder, "old", name), os.path.join(folder, "new", name)
    for copy in (old, new):
        os.mkdir(os.path.dirname(copy))
    shutil.copyfile(path, old)
    done = subprocess.run([options.condense, "repair", old, "-o", new], check=False, capture_output=True, text=True)
    if done.returncode == 4:
        return ""  # refused, and nothing was written
    if done.returncode > 1:
        return f"repair: exit {done.returncode}: {done.stderr.strip()[-200:]}"
    if client == "codex":
        for copy in (old, new):
            ours(copy)
    opened, before = resumed(options, client, old)
    accepted, after = resumed(options, client, new)
    if not accepted:
        return "refused after the repair" if opened or after else ""  # a file that its client does not resume by itself
    lost = before - after
    return f"sent before and not after: {[text[:80] for text in lost][:3]}" if lost else ""


def ours(path: str) -> None:
    """Let a session be of the lab's provider: Codex resumes it with its own alone."""
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(OWN_PROVIDER.sub(rb"\1lab\2", data))


def resumed(options: argparse.Namespace, client: str, path: str) -> tuple[bool, Counter[str]]:
    """Resume a session; return whether its request was accepted, and the texts that were sent."""
    done = subprocess.run([sys.executable, os.path.join(options.lab, "resume.py"), client, path], check=False, capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
        with open(report["request_path"], encoding="utf-8") as file:
            request = json.load(file)
    except (ValueError, KeyError, TypeError, OSError):
        return done.returncode == 0, Counter()
    return done.returncode == 0, Counter(texts(request.get("messages") or request.get("input") or []))


def texts(value: object) -> list[str]:
    """Return what is said in a request: not what the client adds by itself, and no reasoning."""
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    if not isinstance(value, dict) or value.get("type") in ("thinking", "redacted_thinking", "reasoning"):
        return []
    found = [text for key in SAID for text in ([value[key]] if isinstance(value.get(key), str) else texts(value.get(key)))]
    return [text.strip() for text in found if text.strip() and not text.lstrip().startswith(NOISE)]


if __name__ == "__main__":
    sys.exit(main())
