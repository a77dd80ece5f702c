"""A pi session written entry by entry, and what compaction makes of it."""

import json

import pytest
from condense_cli.model.plan import apply
from condense_cli.pi_condense.compact.blobs import BlobFolder
from condense_cli.pi_condense.compact.branch import read
from condense_cli.pi_condense.compact.compaction import compact
from condense_cli.pi_condense.compact.run import AppendPoint, Terms
from condense_cli.pi_condense.prune.protect import protection
from condense_cli.pi_condense.prune.settings import Settings
from condense_cli.recall.find import Finder, session_id
from condense_cli.session.opened import open_session

TIME = "2026-08-12T02:00:00.000Z"
NOW = 1_790_000_000_000


class Chat:
    """Entries of one branch; each hangs on the one before it."""

    def __init__(self, ident="chat-1"):
        self.entries = [{"type": "session", "version": 3, "id": ident, "timestamp": TIME, "cwd": "/home/dev"}]

    def entry(self, kind, **fields):
        parent = self.entries[-1]["id"] if len(self.entries) > 1 else None
        self.entries.append({"type": kind, "id": f"{len(self.entries):08x}", "parentId": parent, "timestamp": TIME, **fields})
        return self

    def message(self, role, time, content, **fields):
        return self.entry("message", message={"role": role, "content": content, **fields, "timestamp": time})

    def user(self, time, text="go on"):
        return self.message("user", time, [{"type": "text", "text": text}])

    def says(self, time, text="done"):
        return self.message("assistant", time, [{"type": "text", "text": text}], stopReason="stop")

    def calls(self, time, *ids, name=None, arguments=None):
        blocks = [{"type": "toolCall", "id": i, "name": name or i.rsplit("_", 1)[0], "arguments": arguments or {"n": 1}} for i in ids]
        return self.message("assistant", time, blocks, stopReason="toolUse")

    def result(self, time, call_id, text="output", *, name=None, error=False):
        fields = {"toolCallId": call_id, "toolName": name or call_id.rsplit("_", 1)[0], "isError": error}
        return self.message("toolResult", time, [{"type": "text", "text": text}], **fields)

    def cycle(self, time, call_id, text="output", **fields):
        return self.calls(time, call_id, **fields).result(time + 1, call_id, text)

    def custom(self, kind, data):
        return self.entry("custom", customType=kind, data=data)

    def indexed(self, call_id, time, text):
        record = {"toolCallId": call_id, "toolName": call_id.rsplit("_", 1)[0], "args": {"n": 1}, "resultText": text, "isError": False, "turnIndex": 0, "timestamp": time}
        return self.custom("context-prune-index", {"toolCalls": [{**record, "resultTimestamp": time}]})

    def summary(self, text, short, call_id, time):
        refs = [{"shortId": short, "toolCallId": call_id, "resultTimestamp": time}]
        return self.entry("custom_message", customType="context-prune-summary", content=text, display=False, details={"toolCallRefs": refs})

    def data(self):
        return b"".join(json.dumps(entry, separators=(",", ":")).encode() + b"\n" for entry in self.entries)


class Made:
    """A compaction with what it wrote: the new file beside the old one, and its blobs."""

    def __init__(self, folder, data, settings, window, options):
        self.folder = folder
        path = folder / "session.jsonl"
        path.write_bytes(data)
        with open_session(str(path)) as session:
            reading = read(session.branch(), session.load, protection(settings))
            ident = session_id(session.records, session.document.value)
            leaf = session.load(reading.leaf)["id"] if reading.leaf else None
            place = AppendPoint(leaf, [record.id for record in session.records], len(session.records))
            made = compact(reading, Terms(settings, window, NOW), place, lambda: BlobFolder(str(folder), ident), **options)
            self.made, self.run, self.gain = made, made.run, made.gain
            self.blobs = {blob.path: blob.read() for blob in made.blobs}
            self.data = b"".join(apply(made.segments(len(data), ended=data.endswith(b"\n")), session.source))
        for name, blob in self.blobs.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(blob)
        self.path = folder / "out.jsonl"
        self.path.write_bytes(self.data)
        self.appended = [json.loads(line.data) for line in made.run.lines]

    def of(self, kind):
        return [entry["data"] for entry in self.appended if entry["customType"] == f"context-prune-{kind}"]

    def outputs(self, ref):
        with open_session(str(self.path)) as session:
            return [output.bytes().decode() for output in Finder(session).answer(ref).outputs]


@pytest.fixture
def chat():
    return Chat()


@pytest.fixture
def make(tmp_path):
    def made(chat, settings=None, window=0, **options):
        return Made(tmp_path, chat if isinstance(chat, bytes) else chat.data(), settings or Settings(), window, options)

    return made


@pytest.fixture
def look(tmp_path):
    """Read a session's branch for tests of single stages."""
    sessions = []

    def looked(chat, settings=None):
        path = tmp_path / "looked.jsonl"
        path.write_bytes(chat.data())
        session = open_session(str(path))
        sessions.append(session)
        return read(session.branch(), session.load, protection(settings or Settings()))

    yield looked
    for session in sessions:
        session.close()
