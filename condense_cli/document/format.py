"""What a session format is: a base class with a default for every member. Registry and order: formats/__init__.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.records import BLANK, UNREADABLE
from condense_cli.document.views import CallPaths, Compacts, Head, ResultPaths, Tree, Turn, View
from condense_cli.errors import UsageError
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.messages import Call, Message, Record, Result, Role

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Look, Records
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.findings import Finding
    from condense_cli.pairing.pair import Pairing


_NO_KINDS = frozenset({BLANK, UNREADABLE})


class Format:
    """A session format: how its records are found, read, shown and changed. A format overrides what it has.

    A default means: nothing of the kind. Only what every session has is without one. Formats hold no state: what
    is learnt from one file is kept by its `reader` or by the file's `Records`.
    """

    name: str  # as `--format` takes it
    contract: str  # the contract that its own client (or API) insists on
    tree: Tree | None = None
    shared_results = False  # all results of a turn are in one message
    together = False  # and must be: results in a second message are cut off from their calls
    documents = False  # a file may be one JSON document
    containers: tuple[str, ...] = ()  # keys of an object under which its list of messages may be
    lines = True  # a record may be on a line
    rescued = False  # a document that breaks off is taken by its client for an empty one, and overwritten
    conversations = False  # a line may hold a whole conversation
    headers: frozenset[str] = frozenset()  # kinds of record that are headers; empty: none is needed
    one_header = False  # a second header is an error
    joins_neighbours = False  # neighbouring messages of one role are one turn, and stay messages all the same
    model_in_use = ModelInUse()  # the API that its messages are for, where no record says whose model is used
    cut_at_damage = False  # its client drops all that comes after a line that it cannot read
    leaves_calls_open = False  # its client goes on after a call at the end without a result, and sends it as it is
    signed_by = ""  # who signed its reasoning, whatever the model is called: anthropic, openai, google
    exact = False  # detection looks at every message it is shown: none of another API is among them
    own_shape = False  # its messages are shown in its own shape: it is an API's list of messages
    linked_by_calls = False  # a record may name a call as its parent
    pruned = False  # pi-condense prunes it, and keeps its index in it
    takes_context_edits = False  # its client reads `context_edit` entries, so a repair may append only
    compaction = Compacts.NONE
    stored_error_mark = b""  # bytes of every record in which the client stores an error; empty: it stores none

    # ------------------------------------------------------------------ detection and reading
    def detect(self, head: Head) -> bool:
        """Say whether this is a file of this format: some evidence for it, and none against it."""
        raise NotImplementedError

    def is_record(self, value: dict[str, Any]) -> bool:
        """Say whether an object found inside a damaged line is a whole record of this format."""
        raise NotImplementedError

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Set the record's kind, id, parent, message and extra from its value."""
        raise NotImplementedError

    def reader(self) -> Callable[[Record, dict[str, Any]], None]:
        """Return `read` for all records of one file: it may keep what they share. Called once per record: be quick."""
        return self.read

    def quick_look(self, contracts: Collection[str]) -> Look | None:
        """Return what tells of a conversation on a line that none of the contracts (none: its own) finds anything wrong
        with it, without records being made of its messages.
        """
        return None

    def understands(self, document: Records) -> bool:
        """Say whether anything in the file was understood; a file without messages is."""
        messages = document.passed.messages or any(record.message is not None for record in document.records)
        return bool(messages) or not document.unknown()

    def knows(self, kind: str) -> bool:
        """Say whether the client of this format writes records of a kind; what it does not write passes through
        untouched.
        """
        return kind != "?"

    def unknown_kinds(self, document: Records) -> Counter[str]:
        """Count the records of each kind that this format does not know."""
        kinds = Counter([record.kind for record in document.records])
        return Counter({kind: count for kind, count in kinds.items() if kind not in _NO_KINDS and not self.knows(kind)})

    def array_path(self, value: Any) -> Path:
        """Say where the array of messages is in a file that is one JSON document: the document itself."""
        return ()

    def is_neutral(self, head: Head) -> bool:
        """Say whether the messages could as well be those of another API: they hold nothing that only one has."""
        return False

    def version(self, document: Records) -> str | None:
        """Return the client's version where the file says it."""
        return None

    def migrate(self, document: Records, record: Record, value: dict[str, Any]) -> dict[str, Any]:
        """Return a record's value as the client has it in memory after it migrated an old version."""
        return value

    def needs_migration(self, document: Records) -> bool:
        """Say whether `migrate` changes anything in this file."""
        return False

    # ------------------------------------------------------------------ threads
    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the active thread, or all of them; raise UsageError for a leaf that is not there."""
        raise NotImplementedError

    def looked_at(self, document: Records) -> Iterator[View]:
        """Yield all threads for a check, the active one first; of another one at least what it takes to find all that
        no thread before it shows.
        """
        return self.views(document, None, every=True)

    def threads(self, document: Records) -> int:
        """Return the number of leaves; each conversation of a file has one."""
        return document.conversations

    def is_linear(self, document: Records) -> bool:
        """Say whether this file has no tree although the format may have one."""
        return self.tree is None

    def parents(self, document: Records) -> dict[str, Record | None]:
        """Name parents that are no record ids but known all the same: None is a root, a record is who is meant."""
        return {}

    def parent_of(self, document: Records, record: Record) -> str | None:
        """Return the id of the record that is the parent for the client."""
        return record.parent

    def owner(self, record: Record) -> Hashable:
        """Name the session and agent that a record belongs to."""
        return None

    def may_be_parent(self, record: Record) -> bool:
        """Say whether a repair may make a record the parent of another one of the same owner."""
        return True

    def is_turn(self, record: Record) -> bool:
        """Say whether a turn of the user, the model or a tool is in a record."""
        message = record.message
        return message is not None and not message.skipped and message.role in (Role.USER, Role.ASSISTANT, Role.RESULT)

    def speaks_for_user(self, document: Records, record: Record) -> bool:
        """Say whether a turn is not the user's although it is called so: the client wrote it in the user's name."""
        return False

    def moves_on_purpose(self, record: Record) -> bool:
        """Say whether a record is written when the user goes back or compacts: what it leaves out was left on
        purpose.
        """
        return self.is_boundary(record)

    def turn(self, document: Records, message: Message) -> Turn:
        """Load a message of a view with its texts, calls, results and images."""
        raise NotImplementedError

    def part_paths(self, message: Message, value: dict[str, Any]) -> Sequence[Path]:
        """Say where each block of `turn` is in the value of the message's record, in their order; for formats with
        `own_shape`.
        """
        return ()

    def stored(self, document: Records, view: View) -> Sequence[Message]:
        """Return all messages of a path, whatever compactions and edits leave out."""
        return [record.message for record in view.path if record.message is not None]

    def count(self, document: Records) -> tuple[int, int, int]:
        """Count messages, calls and results of the whole file."""
        messages = [record.message for record in document.records if record.message is not None]
        _, passed, calls, results = document.passed
        calls += sum(len(m.calls) for m in messages)
        return passed + len(messages), calls, results + sum(len(m.results) for m in messages)

    def records_of(self, document: Records, message: Message) -> Sequence[Record]:
        """Return the records that a message of a view is made of, beside those of its halves."""
        return ()

    def model_of(self, document: Records, view: View) -> str:
        """Return the name of the model that a thread uses now, "" where the file does not say it."""
        return view.model_in_use.model

    def is_boundary(self, record: Record) -> bool:
        """Say whether the client reads only what comes after this record."""
        return False

    def call_shown(self, document: Records, record: Record) -> str | None:
        """Return the id of the call that a record without a message shows to people."""
        return None

    def stored_error(self, value: dict[str, Any]) -> str:
        """Return the text of the error that the client stored in a record, or ""."""
        return ""

    def session_ids(self, document: Records) -> frozenset[str]:
        """Return the session ids in the records where the client finds a session by a file name that is its id."""
        return frozenset()

    # ------------------------------------------------------------------ what may be done to the file
    def is_fixed(self, document: Records) -> bool:
        """Say whether byte offsets into the file are kept elsewhere, so that no line may move or change its length."""
        return False

    def is_counted(self, document: Records) -> bool:
        """Say whether places of records are kept elsewhere, so that none may come between others or be taken out: what
        would go becomes a `stand_in`.
        """
        return False

    def notice(self, document: Records) -> str:
        """Return what the user of such a file should know whatever is found in it, or ""."""
        return ""

    def refuse_repair(self, document: Records) -> tuple[str, str] | None:
        """Return why a repair of this file is refused, and what to do instead, or None."""
        return None

    # ------------------------------------------------------------------ findings of this format alone
    def scan(self, document: Document) -> Iterable[Finding]:
        """Return what only this format can have wrong in the whole file."""
        return ()

    def fix(self, draft: Draft, finding: Finding) -> None:
        """Make the edits for one finding of `scan`."""

    def names(self, document: Records, record: Record) -> Iterable[str]:
        """Return the ids that a record names elsewhere than as its parent, where a repair must let them follow."""
        return ()

    def thread_findings(self, document: Records, view: View, pairing: Pairing) -> Iterable[Finding]:
        """Return what only this format can have wrong in a thread."""
        return ()

    # ------------------------------------------------------------------ places inside a record
    def call_paths(self, call: Call) -> CallPaths:
        """Say where a call and its parts are in its record."""
        raise NotImplementedError

    def result_paths(self, result: Result) -> ResultPaths:
        """Say where a result and its parts are in its record."""
        raise NotImplementedError

    def tools_of(self, document: Records, view: View) -> list[Any] | None:
        """Return the tools that the conversation of a view declares, None where nothing declares any."""
        return None

    def item_path(self, record: Record, part: int) -> Path:
        """Say where an item is in its record, for formats whose messages are made of items; part: its number in the
        record.
        """
        return ()

    def block_path(self, record: Record, part: int) -> Path:
        """Say where a content block is in its record."""
        return (*self.content_path(record), part)

    def content_path(self, record: Record) -> Path:
        """Say where the content of a message is in its record."""
        return ("content",)

    # ------------------------------------------------------------------ records and blocks made by a repair
    def header(self, document: Records) -> dict[str, Any] | None:
        """Build a header for a file that has none, or return None."""
        return None

    def text_block(self, record: Record, part: int, text: str) -> dict[str, Any]:
        """Build a block that says a text, of the kind that belongs at this place."""
        return {"type": "text", "text": text}

    def note_instead(self, raw: bytes, path: Path, record: Record, part: int, text: str) -> bytes:
        """Return the bytes of a record in which a text note is in the place of the image or document at a path."""
        return jsonedit.replace(raw, path, self.text_block(record, part, text))

    def text_of(self, record: Record, text: bytes) -> bytes:
        """Build the bytes of a block that says a text, which is given as a JSON string."""
        return jsonedit.dump(self.text_block(record, 0, "")).replace(b'""', text, 1)

    def answer_inside(self, raw: bytes, path: Path, text: str) -> bytes | None:
        """Return a message with a marked error for the call at a path; None where results are apart from calls."""
        return None

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the record that answers a call with a marked error; ids and times derive from the call."""
        raise NotImplementedError

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a marked user message that comes before a record."""
        return {"role": "user", "content": text}

    def replacement(self, document: Records, first: Record, after: Record, text: str) -> tuple[dict[str, Any], ...]:
        """Build what takes the place of the messages from `first` on, after a record that stays: a note, and what
        shows it.
        """
        return (self.user_note(document, first, text),)

    def result_note(self, document: Records, result: Result) -> dict[str, Any] | None:
        """Build a record that keeps the text of a result without a call, or return None."""
        return None

    def keep_leaf(self, document: Records, leaf: Record) -> dict[str, Any] | None:
        """Build what must be added so that `leaf` stays the end of the thread, or return None."""
        return None

    def leaf_place(self, document: Records, leaf: Record) -> Record:
        """Say after which record that is added: after the last one."""
        return document.records[-1]

    def stand_in(self, document: Records, record: Record) -> bytes:
        """Return what takes the place of a record whose line must stay."""
        return b""

    # ------------------------------------------------------------------ changes that only this format can make
    # Each returns False where the common way is right.
    def unlink(self, draft: Draft, gone: Record, successor: Record | None, rule: str) -> list[Record]:
        """Let references to a dropped record name the next one (`successor`) or its parent; return records that are
        dropped with it.
        """
        return []

    def drop_result(self, draft: Draft, result: Result, rule: str) -> bool:
        """Take a result out."""
        return False

    def move_result(self, draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
        """Move a result to its call; anchor: the last record of the call's cycle."""
        return False

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """Answer a call; anchor: the last record of its cycle."""
        return False

    def drop_call(self, draft: Draft, call: Call, rule: str) -> bool:
        """Take a call out."""
        return False

    def drop_block(self, draft: Draft, finding: Finding) -> bool:
        """Take out the block that a finding is about, or keep it where it must stay."""
        return False

    def add_first_user(self, draft: Draft, finding: Finding) -> bool:
        """Put a user message before a thread that starts with an answer."""
        return False

    def merge(self, draft: Draft, first: Record, second: Record, rule: str) -> bool:
        """Join the second of two messages of one role to the first."""
        return False

    def follow_rename(self, draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
        """Let what is keyed by a call's id follow when the call and its result get a new one."""

    def leaf_moved(
        self, draft: Draft, old: Record | None, new: Record | None, before: Record | None, rule: str
    ) -> None:
        """Let a leaf that is written down follow; it counts up to the record `before`, else to the end of the file."""

    def leads(self, draft: Draft, new: Record, record: Record, rule: str) -> None:
        """Let what names the first record of a kept part name the one that was put before it."""


def unknown_leaf(document: Records, leaf: str, what: str, listed: str) -> UsageError:
    """Return the error for a leaf that no record is; what: one of them, listed: how `render` calls all of them."""
    return UsageError(
        f"{document.path}: no {what} has the id {leaf}", f"`condense render --view stored` lists the {listed}"
    )
