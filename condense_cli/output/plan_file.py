"""Plans as files: reviewed by people, applied later, bound to the input by its SHA-256."""

from __future__ import annotations

import base64
import json
from typing import Any, NamedTuple, TypeVar

from condense_cli.errors import UsageError
from condense_cli.model.findings import Finding, Severity
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change, Copy, Edit, Plan, Put, Segment
from condense_cli.model.policies import Method, Policies
from condense_cli.repair.choice import Choice
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import CONTRACTS

VERSION = 1
T = TypeVar("T")


class Saved(NamedTuple):
    """A plan, and the choices by which it was made."""

    plan: Plan
    choice: Choice
    method: Method


def dump(plan: Plan, choice: Choice, method: Method = Method.REWRITE) -> str:
    """Write a plan as JSON, one edit and one segment a line, with the choices by which it can be made again."""
    head = {
        "version": VERSION,
        "path": plan.path,
        "format": plan.format,
        "sha256": plan.sha256,
        "size": plan.size,
        "contracts": list(plan.contracts),
        "leaf": plan.leaf,
        "exempt": list(plan.exempt),
        "choice": _choice(choice, method),
    }
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


def _choice(choice: Choice, method: Method) -> dict[str, Any]:
    return {
        "contracts": list(choice.contracts), "select": sorted(choice.select), "ignore": sorted(choice.ignore),
        "policies": choice.policies._asdict(), "leaf": choice.leaf, "exempt": sorted(choice.exempt), "method": method,
    }  # fmt: skip


def finding(one: Finding) -> dict[str, Any]:
    """Return a finding's place as JSON."""
    return {
        "rule": one.rule,
        "severity": one.severity.value if one.severity else None,
        "line": one.line,
        "index": one.index,
        "entry": one.entry,
        "part": one.part,
        "call_id": one.call_id,
        "variant": one.variant,
    }


def edit(one: Edit) -> dict[str, Any]:
    """Return an edit as JSON; values that do not apply are left out."""
    return {
        key: value.value if isinstance(value, Change) else value
        for key, value in one._asdict().items()
        if value not in (None, "")
    }


def _segment(one: Segment) -> list[Any]:
    if isinstance(one, Copy):
        return ["copy", one.start, one.end]
    try:
        return ["put", one.data.decode("utf-8")]
    except UnicodeDecodeError:
        return ["put-base64", base64.b64encode(one.data).decode()]


def load(path: str, data: bytes) -> Saved:
    """Read a plan; raise UsageError where it is none."""
    try:
        value = json.loads(data)
        if value["version"] != VERSION:
            raise UsageError(f"{path}: a plan of another version of condense", "make it again with --plan-out")
        size = _of(int, value["size"])
        plan = Plan(
            _of(str, value["path"]), _of(str, value["format"]), _of(str, value["sha256"]), size,
            tuple(map(_read_finding, value["findings"])), tuple(map(_read_finding, value["remaining"])),
            tuple(map(_read_edit, value["edits"])), tuple(_read_segment(row, size) for row in value["segments"]),
            tuple(CONTRACTS[CONTRACTS.index(name)] for name in value["contracts"]), _maybe(str, value["leaf"]),
            tuple(_of(str, name) for name in value.get("exempt", ())),
        )  # fmt: skip
        # A plan without choices was made by an earlier version, which kept only the contracts.
        choice = value.get("choice", {"contracts": value["contracts"]})
        return Saved(plan, _read_choice(choice), Method(choice.get("method", Method.REWRITE)))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise UsageError(
            f"{path}: not a plan of condense", "make one with `condense repair SESSION --plan-out FILE`"
        ) from None


def _read_choice(row: dict[str, Any]) -> Choice:
    kinds = {name: type(default) for name, default in Policies()._asdict().items()}
    return Choice(
        tuple(CONTRACTS[CONTRACTS.index(name)] for name in row.get("contracts", ())),
        frozenset(RULES[name].name for name in row.get("select", ())),
        frozenset(RULES[name].name for name in row.get("ignore", ())),
        Policies(**{name: _policy(kinds[name], value) for name, value in row.get("policies", {}).items()}),
        _maybe(str, row.get("leaf")),
        frozenset(_of(str, name) for name in row.get("exempt", ())),
    )


def _policy(kind: type[Any], value: Any) -> Any:
    return _of(bool, value) if kind is bool else kind(value)


def _of(kind: type[T], value: Any) -> T:
    """Return a value that is of this type; a plan may have been edited, and what is shown or applied trusts it."""
    if type(value) is not kind:
        raise TypeError
    found: T = value
    return found


def _maybe(kind: type[T], value: Any) -> T | None:
    return None if value is None else _of(kind, value)


def _read_edit(row: dict[str, Any]) -> Edit:
    return Edit(
        Change(row["change"]), RULES[row["rule"]].name, _of(int, row["line"]), _maybe(int, row.get("part")), _maybe(int, row.get("index")),  # noqa: E501 - a sentence is one text
        _maybe(int, row.get("target")), _maybe(str, row.get("call_id")), _of(str, row.get("detail", "")),
    )  # fmt: skip


def _read_segment(row: list[Any], size: int) -> Segment:
    kind, *what = row
    if kind == "copy":
        start, end = (_of(int, place) for place in what)
        if not 0 <= start <= end <= size:
            raise ValueError
        return Copy(start, end)
    (text,) = what
    if kind not in ("put", "put-base64"):
        raise ValueError
    return Put(_of(str, text).encode() if kind == "put" else base64.b64decode(_of(str, text)))


def _read_finding(row: dict[str, Any]) -> Finding:
    severity = Severity(row["severity"]) if row["severity"] else None
    line = _of(int, row["line"])
    return Finding(
        RULES[row["rule"]].name, line, Record(line, 0, 0), severity, _of(str, row.get("variant", "")), _maybe(int, row["part"]), _maybe(str, row["call_id"]),  # noqa: E501 - a sentence is one text
        index=_maybe(int, row["index"]), entry=_maybe(str, row["entry"]),
    )  # fmt: skip
