"""Sessions made up by Hypothesis: abstract lists, pi trees and damage, and the same list in three file formats.

Every message carries a tag, m and its position from 0, so that a rendered message can be told from its likes.
"""

import contextlib
import io
import json
import os
import re
import tempfile
from pathlib import Path
from unittest import mock

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

_SHARE = {"quick": 0.2, "long": 20.0}.get(os.environ.get("LAWS", ""), 1.0)  # make quick asks for few examples


def law(examples=25):
    """Settings of a law: how many examples it gets, a fifth of them where LAWS=quick, twenty times as many where LAWS=long.

    The examples are the same in every run, but for LAWS=long: a commit is judged by what it changed.
    """
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(max_examples=max(3, int(examples * _SHARE)), deadline=None, suppress_health_check=checks, derandomize=_SHARE <= 1)


# --- abstract lists (see oracle.py)

IDS = ("x", "y", "z")


def calls(ids):
    """An assistant message that calls one tool per id."""
    return ("call", list(ids), ["bash"] * len(ids))


@st.composite
def cycles(draw, ids=IDS, *, whole=False):
    """One turn: calls in parallel, answered out of order; unless whole, over-answered, half answered or interrupted."""
    asked = draw(st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=whole or draw(st.integers(0, 4)) > 0))
    answers = [("result", i) for i in draw(st.permutations(asked))]
    if not whole:
        for _ in range(draw(st.integers(0, 2))):
            at = draw(st.integers(0, len(answers)))
            match draw(st.sampled_from(["lose", "repeat", "user", "custom", "system", "text", "stranger"])):
                case "lose":
                    del answers[at : at + 1]
                case "repeat":
                    answers.insert(at, ("result", draw(st.sampled_from(asked))))
                case "stranger":
                    answers.insert(at, ("result", draw(st.sampled_from(ids))))
                case kind:
                    answers.insert(at, (kind,))
    return [calls(asked), *answers]


@st.composite
def sound_lists(draw, ids=IDS):
    """A list without a fault: user turns, texts and whole cycles; later turns use ids again."""
    turns = draw(st.lists(cycles(ids, whole=True) | st.just([("text",), ("user",)]), max_size=5))
    return [("user",), *(message for turn in turns for message in turn), ("text",)]


@st.composite
def broken_lists(draw, ids=IDS, *, odd_ids=False):
    """A list with whatever can go wrong: lost, moved and repeated halves, reused ids, interrupted turns.

    odd_ids adds halves without an id and with an empty one.
    """
    pool = (*ids, None, "") if odd_ids else tuple(ids)
    turns = draw(st.lists(cycles(pool) | st.sampled_from([[("user",)], [("text",)], [("custom",)]]), max_size=5))
    messages = [message for turn in turns for message in turn]
    for _ in range(draw(st.integers(0, 3))):
        if not messages:
            break
        at = draw(st.integers(0, len(messages) - 1))
        to = draw(st.integers(0, len(messages)))
        match draw(st.sampled_from(["lose", "repeat", "move"])):
            case "lose":
                del messages[at]
            case "repeat":
                messages.insert(to, messages[at])
            case "move":
                messages.insert(to, messages.pop(at))
    return [("user",), *messages]


# --- one list in three formats


def arguments(index, part, twins):
    """The arguments of one call: its tag, or the same for all when twins."""
    return {"tag": "m" if twins else f"m{index}.{part}"}


def pi_records(messages, *, twins=False):
    """A pi session, header first, as a list of objects: one entry per message, each hung on the one before it."""
    records = [{"type": "session", "version": 3, "id": "5e551011", "timestamp": _iso(0), "cwd": "/work"}]
    parent = None
    for index, message in enumerate(messages):
        record = {"type": "message", "id": f"{index + 1:08x}", "parentId": parent, "timestamp": _iso(index + 1)}
        record |= _pi_entry(index, message, twins)
        records.append(record)
        parent = record["id"]
    return records


def _pi_entry(index, message, twins):
    said = [{"type": "text", "text": f"m{index}"}]
    time = 1767225600000 + (index + 1) * 1000
    assistant = {"role": "assistant", "api": "openai-completions", "provider": "openrouter", "model": "m", "usage": {}}
    match message[0]:
        case "user" | "system" as role:
            return {"message": {"role": role, "content": said, "timestamp": time}}
        case "custom":
            return {"type": "custom_message", "customType": "note", "content": f"m{index}", "display": True}
        case "text":
            return {"message": {**assistant, "content": said, "stopReason": "stop", "timestamp": time}}
        case "reasoning":
            return {
                "message": {
                    **assistant,
                    "content": [{"type": "thinking", "thinking": f"m{index}"}],
                    "stopReason": "stop",
                    "timestamp": time,
                }
            }
        case "call":
            blocks = [
                {
                    "type": "toolCall",
                    **({} if i is None else {"id": i}),
                    "name": name,
                    "arguments": arguments(index, part, twins),
                }
                for part, (i, name) in enumerate(zip(message[1], message[2], strict=True))
            ]
            return {"message": {**assistant, "content": blocks, "stopReason": "toolUse", "timestamp": time}}
        case _:
            owner = {} if message[1] is None else {"toolCallId": message[1]}
            return {
                "message": {
                    "role": "toolResult",
                    **owner,
                    "toolName": "bash",
                    "content": said,
                    "isError": False,
                    "timestamp": time,
                }
            }


def _iso(second):
    return f"2026-01-01T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}.000Z"


def as_lines(records):
    """Records as JSON lines, in bytes with their line feed."""
    return [json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records]


def pi_file(messages, *, twins=False):
    """A list as the bytes of a pi session file."""
    return b"".join(as_lines(pi_records(messages, twins=twins)))


def chat_array(messages, *, twins=False):
    """A list as the bytes of an OpenAI Chat Completions array; custom messages are a user's, reasoning is left out."""
    out = []
    for index, message in enumerate(messages):
        match message[0]:
            case "user" | "system" as role:
                out.append({"role": role, "content": f"m{index}"})
            case "custom":
                out.append({"role": "user", "content": f"m{index}"})
            case "text":
                out.append({"role": "assistant", "content": f"m{index}"})
            case "call":
                out.append(
                    {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [_chat_call(index, p, message, twins) for p in range(len(message[1]))],
                    }
                )
            case "result":
                out.append(
                    {
                        "role": "tool",
                        **({} if message[1] is None else {"tool_call_id": message[1]}),
                        "content": f"m{index}",
                    }
                )
    return json.dumps(out, indent=1).encode() + b"\n"


def _chat_call(index, part, message, twins):
    function = {"name": message[2][part], "arguments": json.dumps(arguments(index, part, twins))}
    return {**({} if message[1][part] is None else {"id": message[1][part]}), "type": "function", "function": function}


def anthropic_array(messages, *, twins=False):
    """A list as the bytes of an Anthropic messages array: a run of results is one user message, system is left out."""
    out = []
    for index, message in enumerate(messages):
        said = [{"type": "text", "text": f"m{index}"}]
        match message[0]:
            case "user" | "custom":
                out.append({"role": "user", "content": said})
            case "text":
                out.append({"role": "assistant", "content": said})
            case "call":
                blocks = [
                    {
                        "type": "tool_use",
                        **({} if i is None else {"id": i}),
                        "name": name,
                        "input": arguments(index, part, twins),
                    }
                    for part, (i, name) in enumerate(zip(message[1], message[2], strict=True))
                ]
                out.append({"role": "assistant", "content": blocks})
            case "result":
                block = {
                    "type": "tool_result",
                    **({} if message[1] is None else {"tool_use_id": message[1]}),
                    "content": said,
                }
                if index and messages[index - 1][0] == "result":
                    out[-1]["content"].append(block)
                else:
                    out.append({"role": "user", "content": [block]})
    return json.dumps(out, indent=1).encode() + b"\n"


# --- and back


def read_back(messages):
    """Rendered messages (objects of pi, OpenAI chat or Anthropic) as (abstract list, tags).

    A tag is m and the position in the list that was written, a tuple of tags for calls, and "new" for what was not in it.
    """
    found, tags = [], []
    for message in messages:
        for abstract, tag in _read_one(message):
            found.append(abstract)
            tags.append(tag)
    return found, tags


def _read_one(message):
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
    texts = " ".join(str(block.get("text") or block.get("thinking") or "") for block in blocks)
    role = message["role"]
    answers = [block for block in blocks if block.get("type") == "tool_result"]
    if answers:
        for block in answers:
            yield ("result", block.get("tool_use_id")), _tag(json.dumps(block.get("content")))
        rest = [block for block in blocks if block.get("type") != "tool_result"]
        if rest:
            yield ("user",), _tag(json.dumps(rest))
    elif role in {"toolResult", "tool"}:
        yield ("result", message.get("toolCallId", message.get("tool_call_id"))), _tag(texts)
    elif role == "assistant":
        asked = [block for block in blocks if block.get("type") in {"toolCall", "tool_use"}] + (
            message.get("tool_calls") or []
        )
        if asked:
            functions = [call.get("function", call) for call in asked]
            abstract = ("call", [call.get("id") for call in asked], [function.get("name") for function in functions])
            yield abstract, tuple(_tag(json.dumps(f.get("arguments", f.get("input")))) for f in functions)
        elif any(block.get("type") == "thinking" for block in blocks):
            yield ("reasoning",), _tag(texts)
        else:
            yield ("text",), _tag(texts)
    else:
        yield ({"user": "user", "system": "system"}.get(role, "custom"),), _tag(texts)


def _tag(text):
    found = re.search(r"\bm\d*(?:\.\d+)?\b", text)
    return found.group() if found else "new"


def tagged(messages, twins=False):
    """The tags that a list has when it is written, in the shape of read_back."""
    return [
        tuple(arguments(index, part, twins)["tag"] for part in range(len(message[1])))
        if message[0] == "call"
        else f"m{index}"
        for index, message in enumerate(messages)
    ]


# --- pi trees and their damage


@st.composite
def pi_trees(draw):
    """A pi session with branches, compaction, context edits, labels and aborted turns, as records; a user's turn is the leaf."""
    records = pi_records([*draw(broken_lists()), ("user",)])
    header, entries, leaf = records[0], records[1:-1], records[-1]
    out, number = [], 0
    for entry in entries:
        fresh = {**entry, "parentId": out[-1]["id"] if out else None}
        if fresh.get("message", {}).get("role") == "assistant" and draw(st.integers(0, 9)) == 0:
            fresh["message"] = {**fresh["message"], "stopReason": draw(st.sampled_from(["aborted", "error"]))}
        if len(out) > 1 and draw(st.integers(0, 9)) == 0:
            fresh["parentId"] = draw(st.sampled_from(out))["id"]
        out.append(fresh)
        if draw(st.integers(0, 5)) == 0:
            number += 1
            out.append(draw(_side_entry(f"e{number:07x}", out, header)))
    out.append({**leaf, "parentId": out[-1]["id"] if out else None})
    return [header, *out]


@st.composite
def _side_entry(draw, own_id, out, header):
    base = {"id": own_id, "parentId": out[-1]["id"], "timestamp": out[-1]["timestamp"]}
    target = draw(st.sampled_from(out))["id"]
    path = _path(out)
    match draw(
        st.sampled_from(
            ["label", "context_edit", "compaction", "branch_summary", "custom", "custom_message", "session_info"]
        )
    ):
        case "label":
            more = {"type": "label", "targetId": target, "label": "here"}
        case "context_edit":
            replacement = draw(st.sampled_from([None, {"content": "m0"}]))
            more = {"type": "context_edit", "targetId": target, "replacement": replacement}
        case "compaction":
            kept = draw(st.sampled_from([*path, own_id]))
            more = {"type": "compaction", "summary": "so far", "firstKeptEntryId": kept, "tokensBefore": 9}
        case "branch_summary":
            more = {"type": "branch_summary", "fromId": draw(st.sampled_from([target, "root"])), "summary": "elsewhere"}
        case "custom":
            more = {"type": "custom", "customType": "mine", "data": {"n": 1.0}}
        case "custom_message":
            more = {"type": "custom_message", "customType": "note", "content": "note", "display": True}
        case _:
            more = {"type": "session_info", "name": header["id"]}
    return {"type": more["type"], **base, **more}


def _path(out):
    by_id = {entry["id"]: entry for entry in out}
    at, found = out[-1]["id"], []
    while at:
        found.append(at)
        at = by_id[at]["parentId"]
    return found


LINE_DAMAGE = ("drop", "copy", "fuse", "cut and fuse", "nul line", "nul prefix")
TREE_DAMAGE = ("take id", "lose parent", "own parent", "loop")
FILE_DAMAGE = ("torn tail", "no final newline", "bom", "crlf", "no header", "late header")


@st.composite
def damaged_files(draw, kinds=(*LINE_DAMAGE, *TREE_DAMAGE, *FILE_DAMAGE)):
    """The bytes of a pi session file after up to three kinds of damage; the last whole record keeps its content."""
    records = draw(pi_trees())
    damage = draw(st.lists(st.sampled_from(kinds), max_size=3))
    for kind in [k for k in damage if k in TREE_DAMAGE]:
        _harm_tree(draw, records, kind)
    lines = as_lines(records)
    for kind in [k for k in damage if k in LINE_DAMAGE]:
        _harm_lines(draw, lines, kind)
    return _harm_file(draw, lines, {k for k in damage if k in FILE_DAMAGE})


def _harm_tree(draw, records, kind):
    at = draw(st.integers(1, len(records) - 1))
    other = draw(st.integers(1, len(records) - 1))
    match kind:
        case "take id":
            records[at] = {**records[at], "id": records[other]["id"]}
        case "lose parent":
            records[at] = {**records[at], "parentId": "deadbeef"}
        case "own parent":
            records[at] = {**records[at], "parentId": records[at]["id"]}
        case _:
            low, high = sorted((at, other))
            records[low] = {**records[low], "parentId": records[high]["id"]}


def _harm_lines(draw, lines, kind):
    if len(lines) < 4:
        return
    at = draw(st.integers(1, len(lines) - 3))  # neither header nor leaf, nor what would be fused with the leaf
    match kind:
        case "drop":
            del lines[at]
        case "copy":
            lines.insert(draw(st.integers(at + 1, len(lines) - 1)), lines[at])
        case "fuse":
            lines[at] = lines[at].rstrip(b"\n") + lines.pop(at + 1)
        case "cut and fuse":
            cut = draw(st.integers(1, len(lines[at]) - 2))
            lines[at] = lines[at][:cut] + lines.pop(at + 1)
        case "nul line":
            lines.insert(at, b"\0" * draw(st.integers(1, 40)) + b"\n")
        case _:
            lines[at] = b"\0" * draw(st.integers(1, 40)) + lines[at]


def _harm_file(draw, lines, kinds):
    if "no header" in kinds:
        del lines[0]
    elif "late header" in kinds and len(lines) > 2:
        lines.insert(1, lines.pop(0))
    if "crlf" in kinds:
        lines = [line[:-1] + b"\r\n" for line in lines]
    data = b"".join(lines)
    if "torn tail" in kinds:
        whole = draw(st.sampled_from(lines))
        data += whole[: draw(st.integers(1, max(1, len(whole) - 3)))]
    elif "no final newline" in kinds:
        data = data.rstrip(b"\r\n")
    return (b"\xef\xbb\xbf" if "bom" in kinds else b"") + data


# --- the command line, in this process


class Outcome(tuple):
    """Exit code, standard output (bytes) and standard error (text) of one run."""

    __slots__ = ()
    code = property(lambda self: self[0])
    out = property(lambda self: self[1])
    err = property(lambda self: self[2])

    @property
    def records(self):
        """The JSON lines of standard output."""
        return [json.loads(line) for line in self.out.split(b"\n") if line.strip()]


def condense(*arguments):
    """Run one command with output caught; its state folder is a scratch one."""
    from condense_cli.cli import run

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        tempfile.TemporaryDirectory() as state,
        mock.patch.dict(os.environ, {"XDG_STATE_HOME": state}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run([str(argument) for argument in arguments])
    return Outcome((code, out.buffer.getvalue(), err.buffer.getvalue().decode()))


@contextlib.contextmanager
def session_file(data, name="2026-01-01T00-00-00-000Z_5e551011.jsonl"):
    """A scratch file with these bytes, named like a session; the folder goes afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        yield path


def sweep(messages, rule, *, form="pi", exempt=(), twins=False):
    """What `condense render --sweep` makes of a list, as read_back gives it."""
    write, name = {
        "pi": (pi_file, "s.jsonl"),
        "openai-chat": (chat_array, "s.json"),
        "anthropic": (anthropic_array, "s.json"),
    }[form]
    options = [word for tool in exempt for word in ("--exempt-tool", tool)]
    with session_file(write(messages, twins=twins), name) as path:
        outcome = condense("render", "--sweep", rule, "--format", form, "--output-format", "jsonl", *options, path)
    assert outcome.code == 0, outcome.err
    return read_back(outcome.records)


def repair(data, *options, name="2026-01-01T00-00-00-000Z_5e551011.jsonl"):
    """What `condense repair -o` writes for these bytes, as (exit code, bytes or None when nothing was written)."""
    with session_file(data, name) as path:
        target = path.with_name("repaired.out")
        outcome = condense("repair", "-o", target, *options, path)
        return outcome, target.read_bytes() if target.exists() else None
