"""What tells an OpenClaw session from one of pi: a mark in the content, the name or the place of the file."""

from __future__ import annotations

import os
import re
from typing import Any

from condense_cli.document.views import Head
from condense_cli.formats.openclaw.reading import CALLS, is_entry

NEWEST = 4


UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


IN_NAME = re.compile(rf"^({UUID})(?:-topic-[^.]*)?\.jsonl")


_IN_STORE = re.compile(r"[/\\]agents[/\\][^/\\]+[/\\]sessions[/\\]")


_BROKEN_HEADER = re.compile(rb'[^\n]*?"type"\s*:\s*"session"[^\n]*?"version"\s*:\s*[4-9]\b')
"""A first line that is no record and says what OpenClaw's header says."""


def detect(head: Head) -> bool:
    """pi's entries below a session header, and a mark of OpenClaw in the content, the name or the place of the file."""
    for value in head.records:
        if value.get("type") == "session" and isinstance(value.get("id"), str):
            newer = value.get("version")
            if newer in (0, None) or not _looks_like_entries(head.records):
                return False
            return (isinstance(newer, int) and newer >= NEWEST) or _marked(head)
    return (
        any(is_entry(value) for value in head.records)
        and not any("uuid" in value for value in head.records)
        and _marked(head)
    )


def _looks_like_entries(records: tuple[dict[str, Any], ...]) -> bool:
    others = [value for value in records if value.get("type") != "session"]
    return not others or any(is_entry(value) for value in others)


def _marked(head: Head) -> bool:
    if any(_is_mark(value) for value in head.records) or _has_other_parents(head.records):
        return True
    if _BROKEN_HEADER.match(head.raw):
        return True
    path = head.path
    if _IN_STORE.search(path) or IN_NAME.match(os.path.basename(path)):
        return True
    return os.path.isfile(path) and os.path.isfile(os.path.join(os.path.dirname(path), "sessions.json"))


def _has_other_parents(records: tuple[dict[str, Any], ...]) -> bool:
    """Say whether a parent is the header, or a call of a tool: pi knows entries only."""
    named = {value.get("parentId") for value in records if isinstance(value.get("parentId"), str)}
    known = {value["id"] for value in records if value.get("type") != "session" and isinstance(value.get("id"), str)}
    others = {value["id"] for value in records if value.get("type") == "session" and isinstance(value.get("id"), str)}
    for value in records:
        message = value.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        others |= (
            {
                b["id"]
                for b in content
                if isinstance(b, dict)
                and isinstance(b.get("type"), str)
                and b["type"] in CALLS
                and isinstance(b.get("id"), str)
            }
            if isinstance(content, list)
            else set()
        )
    return bool((named - known) & others)


def _is_mark(value: dict[str, Any]) -> bool:
    custom, message = value.get("customType"), value.get("message")
    if isinstance(message, dict) and message.get("provider") == "openclaw":
        return True
    return (
        value.get("type") in ("reset", "leaf")
        or "appendMode" in value
        or (isinstance(custom, str) and (custom == "model-snapshot" or custom.startswith("openclaw")))
    )
