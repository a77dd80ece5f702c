"""One conversation in each format: for tests of what is the same in all of them.

A conversation is a list of ("user", text), ("says", text or None, [(id, command)]) and ("result", id, text).
"""

import json

SESSION = "0190a000-0000-7000-8000-000000000001"
SUFFIX = {"claude-code": "jsonl", "codex": "jsonl", "openai-chat": "json", "anthropic": "json"}
START = 1793527200  # seconds


def chain(number, calls=2, size=400):
    """A question, a turn for each call with its long result, and an answer."""
    turns = [("user", f"Question {number}")]
    for n in range(calls):
        ident = f"call_{number}_{n}"
        turns += [("says", f"Looking {number}.{n}", [(ident, f"cat {number} {n}")]), ("result", ident, f"output {number} {n}\nü\u2028" + "x" * size)]
    return [*turns, ("says", f"Answer {number}", [])]


def chains(count, **options):
    return [turn for number in range(count) for turn in chain(number, **options)]


def stamp(n):
    return f"2026-11-01T{10 + n // 3600:02d}:{n // 60 % 60:02d}:{n % 60:02d}.000Z"


def claude_code(conversation):
    rows = []

    def add(n, kind, message, **more):
        parent = rows[-1]["uuid"] if rows else None
        rows.append({"parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/home/dev/shop", "sessionId": SESSION, "version": "2.1.332", "type": kind, "message": message, "uuid": f"{len(rows) + 1:08x}-0000-4000-8000-000000000000", "timestamp": stamp(n), **more})

    for n, (kind, what, *more) in enumerate(conversation, 1):
        if kind == "user":
            add(n, "user", {"role": "user", "content": what})
        elif kind == "result":
            add(n, "user", {"role": "user", "content": [{"tool_use_id": what, "type": "tool_result", "content": more[0]}]}, toolUseResult={"stdout": more[0]})
        else:
            blocks = [{"type": "text", "text": what}] if what else []
            blocks += [{"type": "tool_use", "id": ident, "name": "Bash", "input": {"command": command}} for ident, command in more[0]]
            for block in blocks:
                add(n, "assistant", {"id": f"msg_{n:024d}", "type": "message", "role": "assistant", "model": "claude-opus-5-5", "content": [block]})
    return rows


def codex(conversation):
    rows = [{"timestamp": stamp(0), "type": "session_meta", "payload": {"id": SESSION, "timestamp": stamp(0), "cwd": "/home/dev/shop", "originator": "codex_exec", "cli_version": "0.171.0", "source": "exec", "model_provider": "lab"}}]

    def add(n, kind, **payload):
        rows.append({"timestamp": stamp(n), "type": kind, "payload": payload})

    for n, (kind, what, *more) in enumerate(conversation, 1):
        if kind == "user":
            add(n, "response_item", type="message", role="user", content=[{"type": "input_text", "text": what}])
            add(n, "event_msg", type="user_message", message=what, images=[])
        elif kind == "result":
            add(n, "response_item", type="function_call_output", call_id=what, output=more[0])
        else:
            if what:
                add(n, "response_item", type="message", role="assistant", content=[{"type": "output_text", "text": what}])
            for ident, command in more[0]:
                add(n, "response_item", type="function_call", name="shell", arguments=json.dumps({"command": command}), call_id=ident)
                add(n, "event_msg", type="exec_command_end", call_id=ident, aggregated_output="shown")
    return rows


def openai_chat(conversation):
    rows = []
    for kind, what, *more in conversation:
        if kind == "user":
            rows.append({"role": "user", "content": what})
        elif kind == "result":
            rows.append({"role": "tool", "tool_call_id": what, "content": more[0]})
        else:
            calls = [{"id": ident, "type": "function", "function": {"name": "bash", "arguments": json.dumps({"command": command})}} for ident, command in more[0]]
            rows.append({"role": "assistant", "content": what, **({"tool_calls": calls} if calls else {})})
    return rows


def anthropic(conversation):
    rows = []
    for kind, what, *more in conversation:
        if kind == "user":
            rows.append({"role": "user", "content": what})
        elif kind == "result":
            block = {"type": "tool_result", "tool_use_id": what, "content": more[0]}
            if isinstance(rows[-1]["content"], list) and rows[-1]["role"] == "user":
                rows[-1]["content"].append(block)
            else:
                rows.append({"role": "user", "content": [block]})
        else:
            text = [{"type": "text", "text": what}] if what else []
            rows.append({"role": "assistant", "content": [*text, *({"type": "tool_use", "id": i, "name": "bash", "input": {"command": c}} for i, c in more[0])]})
    return rows


FORMATS = {"claude-code": claude_code, "codex": codex, "openai-chat": openai_chat, "anthropic": anthropic}


def write(path, rows, suffix="jsonl"):
    """Write records as lines, or messages as an indented array."""
    text = "".join(json.dumps(row) + "\n" for row in rows) if suffix == "jsonl" else json.dumps(rows, indent=1) + "\n"
    path.write_text(text)
    return path


def written(folder, name, conversation):
    """Write a conversation as a session of the format and return its path."""
    return write(folder / f"session.{SUFFIX[name]}", FORMATS[name](conversation), SUFFIX[name])
