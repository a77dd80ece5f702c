"""Plans as files: reviewed by people, applied later, bound to the input by its SHA-256."""

from __future__ import annotations

import base64
import json
from typing import Any

from condense_cli.errors import UsageError
from condense_cli.model import Finding, Record
from condense_cli.plan import Change, Copy, Edit, Plan, Put, Segment
from condense_cli.rules import Severity

VERSION = 1


def dump(plan: Plan) -> str:
    """Write a plan as JSON, one edit and one segment a line."""
    head = {"version": VERSION, "path": plan.path, "format": plan.format, "sha256": plan.sha256, "size": plan.size, "contracts": list(plan.contracts), "leaf": plan.leaf}
    parts = [json.dumps(head)[:-1]]
    for name, rows in (
        ("findings", [finding(f) for f in plan.findings]),
        ("remaining", [finding(f) for f in plan.remaining]),
        ("edits", [edit(e) for e in plan.edits]),
        ("segments", [_segment(s) for s in plan.segments]),
    ):
        lines = ",\n  ".join(json.dumps(row) for row in rows)
        parts.append(f'"{name}": [' + (f"\n  {lines}\n" if rows else "") + "]")
    return ",\n".join(parts) + "}\n"


def finding(one: Finding) -> dict[str, Any]:
    """Return a finding's place as JSON."""
    return {"rule": one.rule, "severity": one.severity.value if one.severity else None, "line": one.line, "index": one.index, "entry": one.entry, "part": one.part, "call_id": one.call_id, "variant": one.variant}


def edit(one: Edit) -> dict[str, Any]:
    """Return an edit as JSON; values that do not apply are left out."""
    return {key: value.value if isinstance(value, Change) else value for key, value in one._asdict().items() if value not in (None, "")}


def _segment(one: Segment) -> list[Any]:
    if isinstance(one, Copy):
        return ["copy", one.start, one.end]
    try:
        return ["put", one.data.decode("utf-8")]
    except UnicodeDecodeError:
        return ["put-base64", base64.b64encode(one.data).decode()]


def load(path: str, data: bytes) -> Plan:
    """Read a plan; raise UsageError where it is none."""
    try:
        value = json.loads(data)
        if value["version"] != VERSION:
            raise UsageError(f"{path}: a plan of another version of condense", "make it again with --plan-out")
        segments = tuple(_read_segment(row) for row in value["segments"])
        edits = tuple(map(_read_edit, value["edits"]))
        return Plan(
            value["path"], value["format"], value["sha256"], value["size"],
            tuple(map(_read_finding, value["findings"])), tuple(map(_read_finding, value["remaining"])),
            edits, segments, tuple(value["contracts"]), value["leaf"],
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{path}: not a plan of condense", "make one with `condense repair SESSION --plan-out FILE`") from None


def _read_edit(row: dict[str, Any]) -> Edit:
    return Edit(
        Change(row["change"]), row["rule"], row["line"], row.get("part"), row.get("index"), row.get("target"),
        row.get("call_id"), row.get("detail", ""),
    )  # fmt: skip


def _read_segment(row: list[Any]) -> Segment:
    if row[0] == "copy":
        return Copy(int(row[1]), int(row[2]))
    return Put(row[1].encode("utf-8") if row[0] == "put" else base64.b64decode(row[1]))


def _read_finding(row: dict[str, Any]) -> Finding:
    severity = Severity(row["severity"]) if row["severity"] else None
    return Finding(row["rule"], row["line"], Record(row["line"], 0, 0), severity, row.get("variant", ""), row["part"], row["call_id"], index=row["index"], entry=row["entry"])
