"""What Claude Code makes of a path: from its last compaction on, with what that preserved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from condense_cli.document.format import unknown_leaf
from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import View
from condense_cli.formats.claude_code.chain import Chain, _text, chain_of
from condense_cli.formats.claude_code.facts import BOUNDARY, OTHER_HOST, PROMPT, facts
from condense_cli.formats.claude_code.responses import speak
from condense_cli.model.messages import Message, Record, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.records import Records


WRITER = ModelInUse("anthropic-messages", "anthropic", "")
_OTHER = ModelInUse("anthropic-messages", "", "")


def view_of(document: Records, leaf: Record | None) -> View:
    """Read the thread that ends at a leaf as the client does: from its last compaction on."""
    chain = chain_of(document)
    path = chain.path(leaf)
    messages, beside = speak(document, chain, path, current(document, chain, path))
    if (
        chain.sidechain
        and not any(facts(record).flags & PROMPT for record in path)
        and not any(message.calls for message in messages)
    ):
        messages = [
            replace(message, skipped=True) for message in messages
        ]  # the warm-up of a subagent, which nobody sends
    return View(path, messages, _writer(path), leaf, beside)


def _writer(path: Sequence[Record]) -> ModelInUse:
    """Return the host that the thread uses now: the one that answered last."""
    for record in reversed(path):
        message = record.message
        if message is not None and message.role is Role.ASSISTANT and not message.skipped:
            return _OTHER if facts(record).flags & OTHER_HOST else WRITER
    return WRITER


def whole(document: Records, view: View) -> list[Message]:
    """Return all messages of a thread, those before a compaction, too."""
    return speak(document, chain_of(document), view.path, view.path)[0]


def current(document: Records, chain: Chain, path: Sequence[Record]) -> Sequence[Record]:
    """Return the part of a path that the client reads: after the last compaction, and what that one preserved."""
    if not chain.logical:
        return path
    at = max((n for n, r in enumerate(path) if facts(r).flags & BOUNDARY), default=None)
    if at is None:
        return path
    rest = list(path[at + 1 :])
    kept, anchor = preserved(document, chain, path[at])
    here = {id(r) for r in rest}
    kept = [r for r in kept if id(r) not in here]
    if kept:
        place = next((n + 1 for n, r in enumerate(rest) if r.id == anchor), 0)
        rest[place:place] = kept
    return rest


def preserved(document: Records, chain: Chain, boundary: Record) -> tuple[list[Record], str | None]:
    """Return the records that a compaction preserved, and the id of the record that they go after."""
    metadata = document.value(boundary).get("compactMetadata")
    if not isinstance(metadata, dict):
        return [], None
    listed, segment = metadata.get("preservedMessages"), metadata.get("preservedSegment")
    if isinstance(listed, dict) and isinstance(listed.get("uuids"), list):
        found = [chain.named(ident, boundary) for ident in listed["uuids"] if isinstance(ident, str)]
        return [r for r in found if r is not None], _text(listed.get("anchorUuid"))
    if isinstance(segment, dict):
        head, tail = _text(segment.get("headUuid")), _text(segment.get("tailUuid"))
        kept: list[Record] = []
        for record in chain.up(chain.named(tail, boundary)):
            kept.append(record)
            if record.id == head:
                kept.reverse()
                return kept, _text(segment.get("anchorUuid"))
    return [], None


def views(document: Records, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the active thread first, and with `every` each other one, subagents inside the file included."""
    chain = chain_of(document)
    end = chain.leaf()
    if leaf is not None:
        end = chain.owners.get(leaf)
        if end is None:
            raise unknown_leaf(document, leaf, "entry", "entries")
    yield view_of(document, end)
    if every:
        for other in _ends(chain):
            if other is not end:
                yield view_of(document, other)


def threads(document: Records) -> int:
    """Return the number of leaves, results on side branches and subagents inside the file included."""
    return len(_ends(chain_of(document)))


def _ends(chain: Chain) -> list[Record]:
    ends = chain.ends(sidechain=chain.sidechain)
    return ends if chain.sidechain or not chain.has_sides else ends + chain.ends(sidechain=True)
