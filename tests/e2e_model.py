"""Compare what condense says that a client sends with what the client sends, of sessions as they are: damaged, sound.

    python tests/e2e_model.py --lab LAB --condense PROGRAM [--client CLIENT] [--only NAME] [FOLDER...]

The proof of a repair rests on this model (check/client_texts.py). Run by `make e2e` over the lab's sessions and over
those of each folder; not a unit test. A session for which the client sends no request is counted and not compared.
The two may differ where check finds something: a client may leave out what a finding names, or what a damaged file
hides; and what it sends beyond the model must be in the model of the repaired session, so that no repair loses it.
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
from typing import Any, NamedTuple

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from condense_cli.check.client_texts import sent
from condense_cli.check.engine import check
from condense_cli.errors import CondenseError
from condense_cli.formats.read import read_document
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.rule import Layer
from condense_cli.storage.source import open_source
from tests.e2e_field import ours

CLIENTS = {
    "pi": "pi", "claude-code": "claude", "codex": "codex", "opencode": "opencode", "qwen": "qwen", "gemini": "gemini",
    "kimi": "kimi", "kimi-code": "kimi-code", "copilot": "copilot", "cline": "cline", "openclaw": "openclaw",
}  # fmt: skip
OWN = (  # how texts begin that clients add to a request by themselves
    "<system-reminder>", "<environment_context>", "<skills_instructions>", "<user_instructions>", "<permissions",
    "# Environment", "<session_context>", "<current_datetime>", "No response requested.", "(no content)",
    "[Image removed: the API", "image content omitted", "[Tool call interrupted", "No result provided", "aborted",
    "Tool execution result was not recorded", "<system>ERROR: Tool execution failed.", "[Tool execution was interrupted]",
    "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "The execution of this tool, or a previous tool was interrupt", "Tool execution was interrupted before",
)  # fmt: skip
FILE = frozenset({Layer.LINE, Layer.HEADER, Layer.TREE})
HALF = re.compile("[\ud800-\udfff\ufffd]")  # halves of surrogate pairs: clients replace them or take them out
ASKED = re.compile(r"(\[[^\]]*\] )?continue")  # what the lab asks now
Said = Counter[str]


class Model(NamedTuple):
    """What a session sends as condense sees it: all, what findings name, and reasoning, which may be sent as text."""

    client: str
    said: Said
    named: Said
    reasoning: Said
    damaged: bool  # lines, header or tree: a client may send less of the rest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--lab", required=True)
    parser.add_argument("--condense", required=True)
    parser.add_argument("--client", action="append", choices=CLIENTS.values())
    parser.add_argument("--only", default="", help="only sessions whose name contains this")
    options = parser.parse_args()
    folders = [os.path.join(options.lab, part, client) for part in ("cases", "more") for client in CLIENTS.values()]
    paths = [os.path.join(folder, name) for folder in [*folders, *options.folders] if os.path.isdir(folder) for name in sorted(os.listdir(folder))]
    wanted = options.client or list(CLIENTS.values())
    jobs = [(path, model) for path in paths if options.only in path if (model := modelled(path)) and model.client in wanted]
    outcomes: Said = Counter()
    with ThreadPoolExecutor(2) as pool:
        for (path, model), (outcome, problem) in zip(jobs, pool.map(lambda job: judged(options, *job), jobs), strict=True):
            outcomes[outcome] += 1
            print(f"{outcome:11}{model.client:10}{os.path.basename(path)}  {problem}", flush=True)
    print(", ".join(f"{number} {outcome}" for outcome, number in outcomes.items()))
    return 1 if outcomes["FAILED"] else 0


def judged(options: argparse.Namespace, path: str, model: Model) -> tuple[str, str]:
    """Resume a session as it is and compare its request with the model; return the outcome and what differs."""
    real = requested(options.lab, model.client, path)
    if real is None:
        return "no request", ""
    problem = compared(model, real, repaired(options.condense, path))
    return ("FAILED", problem) if problem else ("ok", "")


def modelled(path: str) -> Model | None:
    """Return what condense says that a session sends, or nothing of what is no session of a client of the lab."""
    try:
        with open_source(path) as source:
            document = read_document(path, source, "openclaw" if f"{os.sep}openclaw{os.sep}" in path else "auto")
            findings = check(document, [document.format.contract]).findings
            places = {finding.line for finding in findings} | {finding.call_id for finding in findings} - {None}
            all_said, named, reasoning = Counter[str](), Counter[str](), Counter[str]()
            for message in sent(document):
                for block in document.format.turn(document, message).blocks:
                    all_said.update(found := words(block))
                    if {(block.record or message.record).line, block.id} & places:
                        named.update(found)
                    if block.kind == "thinking":
                        reasoning.update(plain(block.text))
            damaged = any(RULES[finding.rule].layer in FILE for finding in findings)
            return Model(CLIENTS[document.format.name], all_said, named, reasoning, damaged)
    except (CondenseError, KeyError):
        return None


def repaired(condense: str, path: str) -> Said:
    """Return what condense says that the session sends after its repair."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, os.path.basename(path))
        subprocess.run([condense, "repair", "-q", path, "-o", copy], check=False, capture_output=True)
        model = modelled(copy) if os.path.exists(copy) else None
        return model.said if model else Counter()


def words(block: Any) -> list[str]:
    """Return what a block says: texts, a call's name and arguments, the texts of a result; no reasoning, no images."""
    if block.kind == "text":
        return plain(block.text)
    if block.kind == "call":
        return [f"{block.name}({canonical(block.arguments)})"]
    return [text for part in block.inner for text in words(part)] if block.kind == "result" else []


def requested(lab: str, client: str, path: str) -> Said | None:
    """Resume a copy of a session and return what its client sent, or None where it sent nothing."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copyfile(path, os.path.join(folder, os.path.basename(path)))
        if client == "codex":
            ours(copy)
        return request_of(lab, client, copy)


def request_of(lab: str, client: str, path: str) -> Said | None:
    """Return what the client sends of this very file."""
    done = subprocess.run([sys.executable, os.path.join(lab, "resume.py"), client, path], check=False, capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
        with open(report["request_path"], encoding="utf-8") as file:
            request = json.load(file)
    except (ValueError, KeyError, TypeError, OSError):
        return None
    return Counter(said(request.get("messages") or request.get("input") or request.get("contents") or []))


def said(value: Any) -> list[str]:
    """Return the same of a request of any API."""
    if isinstance(value, list):
        return [text for one in value for text in said(one)]
    if isinstance(value, str):
        return plain(value)
    if not isinstance(value, dict) or value.get("role") in ("system", "developer"):
        return []
    if value.get("type") in ("thinking", "redacted_thinking", "reasoning") or value.get("thought"):
        return []
    return called(value) + [text for key in ("text", "content", "output", "parts") for text in said(value.get(key))]


def called(value: dict[str, Any]) -> list[str]:
    """Return the calls and results of a part: each API has its own keys."""
    if value.get("type") in ("tool_use", "server_tool_use"):
        return [f"{value['name']}({canonical(value['input'])})"]
    if value.get("type") == "function_call":
        return [f"{value['name']}({canonical(value['arguments'])})"]
    found = [f"{one['function']['name']}({canonical(one['function']['arguments'])})" for one in value.get("tool_calls") or []]
    if isinstance(call := value.get("functionCall"), dict):
        found.append(f"{call['name']}({canonical(call.get('args'))})")
    if isinstance(answer := value.get("functionResponse"), dict):
        found += plain(answer["response"].get("output") or answer["response"].get("error") or json.dumps(answer["response"]))
    return found


def canonical(arguments: Any) -> str:
    """Return arguments as one spelling of their JSON, whether they are kept as a text or as values."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return arguments
    return json.dumps(arguments or {}, sort_keys=True)


def plain(text: str) -> list[str]:
    """Return a text as it is compared: not what the client adds by itself, and JSON in one spelling."""
    text = HALF.sub("", text).strip()
    if text.startswith(("[{", "{")):
        try:
            value = json.loads(text)
        except ValueError:
            return [text]
        parts = value if isinstance(value, list) else [value]
        return [text for one in parts for text in (plain(one["text"]) if "text" in one else [canonical(one)])]
    return [text] if text and not text.startswith(OWN) else []


def compared(model: Model, real: Said, later: Said) -> str:
    """Return what only one of the two says and nothing explains, or nothing."""
    more, less = real - model.said, model.said - real
    more = Counter({text: number for text, number in more.items() if not ASKED.fullmatch(text)})
    for other in +more:  # texts that the client joins, or puts into an envelope, or takes out of one
        inside = [text for text in +less if text in other or other in text]
        less.subtract(inside)
        more[other] -= bool(inside)
    parts = {"sent, and not in the model": more - model.reasoning - (later - model.said), "in the model, and not sent": Counter() if model.damaged else less - model.named}
    return "; ".join(f"{what}: {[text[:60] for text in texts][:4]}" for what, texts in parts.items() if texts)


if __name__ == "__main__":
    sys.exit(main())
