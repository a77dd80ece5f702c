"""Kimi CLI's `context.jsonl`: chat messages, one on each line, between records of its own whose role starts with `_`.

Those records (system prompt, checkpoints, token counts) never reach a provider and stay where they are.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Block, Turn
from condense_cli.formats import messages, openai_chat
from condense_cli.formats.openai_chat import Extra
from condense_cli.model.blocks import words

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.document.format import Head, Tree
    from condense_cli.model.messages import Message, Record

NAME = "kimi"
CONTRACT = "openai-chat"
SHARED_RESULTS = False
CONVERSATIONS = False
_FILE = "context.jsonl"
_BESIDE = ("wire.jsonl", "state.json")

TREE: Tree | None = None
HEADERS, ONE_HEADER = messages.HEADERS, messages.ONE_HEADER
is_linear, parents, same_owner, find = messages.is_linear, messages.parents, messages.same_owner, messages.find
header, unlink, keep_leaf = messages.header, messages.unlink, messages.keep_leaf
version, threads, array_path = messages.version, messages.threads, messages.array_path
views, thread_findings = openai_chat.views, openai_chat.thread_findings
call_paths, result_paths = openai_chat.call_paths, openai_chat.result_paths
block_path, content_path, text_block = openai_chat.block_path, openai_chat.content_path, openai_chat.text_block
answer, user_note, result_note = openai_chat.answer, openai_chat.user_note, openai_chat.result_note


def detect(head: Head) -> bool:
    """A record whose role starts with `_`, or the client's name for the file among the files that it writes beside it."""
    if any(_is_own(value) for value in head.records):
        return True
    folder, name = os.path.split(head.path)
    beside = name == _FILE and any(os.path.isfile(os.path.join(folder, other)) for other in _BESIDE)
    return beside and any("role" in value for value in head.records)


def _is_own(value: dict[str, Any]) -> bool:
    role = value.get("role")
    return isinstance(role, str) and role.startswith("_")


def is_record(value: dict[str, Any]) -> bool:
    """A message, or a record of the client's own."""
    return _is_own(value) or openai_chat.is_record(value)


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one line: a chat message, or a record without one."""
    if _is_own(value):
        record.kind = value["role"]
        record.message = None
        return
    openai_chat.read(record, value)
    # What the client reads as thinking it sends as reasoning_content.
    if record.message is not None and any(block.get("type") == "think" for block in messages.blocks(value)):
        record.extra = Extra(True, record.extra.custom)


def turn(document: Document, message: Message) -> Turn:
    """Load one message; thinking is a part of its content."""
    shown = openai_chat.turn(document, message)
    parts = messages.blocks(document.value(message.record))
    thoughts = [Block("thinking", words(part.get("think"))) for part in parts if part.get("type") == "think"]
    rest = (block for block in shown.blocks if (block.kind, block.text) != ("other", "think"))
    return shown._replace(blocks=(*thoughts, *rest)) if thoughts else shown
