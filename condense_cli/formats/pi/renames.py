"""pi-condense's entries that name a call by its id, when the call gets a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit
from condense_cli.jsonbytes.javascript import double
from condense_cli.jsonbytes.jsonread import strings
from condense_cli.model.messages import Call, Record, Result
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records


def follow_rename(draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
    """Let pi-condense's entries follow when one occurrence of an id (the id at the result's time) is renamed."""
    if result is None or not call.id:
        return
    message = draft.value(result.record).get("message")
    time = message.get("timestamp") if isinstance(message, dict) else None
    if not isinstance(time, (int, float)) or isinstance(time, bool):
        return
    for record in draft.derived(_naming).get(call.id, ()):
        raw = draft.raw(record)
        changed = _renamed_keys(raw, draft.value(record), call.id, time, new)
        if changed != raw:
            draft.rewrite(record, changed, rule, Change.REPLACE, call_id=call.id)


def _naming(document: Records) -> dict[str, list[Record]]:
    """Return call id -> the entries of pi-condense that name it."""
    found: dict[str, list[Record]] = {}
    for record in document.readable():
        if record.kind in ("custom", "custom_message"):
            for text in dict.fromkeys(strings(document.value(record))):
                found.setdefault(text.rpartition("@")[0] or text, []).append(record)
                if "@" in text:
                    found.setdefault(text, []).append(record)
    return found


def _renamed_keys(raw: bytes, value: dict[str, Any], old: str, time: float, new: str) -> bytes:
    kind = value.get("customType")
    if kind == "context-prune-summary":
        return _renamed_refs(raw, value.get("details"), ("details", "toolCallRefs"), old, time, new)
    data = value.get("data")
    if not isinstance(data, dict):
        return raw
    if kind == "context-prune-index":
        raw = _renamed_refs(raw, data, ("data", "toolCalls"), old, time, new)
        return _renamed_refs(raw, data, ("data", "refs"), old, time, new)
    if kind == "context-prune-dedup-alias":
        for name in ("new", "original"):
            if data.get(f"{name}ToolCallId") == old and data.get(f"{name}ResultTimestamp") == time:
                raw = jsonedit.replace(raw, ("data", f"{name}ToolCallId"), new)
        return raw
    if kind == "context-prune-chain":
        return _renamed_chain(raw, data, old, time, new)
    return raw


def _renamed_refs(raw: bytes, holder: Any, path: tuple[str, ...], old: str, time: float, new: str) -> bytes:
    listed = holder.get(path[-1]) if isinstance(holder, dict) else None
    for n, one in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(one, dict) and one.get("toolCallId") == old and one.get("resultTimestamp") == time:
            raw = jsonedit.replace(raw, (*path, n, "toolCallId"), new)
    return raw


def _renamed_chain(raw: bytes, data: dict[str, Any], old: str, time: float, new: str) -> bytes:
    key = f"{old}@{int(time) if float(double(time)).is_integer() else time}"
    keys = data.get("droppedOccurrenceKeys")
    keys = keys if isinstance(keys, list) else []
    if key not in keys:
        return raw
    raw = jsonedit.replace(raw, ("data", "droppedOccurrenceKeys", keys.index(key)), new + key[len(old) :])
    others = any(isinstance(k, str) and k != key and k.rpartition("@")[0] == old for k in keys)
    for name in ("droppedToolCallIds", "protectedToolCallIds"):
        listed = data.get(name)
        if isinstance(listed, list) and old in listed:
            at = listed.index(old)
            raw = (
                jsonedit.insert(raw, ("data", name), at + 1, new)
                if others
                else jsonedit.replace(raw, ("data", name, at), new)
            )
    return raw
