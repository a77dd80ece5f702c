"""What one record of a Claude Code session says: whose it is, its response, its halves and flaws.

One response of the model is written as several records with one `message.id`, mostly one block each, so
what is wrong with a whole response is decided in claude_thread.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.model.blocks import SIGNATURE_LENGTH, image_fault, is_placeholder
from condense_cli.model.messages import SERVER, Call, Flaw, Message, Paused, Record, Result, Role

if TYPE_CHECKING:
    from collections.abc import Iterator

LIVE = 1  # a user, assistant or system record: what leaves are chosen from
PROMPT = 2  # the user (or a compaction summary) said something
BOUNDARY = 4  # a compaction: the client reads on from here
ERROR = 8  # says that a request failed
SYNTHETIC = 16  # written by the client in the model's name; never sent

CHAIN_TYPES = frozenset({"user", "assistant", "system", "attachment", "progress"})
METADATA_TYPES = frozenset({
    "summary", "file-history-snapshot", "queue-operation", "last-prompt", "custom-title", "ai-title", "agent-name",
    "agent-setting", "mode", "permission-mode", "pr-link", "bridge-session", "tag", "worktree-state", "relocated",
    "frame-link", "fork-context-ref", "rewind-pointer",
})  # fmt: skip
_METADATA_KEYS = ("sessionId", "leafUuid", "messageId")

BLANK_TEXT = "only white space"
EMPTY_TEXT = "an empty text"
MIXED = "mixed"  # unsigned thinking in a response that has signed thinking, too: no part of it may go


class Owner(NamedTuple):
    """The session and agent that a record belongs to."""

    session: str | None
    agent: str | None
    sidechain: bool


class Facts(NamedTuple):
    """What a chain record says beside its message. time is ISO 8601; images: (block, image inside it) that are none."""

    owner: Owner
    time: str
    flags: int = 0
    response: str | None = None
    images: tuple[tuple[int, int], ...] = ()

    @property
    def provider(self) -> str:
        """Name the provider that wrote the record; the client sends all thinking back to it."""
        return "anthropic"

    @property
    def model(self) -> str:
        """All models of the provider count as one."""
        return ""


_new = tuple.__new__  # half of the cost of a named tuple is its own constructor, and there are three for each record
_OWNERS: dict[tuple[Any, Any, bool], Owner] = {}


def facts(record: Record) -> Facts:
    """Return the facts of a chain record."""
    extra = record.extra
    assert isinstance(extra, Facts)
    return extra


def is_record(value: dict[str, Any]) -> bool:
    """A record of the chain, or one of the metadata records by type and key."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if isinstance(value.get("uuid"), str) and "parentUuid" in value:
        return True
    return kind in METADATA_TYPES and any(key in value for key in _METADATA_KEYS)


def read(record: Record, value: dict[str, Any]) -> None:
    """Set the facts of one record; metadata records have no id, whatever they name."""
    kind = value.get("type")
    record.kind = kind if type(kind) is str and kind else "?"
    record.message = None
    ident = value.get("uuid")
    if type(ident) is not str or not ident:
        record.id = record.parent = record.extra = None
        return
    record.id = ident
    parent = value.get("parentUuid")
    record.parent = parent if type(parent) is str and parent else None
    session, agent, sidechain = value.get("sessionId"), value.get("agentId"), value.get("isSidechain") is True
    if type(session) is not str:
        session = None
    if agent is not None and type(agent) is not str:
        agent = None
    key = (session, agent, sidechain)
    owner = _OWNERS.get(key)
    if owner is None:
        owner = _OWNERS[key] = Owner(*key)
    time = value.get("timestamp")
    if type(time) is not str:
        time = ""
    if kind == "assistant":
        message = value.get("message")
        if type(message) is dict:
            _read_assistant(record, value, message, owner, time)
        else:
            record.extra = Facts(owner, time, LIVE)
    elif kind == "user":
        message = value.get("message")
        if type(message) is dict:
            _read_user(record, value, message.get("content"), owner, time)
        else:
            record.extra = Facts(owner, time, LIVE)
    elif kind == "system":
        subtype = value.get("subtype")
        if subtype == "local_command":
            record.message = Message(record, Role.CUSTOM)
        record.extra = Facts(owner, time, _SYSTEM.get(subtype, LIVE) if type(subtype) is str else LIVE)
    else:
        record.extra = Facts(owner, time)


_SYSTEM = {"compact_boundary": LIVE | BOUNDARY, "api_error": LIVE | ERROR}


def _read_assistant(record: Record, value: dict[str, Any], message: dict[str, Any], owner: Owner, time: str) -> None:
    flags = LIVE
    skipped = message.get("model") == "<synthetic>" or value.get("isApiErrorMessage") is True
    if skipped:
        flags |= SYNTHETIC
        if value.get("isApiErrorMessage") is True:
            flags |= ERROR
    response = message.get("id")
    record.extra = _new(Facts, (owner, time, flags, response if type(response) is str and response else None, ()))
    content = message.get("content")
    if type(content) is list and len(content) == 1 and not skipped:
        record.message = _read_single(record, content[0]) or _read_content(record, content, skipped=False)
    else:
        record.message = _read_content(record, content, skipped=skipped)


def _read_single(record: Record, block: Any) -> Message | None:
    """Read the one block that most records of a response hold, when nothing is wrong with it."""
    if type(block) is not dict:
        return None
    kind = block.get("type")
    if kind == "text":
        text = block.get("text")
        if type(text) is str and text and not text.isspace():
            return Message(record, Role.ASSISTANT, (), (), True, False, (), False)
    elif kind == "tool_use":
        ident, name = block.get("id"), block.get("name")
        if type(ident) is str and type(name) is str and type(block.get("input")) is dict:
            call = Call(record, 0, ident, name)
            return Message(record, Role.ASSISTANT, (call,), (), False, False, (), False)
    elif kind == "thinking":
        signature = block.get("signature")
        if type(signature) is str and len(signature) >= SIGNATURE_LENGTH:
            return Message(record, Role.ASSISTANT, (), (), False, False, (), True)
    return None


def _read_content(record: Record, content: Any, *, skipped: bool) -> Message:
    calls: list[Call] = []
    results: list[Result] = []
    flaws: list[Flaw] = []
    blank: list[tuple[int, str]] = []
    said = other = signed = unsigned = False
    behind = -1
    if type(content) is list:
        for part, block in enumerate(content):
            if type(block) is not dict:
                continue
            kind = block.get("type")
            if kind == "text":
                text = block.get("text")
                if type(text) is str and text and not text.isspace():
                    said = True
                    if calls and not calls[-1].server and behind < 0:
                        behind = calls[-1].part
                else:
                    blank.append((part, BLANK_TEXT if text else EMPTY_TEXT))
            elif kind == "thinking":
                signature = block.get("signature")
                if type(signature) is str and len(signature) >= SIGNATURE_LENGTH:
                    signed = True
                else:
                    unsigned = True
                    flaws.append(Flaw("unsigned-thinking", "", part))
            elif kind == "redacted_thinking":
                signed = True
            elif type(kind) is str and kind.endswith("tool_use"):
                ident, name = block.get("id"), block.get("name")
                ident = ident if type(ident) is str else None
                calls.append(Call(record, part, ident, name if type(name) is str else None, "" if kind == "tool_use" else SERVER))
                arguments = block.get("input")
                if type(arguments) is not dict:
                    missing = "input" not in block
                    flaws.append(Flaw("missing-arguments" if missing else "invalid-arguments", "", part, "", ident))
            elif type(kind) is str and kind.endswith("_tool_result"):
                ident = block.get("tool_use_id")
                results.append(Result(record, part, ident if type(ident) is str else None, family=SERVER))
            else:
                other = True
    elif type(content) is str:
        if content and not content.isspace():
            said = True
        else:
            blank.append((0, BLANK_TEXT if content else EMPTY_TEXT))
    if signed and unsigned:
        flaws = [f._replace(variant=MIXED) if f.rule == "unsigned-thinking" else f for f in flaws]
    if blank:
        if said or calls or results or other or signed or unsigned:
            flaws.extend(blank_text(record, part, how) for part, how in blank)
        else:
            flaws.append(Flaw("empty-message", "blank-assistant" if type(content) is list or content else "empty-assistant", blank[0][0], blank[0][1]))
    elif not (said or calls or results or other or signed or unsigned):
        flaws.append(Flaw("empty-message", "empty-assistant", 0))
    if calls and calls[-1].server and calls[-1].part == len(content) - 1:
        calls[-1] = calls[-1].seen_as(Paused)
    if behind >= 0:
        flaws.append(Flaw("text-after-call", "", behind))
    wrong = () if skipped else tuple(flaws)
    return Message(record, Role.ASSISTANT, tuple(calls), tuple(results), said or other, skipped, wrong, signed)


def blank_text(record: Record, part: int, how: str) -> Flaw:
    """Word the flaw of a blank text block that stands beside other content."""
    return Flaw("blank-text", "white" if how == BLANK_TEXT else "empty", part, record=record)


def _read_user(record: Record, value: dict[str, Any], content: Any, owner: Owner, time: str) -> None:
    results: tuple[Result, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    images: tuple[tuple[int, int], ...] = ()
    said = True
    if type(content) is str:
        if not content or content.isspace():
            flaws = (Flaw("empty-message", "user", 0),)
    elif type(content) is list and len(content) == 1 and type(content[0]) is dict and type(content[0].get("content")) is str:
        results, said, flaws, images = _read_single_result(record, content)
    elif type(content) is list and content:
        results, said, flaws, images = _read_blocks(record, content)
    else:
        flaws = (Flaw("empty-message", "user", 0),)
    flags = LIVE
    if said or not results:
        flags |= PROMPT
    role = Role.SUMMARY if value.get("isCompactSummary") is True else Role.USER if flags & PROMPT else Role.RESULT
    record.extra = _new(Facts, (owner, time, flags, None, images))
    record.message = Message(record, role, (), results, said, False, flaws, False)


_Blocks = tuple[tuple[Result, ...], bool, tuple[Flaw, ...], tuple[tuple[int, int], ...]]


def _read_single_result(record: Record, content: list[Any]) -> _Blocks:
    """Read the one result that most records of results hold."""
    block = content[0]
    ident, text = block.get("tool_use_id"), block["content"]
    if block.get("type") != "tool_result" or type(ident) is not str:
        return _read_blocks(record, content)
    made_up = len(text) < 300 and is_placeholder(text)
    return (Result(record, 0, ident, made_up),), False, (), ()


def _read_blocks(record: Record, content: list[Any]) -> _Blocks:
    results: list[Result] = []
    flaws: list[Flaw] = []
    images: list[tuple[int, int]] = []
    blank: list[tuple[int, str]] = []
    said = False
    late = -1
    for part, block in enumerate(content):
        if type(block) is not dict:
            continue
        kind = block.get("type")
        if kind == "tool_result":
            ident, inner = block.get("tool_use_id"), block.get("content")
            if type(inner) is list:
                made_up = len(inner) == 1 and type(inner[0]) is dict and _says_placeholder(inner[0].get("text"))
                for place, fault in _bad_images(inner):
                    images.append((part, place))
                    flaws.append(Flaw("invalid-image", "", part, fault))
                    break  # one at a time: a place is named by its block
            else:
                made_up = _says_placeholder(inner)
            results.append(Result(record, part, ident if type(ident) is str else None, made_up))
            if said and late < 0:
                late = part
        elif kind == "text":
            text = block.get("text")
            if type(text) is str and text and not text.isspace():
                said = True
            else:
                blank.append((part, BLANK_TEXT if text else EMPTY_TEXT))
        else:
            said = True
            if kind == "image":
                flaws.extend(Flaw("invalid-image", "", part, fault) for _, fault in _bad_images([block]))
    if blank:
        if said or results:
            flaws.extend(blank_text(record, part, how) for part, how in blank)
        else:
            flaws.append(Flaw("empty-message", "user", 0))
    if late >= 0:
        flaws.append(Flaw("results-not-first", "", late))
    return tuple(results), said, tuple(flaws), tuple(images)


def _says_placeholder(text: Any) -> bool:
    return type(text) is str and len(text) < 300 and is_placeholder(text)


def _bad_images(content: list[Any]) -> Iterator[tuple[int, str]]:
    for place, block in enumerate(content):
        if type(block) is dict and block.get("type") == "image":
            source = block.get("source")
            if type(source) is dict and source.get("type", "base64") == "base64":
                fault = image_fault(source.get("media_type"), source.get("data"))
                if fault:
                    yield place, fault
