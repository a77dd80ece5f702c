"""Keep a session in OpenCode's own database, repair it there, and resume it with the real client.

    python tests/e2e_opencode.py LAB CONDENSE SESSION.json [--expect TEXT]

Run by tests/e2e.py; prints what resume.py of the lab prints. The client itself imports the folder's good.json; what is
in SESSION.json, which its import may refuse, takes the place of those rows.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path


def main() -> int:
    """Replace what the lab's adapter does between the import of a session and its resumption."""
    if sys.argv[1] == "rows":
        return put_rows(*sys.argv[2:])
    lab, condense, *rest = sys.argv[1:]
    sys.path.insert(0, lab)
    import resume

    inherited = resume.OpenCode.prepare

    def prepare(self, home, work, session, url, provider):
        argv, environment, folder = inherited(self, home, work, session.with_name("good.json"), url, provider)
        ident = argv[2].split('--session "')[1].split('"')[0]
        store = home / ".local/share/opencode/opencode.db"
        rows = f'"{sys.executable}" "{__file__}" rows "{store}" "{ident}" "{session}"'
        repaired = f'"{condense}" repair --in-place --force "{store}#{ident}"; [ $? -le 1 ]'
        return [*argv[:2], argv[2].replace("&& exec ", f"&& {rows} && {{ {repaired}; }} && exec ", 1)], environment, folder

    resume.OpenCode.prepare = prepare
    resume.__file__ = __file__  # which is run again, with the same arguments, where only the loopback exists
    isolate = resume.isolate
    resume.isolate = lambda argv: isolate([argv[0], lab, condense, *argv[2:]])
    sys.argv = ["resume.py", "opencode", *rest]
    return resume.main()


def put_rows(store: str, ident: str, export: str) -> int:
    """Write the messages and parts of an export into the session's rows."""
    messages = json.loads(Path(export).read_text(encoding="utf-8"))["messages"]
    with sqlite3.connect(store) as base:
        directory = base.execute("SELECT directory FROM session WHERE id = ?", (ident,)).fetchone()
        for table in ("part", "message"):
            base.execute(f"DELETE FROM {table} WHERE session_id = ?", (ident,))
        for n, message in enumerate(messages):
            about = message["info"]
            keys = {"id": about["id"], "session_id": ident, "time_created": n, "time_updated": n}
            put(base, "message", {**keys, "data": without(about, "id", "sessionID")})
            for part in message["parts"]:
                keys = {"id": part["id"], "message_id": about["id"], "session_id": ident, "time_created": n, "time_updated": n}
                put(base, "part", {**keys, "data": without(part, "id", "sessionID", "messageID")})
    return 0 if directory else 1


def put(base: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    """Insert a row."""
    base.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def without(value: dict[str, object], *keys: str) -> str:
    """Return an object as its row keeps it: what has columns of its own is not in it."""
    return json.dumps({key: one for key, one in value.items() if key not in keys}, ensure_ascii=True, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(main())
