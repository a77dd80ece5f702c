"""Repair every broken session of the lab, compact long ones, and resume them with the real clients.

Run by `make e2e`; not a unit test.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

APIS = {"pi": ("anthropic", "openai", "openai-responses"), "codex": ("openai-responses",), "claude": ("anthropic",)}
MORE = {  # clients whose sessions are repaired and resumed, and not compacted
    "cline": ("openai",),
    "copilot": ("openai",),
    "gemini": ("gemini",),
    "kimi": ("openai",),
    "kimi-code": ("openai",),
    "openclaw": ("openai",),
    "qwen": ("openai",),
}
DATABASE = {"opencode": ("anthropic", "openai")}  # their sessions are rows, repaired where they are
NOT_JSON = {"torn-end.json"}  # no client can import it, and no row can be torn
ASK = "List the files of the shop"
LIVE = {"hook-claude": "claude", "hook-pi": "pi", "mcp-claude": "claude"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab", required=True)
    parser.add_argument("--condense", required=True)
    parser.add_argument("--client", action="append", choices=[*APIS, *MORE, *DATABASE])
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    options = parser.parse_args()
    jobs = []
    compacted = [client for client in options.client or APIS if client in APIS]
    for client in options.client or [*APIS, *MORE, *DATABASE]:
        if client in DATABASE:
            folder = os.path.join(options.lab, "cases", client)
            jobs += [("database", client, os.path.join(folder, name), api) for name in sorted(set(os.listdir(folder)) - NOT_JSON) if options.only in name for api in DATABASE[client]]
        for name in sorted(os.listdir(os.path.join(options.lab, "more", client))) if client in MORE else ():
            jobs += [("repair", client, os.path.join(options.lab, "more", client, name), api) for api in MORE[client] if options.only in name]
    for client in compacted:
        folder = os.path.join(options.lab, "cases", client)
        jobs += [("repair", client, os.path.join(folder, name), api) for name in sorted(os.listdir(folder)) if options.only in name for api in APIS[client]]
        jobs += [("compact", client, path, api) for path in long_sessions(options.lab, client) if options.only in os.path.basename(path) for api in APIS[client]]
    jobs += [("live", client, scenario, "anthropic") for scenario, client in LIVE.items() if client in compacted and options.only in scenario]
    failed = 0
    jobs += [("fit", client, path, api) for client in compacted for path in long_sessions(options.lab, client) if options.only in os.path.basename(path) for api in APIS[client]]
    works = {"fit": resume_fitted, "repair": resume, "compact": resume_compacted, "live": live, "database": resume_rows}
    options.lab, options.condense = os.path.abspath(options.lab), os.path.abspath(options.condense)
    with tempfile.TemporaryDirectory(prefix="condense-e2e-") as work, ThreadPoolExecutor(2) as pool:
        for (kind, client, path, api), problem in zip(jobs, pool.map(lambda job: works[job[0]](options, work, *job[1:]), jobs), strict=True):
            failed += bool(problem)
            print(f"{'FAILED' if problem else 'ok':7}{kind:9}{client:10}{api:18}{os.path.basename(path)}  {problem}", flush=True)
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0


def long_sessions(lab: str, client: str) -> list[str]:
    """Return sessions of several chains: recorded ones for pi, made ones for the others."""
    if client == "pi":
        folder = os.path.join(os.path.dirname(lab), "golden-2.11", "compact")
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".jsonl")]
    from tests.conversations import chains, written

    folder = tempfile.mkdtemp(prefix="condense-e2e-long-")
    return [str(written(pathlib.Path(folder), {"claude": "claude-code"}.get(client, client), chains(6)))]


def resume(options: argparse.Namespace, work: str, client: str, path: str, api: str) -> str:
    """Repair a copy and resume it; return what went wrong, or nothing."""
    copy = os.path.join(work, f"{client}-{api}-{os.path.basename(path)}")
    return condense(options, "repair", path, "-o", copy) or resumed(options, client, copy, api, texts(path))


def resume_compacted(options: argparse.Namespace, work: str, client: str, path: str, api: str) -> str:
    """Compress all closed chains of a sound copy and resume it."""
    sound = os.path.join(work, f"{client}-{api}-sound-{os.path.basename(path)}")
    copy = os.path.join(work, f"{client}-{api}-compact-{os.path.basename(path)}")
    problem = condense(options, "repair", path, "-o", sound) or condense(options, "compact", sound, "--window", "0", "-o", copy)
    return problem or resumed(options, client, copy, api, [])


def resume_fitted(options: argparse.Namespace, work: str, client: str, path: str, api: str) -> str:
    """Compact a sound copy in place until its request is small, resume it, and take the compaction back byte for byte."""
    sound = os.path.join(work, f"{client}-{api}-fit-{os.path.basename(path)}")
    problem = condense(options, "repair", path, "-o", sound)
    if problem:
        return problem
    with open(sound, "rb") as file:
        before = file.read()
    small = subprocess.run([options.condense, "compact", sound, "--target-tokens", "1"], check=False, capture_output=True, text=True).stderr
    least = re.search(r"about (\d+) tokens are left", small)
    if not least:
        return f"compact: {small[-200:]}"
    environment = {**os.environ, "XDG_STATE_HOME": os.path.join(work, "state")}
    words = ("compact", "-i", "--force", "--target-tokens", least[1], sound)
    done = subprocess.run([options.condense, *words], check=False, capture_output=True, text=True, env=environment)
    if done.returncode:
        return f"compact: {done.stderr[-200:]}"
    problem = resumed(options, client, sound, api, [])
    entry = re.search(r"condense undo (\S+)", done.stderr)
    if entry:
        subprocess.run([options.condense, "undo", "--force", entry[1]], check=False, capture_output=True, env=environment)
    with open(sound, "rb") as file:
        return problem or ("" if file.read() == before else "undo did not give the session back")


def live(options: argparse.Namespace, _work: str, _client: str, scenario: str, _api: str) -> str:
    """Go through a scenario of tests/e2e_live.py; return what went wrong, or nothing."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "e2e_live.py")
    done = subprocess.run([sys.executable, script, scenario, "--lab", options.lab, "--condense", options.condense], check=False, capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip()[-300:] or f"exit {done.returncode}"


def resume_rows(options: argparse.Namespace, _work: str, client: str, path: str, api: str) -> str:
    """Repair a session in the client's own database and resume it there."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"e2e_{client}.py")
    return ended([sys.executable, script, options.lab, options.condense, path, "--provider", api], texts(path))


def condense(options: argparse.Namespace, *words: str) -> str:
    """Run a command of condense; return what went wrong, or nothing."""
    done = subprocess.run([options.condense, *words], check=False, capture_output=True, text=True)
    return "" if done.returncode in (0, 1) else f"{words[0]}: exit {done.returncode}: {done.stderr.strip()[-200:]}"


def resumed(options: argparse.Namespace, client: str, path: str, api: str, expected: list[str]) -> str:
    """Resume a session with the real client; return why its request was not accepted, or nothing."""
    return ended([sys.executable, os.path.join(options.lab, "resume.py"), client, path, "--provider", api], expected)


def ended(command: list[str], expected: list[str]) -> str:
    """Run a resumption; return why its request was not accepted, or which text is not in it, or nothing."""
    for text in expected:
        command += ["--expect", text]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return (done.stdout + done.stderr)[-200:]
    return "; ".join(f"{v['rule']}: {v['message'][:100]}" for v in report.get("violations", [])) or str(report.get("said") or report.get("error"))[-200:]


def texts(path: str) -> list[str]:
    """Return texts of the made conversation that the request must hold, because they can be read in the broken file."""
    with open(path, encoding="utf-8", errors="replace") as handle:
        data = handle.read().replace('":"', '": "')  # whether it was written with blanks or without
    compacted = '"type": "compaction"' in data or '"type": "compacted"' in data
    aborted = '"stopReason": "aborted"' in data  # pi sends neither such a turn nor what it was answered
    said = [text for text in ("src tests", "It has src and tests.") if f'"text": "{text}"' in data or f'"output": "{text}"' in data or f'"content": "{text}"' in data]
    return [ASK] * (f'"{ASK}' in data or f">{ASK}" in data) + said * (not compacted and not aborted)


if __name__ == "__main__":
    sys.exit(main())
