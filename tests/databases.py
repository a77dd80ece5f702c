"""Databases as clients write them, made of the healthy sessions."""

import json
import sqlite3
from pathlib import Path

SESSIONS = Path(__file__).parents[1] / "fixtures" / "sessions"
SCHEMA = """
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL, title text NOT NULL, version text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
"""


def without(value, *keys):
    return json.dumps({key: one for key, one in value.items() if key not in keys}, ensure_ascii=False, separators=(",", ":"))


def opencode(path, *, more=0, parent=None):
    """OpenCode's database with the healthy session, and more empty ones; return an open connection to it."""
    export = json.loads((SESSIONS / "opencode" / "healthy.json").read_text(encoding="utf-8"))
    base = sqlite3.connect(path)
    base.executescript(SCHEMA)
    info = export["info"]
    time = info["time"]
    base.execute("INSERT INTO session VALUES (?,?,?,?,?,?,?,?)", (info["id"], "p", parent, info["directory"], info["title"], info["version"], time["created"], time["updated"]))
    for n in range(more):
        base.execute("INSERT INTO session VALUES (?,?,?,?,?,?,?,?)", (f"ses_more{n}", "p", None, "/elsewhere", "", "1.18.33", n, n))
    for message in export["messages"]:
        about = message["info"]
        base.execute("INSERT INTO message VALUES (?,?,?,?,?)", (about["id"], info["id"], about["time"]["created"], about["time"]["created"], without(about, "id", "sessionID")))
        for part in message["parts"]:
            base.execute("INSERT INTO part VALUES (?,?,?,?,?,?)", (part["id"], about["id"], info["id"], 1, 1, without(part, "id", "sessionID", "messageID")))
    base.commit()
    return base


def openclaw(path):
    """OpenClaw's database with the healthy session."""
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE transcript_events (session_id text, seq integer, event_json text, created_at integer, event_zstd blob, PRIMARY KEY (session_id, seq))")
    lines = (SESSIONS / "openclaw" / "healthy.jsonl").read_text(encoding="utf-8").splitlines()
    base.executemany("INSERT INTO transcript_events VALUES ('s1', ?, ?, 1, NULL)", list(enumerate(lines)))
    base.commit()
    return base
