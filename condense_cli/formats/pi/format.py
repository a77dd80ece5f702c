"""pi sessions, versions 1 to 3: a header, then entries that form a tree by id and parentId.

The leaf is the last line of the file, whatever its type; the thread is the path from there to a root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import CallPaths, Head, ResultPaths, Tree, View
from condense_cli.formats.pi import detection, header, made, migration, reading, renames, side_threads, threads, unlink
from condense_cli.formats.pi.entries import Entries
from condense_cli.model.messages import Call, Record, Result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records


class Pi(Entries):
    """pi sessions, versions 1 to 3."""

    name = "pi"
    contract = "pi"
    tree = Tree("id", "parentId", (("targetId",), ("firstKeptEntryId",), ("fromId",)))
    takes_context_edits = True

    def detect(self, head: Head) -> bool:
        """A session header, or entries with id, parentId and a known type where the header is lost."""
        return detection.detect(head)

    def is_record(self, value: dict[str, Any]) -> bool:
        """A header, an entry of a tree, or an entry of a version 1 file."""
        return reading.is_record(value)

    def knows(self, kind: str) -> bool:
        """The header and the entries of pi."""
        return kind in reading.ENTRY_TYPES or kind == "session"

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Set the facts of one entry; call_types are the block types that ask for a tool."""
        reading.read(record, value, reading.Shared())

    def reader(self) -> Callable[[Record, dict[str, Any]], None]:
        """Return what reads the entries of one file, which share ids and models."""
        shared, read = reading.Shared(), reading.read
        return lambda record, value: read(record, value, shared)

    def migrate(self, document: Records, record: Record, value: dict[str, Any]) -> dict[str, Any]:
        """Return the entry as version 3 has it; ids of a version 1 file are its positions in hexadecimal."""
        return migration.migrate(document, record, value)

    def needs_migration(self, document: Records) -> bool:
        """Say whether pi would migrate the file: its header names no version, or one before 3."""
        return migration.needs_migration(document)

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the active thread first, and with `every` each other one."""
        return threads.views(document, leaf, every)

    def looked_at(self, document: Records) -> Iterator[View]:
        """Yield of a side thread only what no thread before it shows: whole ones would take quadratic time."""
        return side_threads.looked_at(document)

    def threads(self, document: Records) -> int:
        """Return the number of leaves."""
        return threads.threads(document)

    def is_linear(self, document: Records) -> bool:
        """Say whether this is version 1, without a tree: the first header decides, and without one the entries' ids
        do.
        """
        return threads.is_linear(document)

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a block of message.content."""
        block = ("message", "content", call.part)
        return CallPaths(block, (*block, "id"), (*block, "name"), (*block, "arguments"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a record of its own."""
        return ResultPaths((), ("message", "toolCallId"), ("message", "toolName"))

    def header(self, document: Records) -> dict[str, Any] | None:
        """Build a header: id from the broken line or the file name, else from the content; time from the first
        entry.
        """
        return header.header(document)

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a user entry that takes the place of the record's parent."""
        return made.user_note(document, before, text)

    def keep_leaf(self, document: Records, leaf: Record) -> dict[str, Any] | None:
        """Build an entry that makes `leaf` the end of the thread again, when another branch's entry became the last
        line.
        """
        return made.keep_leaf(document, leaf)

    def names(self, document: Records, record: Record) -> Iterable[str]:
        """Return the id that an entry names elsewhere than as its parent."""
        return unlink.names(record)

    def unlink(self, draft: Draft, gone: Record, successor: Record | None, rule: str) -> list[Record]:
        """Let what names a record that goes name its parent, or what came after it; return edits that lose their
        target.
        """
        return unlink.unlink(draft, gone, successor, rule)

    def follow_rename(self, draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
        """Let pi-condense's entries follow when one occurrence of an id (the id at the result's time) is renamed."""
        renames.follow_rename(draft, call, result, new, rule)
