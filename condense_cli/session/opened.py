"""An opened session, as commands that show things use it: records of a thread, and their values when asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from types import TracebackType
from typing import Any, Self

from condense_cli.document.document import Document
from condense_cli.document.format import Format
from condense_cli.document.views import View
from condense_cli.formats.read import Watch, read_document
from condense_cli.model.messages import Record
from condense_cli.storage.source import UNPACK_LIMIT, Source, open_source


class Session:
    """A session as its client reads it: nothing in it was repaired. Close it, or use it as a context manager."""

    def __init__(self, source: Source, document: Document, leaf: str | None, asked: str = "auto") -> None:
        self.source = source
        self.document = document
        self.path = source.path
        self.leaf = leaf
        self.asked = asked  # the format that was asked for

    @property
    def format(self) -> Format:
        """Return the format."""
        return self.document.format

    @property
    def records(self) -> list[Record]:
        """Return all records in file order."""
        return self.document.records

    def branch(self, leaf: str | None = None) -> list[Record]:
        """Return the records of one thread, root to leaf; what the client reads beside it is where the file has it.

        Of a file of conversations return the records of all.
        """
        if self.conversations > 1:
            return list(self.document.readable())
        view = self.view(leaf)
        if not view.beside:
            return list(view.path)
        mine = {id(record) for record in (*view.path, *view.beside)}
        return [record for record in self.document.records if id(record) in mine]

    def view(self, leaf: str | None = None) -> View:
        """Return the active thread, or the one that ends at an entry id."""
        return next(iter(self.format.views(self.document, leaf or self.leaf, every=False)))

    def views(self) -> Iterator[View]:
        """Yield the active thread; of a file of conversations each one."""
        return self.format.views(self.document, self.leaf, every=False)

    @property
    def conversations(self) -> int:
        """Return how many conversations are side by side in the file: 1 for a session, which may have many threads."""
        return self.document.conversations

    def load(self, record: Record) -> dict[str, Any]:
        """Return the record's value as the client has it: read leniently, old versions migrated in memory."""
        return self.format.migrate(self.document, record, self.document.value(record))

    @property
    def migrates(self) -> bool:
        """Say whether the client has other values in memory than the file holds, or may have."""
        return self.format.needs_migration(self.document)

    def loader(self) -> Callable[[Record], dict[str, Any]]:
        """Return what loads an entry: straight from its bytes where nothing has to be migrated."""
        return self.load if self.migrates else self.document.value

    def close(self) -> None:
        """Close the file."""
        self.source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_session(
    path: str,
    format_name: str = "auto",
    leaf: str | None = None,
    watch: Watch | None = None,
    *,
    max_size: int = UNPACK_LIMIT,
    judged_by: Collection[str] | None = None,
) -> Session:
    """Open and read a session; "-" is standard input. Raises UnreadableError where it is none.

    watch, judged_by: see read_document. max_size: bytes to which a compressed file may unpack.
    """
    source = open_source(path, max_size=max_size)
    try:
        asked = source.place.format if source.place is not None and format_name == "auto" else format_name
        return Session(source, read_document(source.path, source, asked, watch, judged_by), leaf, asked)
    except BaseException:
        source.close()
        raise
