"""The records of one response put together into one message, as the client does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from condense_cli.formats.claude_code.beside import beside_of
from condense_cli.formats.claude_code.chain import Chain
from condense_cli.formats.claude_code.facts import BLANK_TEXT, EMPTY_TEXT, MIXED, blank_text
from condense_cli.model.messages import Flaw, Message, Record, Role, unpaused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.records import Records
    from condense_cli.model.medium import Medium
    from condense_cli.model.messages import Call, Result


@dataclass(slots=True, eq=False)
class Response(Message):
    """A message that is made of several records."""

    records: tuple[Record, ...] = ()


def members(message: Message) -> tuple[Record, ...]:
    """Return the records that a message of a view is made of."""
    return message.records if isinstance(message, Response) else (message.record,)


class _Response:
    """One response while it is gathered: its records on the path and beside it, and results from side branches."""

    __slots__ = ("again", "beside", "cut", "late", "name", "parts")

    def __init__(self, name: str | None, part: Message) -> None:
        self.name = name
        self.parts = [part]
        self.beside: Sequence[Message] = ()
        self.late: Sequence[Message] = ()
        self.again: Sequence[Message] = ()  # second answers on side branches
        self.cut: list[Message] | None = None  # what follows once something was said in the middle of it


def speak(  # noqa: C901, PLR0912 - the kinds that are told apart are read best side by side
    document: Records, chain: Chain, path: Sequence[Record], context: Sequence[Record]
) -> tuple[list[Message], list[Record]]:
    """Return the messages that the client makes of a context, and the records beside the path that it reads with it."""
    beside = beside_of(chain, path if context is path else list({id(r): r for r in (*path, *context)}.values()))
    items: list[Message | _Response | Sequence[Message]] = []
    now: _Response | None = None
    assistant, result = Role.ASSISTANT, Role.RESULT
    for record in context:
        message = record.message
        if message is None or message.skipped:
            continue
        if message.role is not assistant:
            if now is not None and now.cut is None and message.role is not result:
                items.append(now.again)
                now.cut = []
                items += (message, now.cut)
            else:
                items.append(message)
            continue
        name = record.extra.response
        cut = None
        if now is not None:
            if name is not None and now.name == name:
                if now.cut is None:
                    now.parts.append(message)
                    continue
                if message.results:
                    # Server-side results that are cut off from their calls: they stand where their response broke off.
                    now.cut.append(Message(record, Role.RESULT, (), message.results, False))
                    if not (message.said or message.calls or message.signed or message.flaws):
                        continue
                    message = replace(message, results=())
                cut = now.cut
            elif now.again and now.cut is None:
                items.append(now.again)
        now = _Response(name, message)
        now.cut = cut
        items.append(now)
        if beside is not None and name is not None:
            now.beside = beside.siblings.pop(name, ())
            now.late = beside.results.pop(name, ())
            now.again = beside.again.pop(name, ())
    if now is not None and now.again and now.cut is None:
        items.append(now.again)
    return _said(document, chain, items)


def _said(
    document: Records, chain: Chain, items: list[Message | _Response | Sequence[Message]]
) -> tuple[list[Message], list[Record]]:
    """Return the messages in order, and the records among them that stand beside the path."""
    taken: list[Record] = []
    messages: list[Message] = []
    for item in items:
        if isinstance(item, _Response):
            messages.append(_joined(chain, item) if item.beside or len(item.parts) > 1 else item.parts[0])
            if item.beside or item.late or item.again:
                messages.extend(item.late)
                taken.extend(m.record for m in (*item.beside, *item.late, *item.again))
        elif isinstance(item, Message):
            messages.append(item)
        else:
            messages.extend(item)
    return messages, taken


def _joined(chain: Chain, response: _Response) -> Message:
    """Put the records of one response together into one message."""
    parts = response.parts
    first = parts[0].record
    if response.beside:
        parts = sorted([*parts, *response.beside], key=lambda m: chain.order.get(id(m.record), 0))
    said = signed = False
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    media: tuple[Medium, ...] = ()
    flawed = False
    last = parts[-1]
    for part in parts:  # most of them have one thing to say, and adding nothing to a tuple costs nothing
        said = said or part.said
        signed = signed or part.signed
        flawed = flawed or bool(part.flaws)
        calls += part.calls if part is last else unpaused(part.calls)
        results += part.results
        media += part.media
    flaws = tuple(_flaws(parts, signed=signed)) if flawed else ()
    return Response(
        first,
        Role.ASSISTANT,
        calls,
        results,
        said,
        False,
        flaws,
        signed,
        media,
        tuple([part.record for part in parts]),
    )


def _flaws(parts: list[Message], *, signed: bool) -> Iterator[Flaw]:
    """Judge again what depends on the rest of the response."""
    empty = [all(flaw.rule == "empty-message" for flaw in part.flaws) and bool(part.flaws) for part in parts]
    something = not all(empty)
    for part in parts:
        for flaw in part.flaws:
            flaw = flaw._replace(record=part.record)  # noqa: PLW2901 - the same flaw with its place
            if flaw.rule == "unsigned-thinking" and signed:
                yield flaw._replace(variant=MIXED)
            elif flaw.rule != "empty-message" or not something:
                yield flaw
            elif flaw.detail in (EMPTY_TEXT, BLANK_TEXT):
                yield blank_text(part.record, flaw.part, flaw.detail)
