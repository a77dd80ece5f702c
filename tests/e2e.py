"""Repair every broken session of the lab and resume it with the real client. Run by `make e2e`; not a unit test."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

APIS = {"pi": ("anthropic", "openai", "openai-responses"), "codex": ("openai-responses",), "claude": ("anthropic",)}
ASK = "List the files of the shop"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab", required=True)
    parser.add_argument("--condense", required=True)
    parser.add_argument("--client", action="append", choices=APIS)
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    options = parser.parse_args()
    jobs = []
    for client in options.client or APIS:
        folder = os.path.join(options.lab, "cases", client)
        jobs += [(client, os.path.join(folder, name), api) for name in sorted(os.listdir(folder)) if options.only in name for api in APIS[client]]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="condense-e2e-") as work, ThreadPoolExecutor(2) as pool:
        for (client, path, api), problem in zip(jobs, pool.map(lambda job: resume(options, work, *job), jobs), strict=True):
            failed += bool(problem)
            print(f"{'FAILED' if problem else 'ok':7}{client:8}{api:18}{os.path.basename(path)}  {problem}", flush=True)
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0


def resume(options: argparse.Namespace, work: str, client: str, path: str, api: str) -> str:
    """Repair a copy and resume it; return what went wrong, or nothing."""
    copy = os.path.join(work, f"{client}-{api}-{os.path.basename(path)}")
    done = subprocess.run([options.condense, "repair", path, "-o", copy], check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return f"repair: exit {done.returncode}: {done.stderr.strip()[-200:]}"
    command = [sys.executable, os.path.join(options.lab, "resume.py"), client, copy, "--provider", api]
    for text in texts(path):
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
        data = handle.read()
    compacted = '"type": "compaction"' in data or '"type": "compacted"' in data
    said = [text for text in ("src tests", "It has src and tests.") if f'"text": "{text}"' in data or f'"output": "{text}"' in data or f'"content": "{text}"' in data]
    return [ASK] * (f'"{ASK}' in data) + said * (not compacted)


if __name__ == "__main__":
    sys.exit(main())
