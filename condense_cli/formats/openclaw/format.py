"""OpenClaw sessions in JSONL, headers of version 3 and 4: pi's entries, read with a leaf that is moved about.

The file is folded from top to bottom: each entry of a known type becomes the leaf unless it is aside, a `leaf`
entry puts the leaf somewhere else, and an entry without a parent that is known so far gets the leaf as its parent.
Current versions keep their sessions in SQLite; the JSONL is what they import, or an archive.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import CallPaths, Head, ResultPaths, Tree, View
from condense_cli.formats.openclaw import detection, links, reading, threads
from condense_cli.formats.openclaw.detection import IN_NAME, NEWEST, UUID
from condense_cli.formats.openclaw.reading import Aside, _InputCall, _ToolUseResult
from condense_cli.formats.pi import header as pi_header
from condense_cli.formats.pi import made as pi_made
from condense_cli.formats.pi.entries import Entries
from condense_cli.formats.pi.reading import Shared
from condense_cli.model.messages import Call, Record, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from condense_cli.document.document import Document
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.model.findings import Finding


_NOTICE = (
    "current OpenClaw versions keep sessions in SQLite: this JSONL file is what they import, or an archive, "
    "and changing it has no effect once it was imported"
)


class OpenClaw(Entries):
    """OpenClaw sessions in JSONL."""

    name = "openclaw"
    contract = "openclaw"
    linked_by_calls = True
    tree = Tree("id", "parentId", (("targetId",), ("appendParentId",), ("firstKeptEntryId",), ("fromId",)))

    def detect(self, head: Head) -> bool:
        """pi's entries below a session header, and a mark of OpenClaw in the content, the name or the place of the
        file.
        """
        return detection.detect(head)

    def is_record(self, value: dict[str, Any]) -> bool:
        """A header, or an entry."""
        return reading.is_record(value)

    def knows(self, kind: str) -> bool:
        """pi's entries, and what moves the leaf."""
        return kind in reading.CANONICAL or kind in ("session", "leaf", "usage", "context_edit")

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one entry: pi's facts, and what OpenClaw adds to them."""
        reading.read(record, value, Shared())

    def reader(self) -> Callable[[Record, dict[str, Any]], None]:
        """Return what reads the entries of one file, which share ids and models."""
        return partial(reading.read, shared=Shared())

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the active thread first, and with `every` each other one."""
        return threads.views(document, leaf, every)

    def threads(self, document: Records) -> int:
        """Return the number of leaves."""
        return threads.threads(document)

    def is_linear(self, document: Records) -> bool:
        """Say whether no entry has an id."""
        return threads.is_linear(document)

    def parents(self, document: Records) -> dict[str, Record | None]:
        """Name parents that are no entries: the header is the root, a tool call means the entry that made it."""
        return threads.parents(document)

    def parent_of(self, document: Records, record: Record) -> str | None:
        """Return the parent that reading the file from top to bottom gives an entry."""
        return threads.parent_of(document, record)

    def may_be_parent(self, record: Record) -> bool:
        """Say whether a record may have children: not one that only moves the leaf, or is beside the thread."""
        return record.kind != "leaf" and not isinstance(record.kind, Aside)

    def notice(self, document: Records) -> str:
        """Say that the file is not where current versions look."""
        return _NOTICE

    def refuse_repair(self, document: Records) -> tuple[str, str] | None:
        """Refuse to touch the cold archive: its files are verified by hash."""
        folders = os.path.dirname(os.path.abspath(document.path)).split(os.sep)
        if "cold" in folders and "sessions" in folders:
            return (
                "a cold archive is verified by hash and only read",
                "`condense render` and `condense query` read it; work on a copy elsewhere",
            )
        return None

    def scan(self, document: Document) -> Iterator[Finding]:
        """Yield entries whose parent or target comes after them: the client, which reads once, does not see it."""
        return threads.scan(document)

    def fix(self, draft: Draft, finding: Finding) -> None:
        """Write the parent into the entry that the client gives it."""
        threads.fix(draft, finding)

    def names(self, document: Records, record: Record) -> Iterable[str]:
        """Return the ids that an entry names elsewhere than as its parent."""
        return links.names(document, record)

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a block of message.content; its arguments have one of two names."""
        block = ("message", "content", call.part)
        return CallPaths(
            block, (*block, "id"), (*block, "name"), (*block, "input" if isinstance(call, _InputCall) else "arguments")
        )

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a record of its own; its id has one of two names."""
        return ResultPaths(
            (),
            ("message", "toolUseId" if isinstance(result, _ToolUseResult) else "toolCallId"),
            ("message", "toolName"),
        )

    def header(self, document: Records) -> dict[str, Any] | None:
        """Build a header: version 4 for entries with UUIDs, else 3."""
        first = next((r.id for r in document.readable() if r.id), "")
        return pi_header.build_header(document, NEWEST if re.fullmatch(UUID, first) else 3, IN_NAME)

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a user entry that takes the place of the record's parent."""
        made = pi_made.user_note(document, before, text)
        return {**made, "parentId": made.get("parentId") or None} if "parentId" in made else made

    def keep_leaf(self, document: Records, leaf: Record) -> dict[str, Any] | None:
        """Build an entry that makes `leaf` the end of the thread again, when another branch's entry became it."""
        return links.keep_leaf(document, leaf)

    def unlink(self, draft: Draft, gone: Record, successor: Record | None, rule: str) -> list[Record]:
        """Let what names a record that goes name its parent, or what came after it."""
        return links.unlink(draft, gone, successor, rule)

    def leaf_moved(
        self, draft: Draft, old: Record | None, new: Record | None, before: Record | None, rule: str
    ) -> None:
        """Let the `leaf` entry that put the leaf on a record put it on a new one; place (from 0) is where that
        counts, else the end.
        """
        links.leaf_moved(draft, old, new, before, rule)

    def leads(self, draft: Draft, new: Record, record: Record, rule: str) -> None:
        """Let a reset that keeps a record keep what was put before it."""
        links.leads(draft, new, record, rule)
