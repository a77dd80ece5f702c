"""Sessions to measure with: sound, deterministic, of about the size that is asked for."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator

Make = Callable[[str, int], None]

WORDS = ["the", "cart", "returns", "zero", "when", "stock", "is", "empty", "and", "checkout", "fails", "because", "a", "price", "was", "never", "read", "from", "the", "file", "again"]


def text(rng: random.Random, size: int) -> str:
    """Make about `size` characters that look like tool output: words, paths, numbers, line breaks, some escapes."""
    lines, done = [], 0
    while done < size:
        line = f"{rng.choice(['src', 'tests', 'lib'])}/{rng.choice(WORDS)}_{rng.randrange(999)}.py:{rng.randrange(900)}:\t" + " ".join(rng.choices(WORDS, k=rng.randrange(4, 14)))
        if rng.random() < 0.2:  # noqa: PLR2004
            line += ' "quoted" → ok'
        lines.append(line)
        done += len(line) + 1
    return "\n".join(lines)


def sizes(rng: random.Random) -> int:
    """Sizes of tool outputs as they are in recorded sessions: many small ones, some of tens of kilobytes."""
    return int(min(60_000, rng.lognormvariate(7.6, 1.4)))


def entry_id(n: int) -> str:
    """Return the id of the n-th entry: another one for each, and as far apart as random ones are."""
    return f"{n * 2654435761 % (1 << 32):08x}"


def pi(path: str, target: int) -> None:
    """Write a sound pi session of about `target` bytes: user turns of several calls each."""
    rng = random.Random(7)
    with open(path, "w", encoding="utf-8") as out:
        written = out.write(json.dumps({"type": "session", "version": 3, "id": str(uuid.UUID(int=7)), "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/home/dev/shop"}, separators=(",", ":")) + "\n")
        state = {"n": 0, "time": 1767225600000}

        def entry(message: dict) -> int:
            state["n"] += 1
            state["time"] += 1000
            row = {"type": "message", "id": entry_id(state["n"]), "parentId": entry_id(state["n"] - 1) if state["n"] > 1 else None, "timestamp": "2026-01-01T00:00:00.000Z", "message": {**message, "timestamp": state["time"]}}
            return out.write(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n")

        usage = {"input": 905, "output": 45, "cacheRead": 12000, "cacheWrite": 300, "totalTokens": 13250, "cost": {"input": 0.0027, "output": 0.0007, "cacheRead": 0.0036, "cacheWrite": 0.0011, "total": 0.0081}}
        while written < target:
            written += entry({"role": "user", "content": [{"type": "text", "text": text(rng, 300)}]})
            for _ in range(rng.randrange(2, 9)):
                calls = [
                    {"type": "toolCall", "id": f"toolu_{rng.getrandbits(96):024x}", "name": rng.choice(["bash", "read", "edit"]), "arguments": {"command": text(rng, 80), "path": "src/cart.py"}}
                    for _ in range(1 if rng.random() < 0.8 else 2)  # noqa: PLR2004
                ]
                thinking = {"type": "thinking", "thinking": text(rng, 400), "thinkingSignature": "Er0C" + "A" * 300}
                written += entry({"role": "assistant", "content": [thinking, {"type": "text", "text": text(rng, 120)}, *calls], "api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5", "usage": usage, "stopReason": "toolUse"})
                for call in calls:
                    written += entry({"role": "toolResult", "toolCallId": call["id"], "toolName": call["name"], "content": [{"type": "text", "text": text(rng, sizes(rng))}], "isError": False})
            written += entry({"role": "assistant", "content": [{"type": "text", "text": text(rng, 500)}], "api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5", "usage": usage, "stopReason": "stop"})


def claude(path: str, target: int) -> None:
    """Write a sound Claude Code session: one record a block, results chained."""
    rng = random.Random(8)
    session, n, last, written = str(uuid.UUID(int=8)), 0, None, 0
    with open(path, "w", encoding="utf-8") as out:

        def record(kind: str, message: dict, **more: object) -> str:
            nonlocal n, last, written
            n += 1
            ident = str(uuid.UUID(int=rng.getrandbits(128)))
            row = {"parentUuid": last, "isSidechain": False, "userType": "external", "cwd": "/home/dev/shop", "sessionId": session, "version": "2.1.332", "gitBranch": "main", "type": kind, "message": message, "uuid": ident, "timestamp": f"2026-01-01T{n // 3600 % 24:02d}:{n // 60 % 60:02d}:{n % 60:02d}.{n % 1000:03d}Z", **more}
            written += out.write(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n")
            last = ident
            return ident

        while written < target:
            record("user", {"role": "user", "content": text(rng, 300)})
            for _ in range(rng.randrange(2, 9)):
                base = {"id": f"msg_{rng.getrandbits(96):024x}", "type": "message", "role": "assistant", "model": "claude-opus-5-5", "stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 9, "cache_read_input_tokens": 12000}}
                record("assistant", {**base, "content": [{"type": "text", "text": text(rng, 200)}]})
                call = f"toolu_{rng.getrandbits(96):024x}"
                record("assistant", {**base, "content": [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": text(rng, 80)}}]})
                said = text(rng, sizes(rng))
                record("user", {"role": "user", "content": [{"tool_use_id": call, "type": "tool_result", "content": said, "is_error": False}]}, toolUseResult={"stdout": said, "stderr": "", "interrupted": False})
            record("assistant", {"id": f"msg_{rng.getrandbits(96):024x}", "type": "message", "role": "assistant", "model": "claude-opus-5-5", "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 9}, "content": [{"type": "text", "text": text(rng, 500)}]})


def codex(path: str, target: int) -> None:
    """Write a sound Codex rollout in legacy mode."""
    rng = random.Random(9)
    written = 0
    with open(path, "w", encoding="utf-8") as out:

        def line(kind: str, payload: dict) -> None:
            nonlocal written
            written += out.write(json.dumps({"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload}, separators=(",", ":"), ensure_ascii=False) + "\n")

        line("session_meta", {"id": str(uuid.UUID(int=9)), "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/home/dev/shop", "originator": "codex_exec", "cli_version": "0.171.0", "source": "exec", "model_provider": "openai"})
        while written < target:
            said = text(rng, 300)
            line("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]})
            line("event_msg", {"type": "user_message", "message": said, "images": []})
            for _ in range(rng.randrange(2, 9)):
                line("response_item", {"type": "reasoning", "summary": [], "content": None, "encrypted_content": "gAAAA" + "B" * 600})
                call = f"call_{rng.getrandbits(96):024x}"
                line("response_item", {"type": "function_call", "name": "exec_command", "arguments": json.dumps({"cmd": text(rng, 80)}), "call_id": call})
                line("response_item", {"type": "function_call_output", "call_id": call, "output": text(rng, sizes(rng))})
                line("event_msg", {"type": "token_count", "info": {"total_token_usage": {"input_tokens": 1, "output_tokens": 2}}})
            line("response_item", {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text(rng, 500)}]})


def turns(rng: random.Random) -> Iterator[list[dict]]:
    """Yield turns without end, each a list of Anthropic messages: what a user says, calls with their results, an answer."""
    while True:
        turn: list[dict] = [{"role": "user", "content": [{"type": "text", "text": text(rng, 300)}]}]
        for _ in range(rng.randrange(2, 9)):
            call = {"type": "tool_use", "id": f"toolu_{rng.getrandbits(96):024x}", "name": rng.choice(["bash", "read", "edit"]), "input": {"command": text(rng, 80), "path": "src/cart.py"}}
            thinking = {"type": "thinking", "thinking": text(rng, 400), "signature": "Er0C" + "A" * 300}
            turn.append({"role": "assistant", "content": [thinking, {"type": "text", "text": text(rng, 120)}, call]})
            turn.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": call["id"], "content": [{"type": "text", "text": text(rng, sizes(rng))}]}]})
        yield [*turn, {"role": "assistant", "content": [{"type": "text", "text": text(rng, 500)}]}]


def array(path: str, target: int) -> None:
    """Write an array of Anthropic messages, each on a line of its own."""
    written, joint = 0, "[\n"
    with open(path, "w", encoding="utf-8") as out:
        for turn in turns(random.Random(10)):
            for message in turn:
                written += out.write(joint + json.dumps(message, separators=(",", ":"), ensure_ascii=False))
                joint = ",\n"
            if written >= target:
                break
        out.write("\n]\n")


def conversations(path: str, target: int) -> None:
    """Write a data set of OpenAI chat messages: a conversation of one or two turns on each line."""
    rng = random.Random(11)
    written = 0
    with open(path, "w", encoding="utf-8") as out:
        while written < target:
            messages: list[dict] = [{"role": "system", "content": text(rng, 400)}]
            for _ in range(rng.randrange(1, 3)):
                messages.append({"role": "user", "content": text(rng, 200)})
                for _ in range(rng.randrange(1, 5)):
                    call = {"id": f"call_{rng.getrandbits(96):024x}", "type": "function", "function": {"name": "bash", "arguments": json.dumps({"command": text(rng, 80)})}}
                    messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
                    messages.append({"role": "tool", "tool_call_id": call["id"], "content": text(rng, min(4000, sizes(rng)))})
                messages.append({"role": "assistant", "content": text(rng, 300)})
            written += out.write(json.dumps({"messages": messages}, separators=(",", ":"), ensure_ascii=False) + "\n")


def small(path: str, target: int) -> None:
    """Write a pi session of `target` records that say next to nothing: about 330 bytes each."""
    usage = {"input": 905, "output": 45, "totalTokens": 950}
    says = {"role": "assistant", "api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5", "usage": usage}
    rng = random.Random(12)
    with open(path, "w", encoding="utf-8") as out:
        out.write(json.dumps({"type": "session", "version": 3, "id": str(uuid.UUID(int=12)), "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/home/dev/shop"}, separators=(",", ":")) + "\n")
        for n in range(1, target):
            match n % 4:
                case 1:
                    message = {"role": "user", "content": [{"type": "text", "text": text(rng, 40)}]}
                case 2:
                    message = {**says, "content": [{"type": "toolCall", "id": f"call_{n}", "name": "bash", "arguments": {"command": "ls"}}], "stopReason": "toolUse"}
                case 3:
                    message = {"role": "toolResult", "toolCallId": f"call_{n - 1}", "toolName": "bash", "content": [{"type": "text", "text": text(rng, 40)}], "isError": False}
                case _:
                    message = {**says, "content": [{"type": "text", "text": text(rng, 20)}], "stopReason": "stop"}
            row = {"type": "message", "id": entry_id(n), "parentId": entry_id(n - 1) if n > 1 else None, "timestamp": "2026-01-01T00:00:00.000Z", "message": {**message, "timestamp": 1767225600000 + 1000 * n}}
            out.write(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n")


def holed(source: str, target: str, mark: bytes, every: int) -> None:
    """Copy a session of lines without each `every`-th line, where that holds `mark`: calls lose their results."""
    with open(source, "rb") as lines, open(target, "wb") as out:
        out.writelines(line for n, line in enumerate(lines, 1) if n % every or mark not in line)


GENERATOR = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "shared", "perf", "gen.py")


def generated(kind: str, *more: str) -> Make:
    """Return what writes a session with the generator that stands beside the checkout."""

    def write(path: str, target: int) -> None:
        subprocess.run([sys.executable, GENERATOR, kind, path, "--mb", str(target / 1e6), *more], check=True, stdout=subprocess.DEVNULL)

    return write
