"""A pi session written entry by entry, and what pruning makes of it."""

import json

import pytest
from condense_cli.pi_condense.prune.settings import Settings
from condense_cli.pi_condense.prune.views import render
from condense_cli.session.opened import open_session

TIME = "2026-08-12T02:00:00.000Z"


class Chat:
    """Entries of one branch; each hangs on the one before it."""

    def __init__(self):
        self.entries = [{"type": "session", "version": 3, "id": "chat-1", "timestamp": TIME, "cwd": "/home/dev"}]

    def entry(self, kind, **fields):
        parent = self.entries[-1]["id"] if len(self.entries) > 1 else None
        made = {"type": kind, "id": f"{len(self.entries):08x}", "parentId": parent, "timestamp": TIME, **fields}
        self.entries.append(made)
        return self

    def message(self, role, time, content, **fields):
        return self.entry("message", message={"role": role, "content": content, **fields, "timestamp": time})

    def user(self, time, text="go on"):
        return self.message("user", time, [{"type": "text", "text": text}])

    def says(self, time, text="done", *, thinking=None, **fields):
        thought = [{"type": "thinking", "thinking": thinking, "thinkingSignature": "c2ln"}] if thinking else []
        return self.message("assistant", time, [*thought, {"type": "text", "text": text}], stopReason="stop", **fields)

    def calls(self, time, *ids, arguments=None):
        blocks = [{"type": "toolCall", "id": i, "name": i.rsplit("_", 1)[0], "arguments": arguments or {"n": 1}} for i in ids]
        return self.message("assistant", time, blocks, stopReason="toolUse")

    def result(self, time, call_id, text="output", *, error=False, **fields):
        content = [{"type": "text", "text": text}]
        name = call_id.rsplit("_", 1)[0]
        return self.entry(
            "message",
            message={"role": "toolResult", "toolCallId": call_id, "toolName": name, "content": content, "isError": error, **fields, "timestamp": time},
        )

    def custom(self, kind, data):
        return self.entry("custom", customType=kind, data=data)

    def index(self, call_id, time, text, **fields):
        record = {"toolCallId": call_id, "toolName": call_id.rsplit("_", 1)[0], "args": {"n": 1}, "resultText": text, "isError": False, "turnIndex": 0, "timestamp": 5, **fields}
        if time is not None:
            record["resultTimestamp"] = time
        return self.custom("context-prune-index", {"toolCalls": [record]})

    def summary(self, text, *refs):
        made = [{"shortId": s, "toolCallId": i, **({} if t is None else {"resultTimestamp": t})} for s, i, t in refs]
        return self.entry("custom_message", customType="context-prune-summary", content=text, display=False, details={"toolCallRefs": made})

    def chain(self, block, start, final, ids, text="what happened", **fields):
        data = {"blockId": block, "startUserTimestamp": start, "droppedToolCallIds": ids, "finalAssistantTimestamp": final, "toolRefs": [], "compressedAt": 9000, "rangeSummaryText": text}
        return self.custom("context-prune-chain", {**data, **fields})

    def data(self):
        return b"".join(json.dumps(entry, separators=(",", ":")).encode() + b"\n" for entry in self.entries)


class Shown:
    """The messages after pruning, and the decisions."""

    def __init__(self, path, settings):
        with open_session(str(path)) as session:
            rendering = render(session.branch(), session.load, settings)
            self.before = list(rendering.before())
            self.messages = list(rendering.rendered())
            self.wire = list(rendering.wire())
            self.pruning = rendering.pruning
            self.lines = [p.record.line for p in self.pruning.places]

    @property
    def notes(self):
        return [d.detail for d in self.pruning.diagnostics]

    @property
    def times(self):
        return [m.get("timestamp") for m in self.messages]


@pytest.fixture
def chat():
    return Chat()


@pytest.fixture
def show(tmp_path):
    def shown(chat, settings=None):
        path = tmp_path / "session.jsonl"
        path.write_bytes(chat.data())
        return Shown(path, settings or Settings())

    return shown


def text_of(message):
    return message["content"][0]["text"]
