"""Where in the file the message is that an error text names by its index, and which messages weigh most."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from condense_cli.document.document import Document
from condense_cli.document.views import View
from condense_cli.model.messages import Message, Record, Role

_INDEX = re.compile(r"\b(messages|input|contents)([.\[\s])(\d{1,9})\b|\bmessage (?:at position|index) (\d{1,9})\b")
_MOST = 5  # messages that are named as the heaviest
_ASKS = frozenset({Role.USER, Role.RESULT, Role.CUSTOM, Role.SUMMARY})
_ONE_EACH = frozenset({"openai-completions", "mistral-conversations"})
_CHATS = frozenset({"kimi", "opencode", "openai-chat"})


class Position(NamedTuple):
    """A message that a text names (`messages.5`): the lines on which it is, from 1; none if the file has no such
    one.
    """

    name: str
    lines: tuple[int, ...]


class Weight(NamedTuple):
    """A record and how much of the file it is, in bytes."""

    line: int
    size: int


def named_indexes(text: str) -> tuple[str, ...]:
    """Return the indexes that a text names, each spelled `messages.5` or, as chat completions do, `messages[5]`."""
    return tuple(dict.fromkeys(_spelled(found) for found in _INDEX.finditer(text)))


def _spelled(found: re.Match[str]) -> str:
    if found[1] is None:
        return f"messages[{int(found[4])}]"
    return f"{found[1]}[{int(found[3])}]" if found[2] == "[" else f"{found[1]}.{int(found[3])}"


def positions(text: str, document: Document, view: View) -> tuple[Position, ...]:
    """Return where the messages are that a text names by index, counted as the client of the session sends them."""
    return tuple(Position(name, _lines(name, document, view)) for name in named_indexes(text))


def heaviest(document: Document, view: View) -> tuple[Weight, ...]:
    """Return the largest records that the client reads of a thread, the largest first."""
    found = [Weight(record.line, record.end - record.start) for record in _read(document, view) if record.message]
    return tuple(sorted(found, key=lambda one: (-one.size, one.line))[:_MOST])


def _read(document: Document, view: View) -> Sequence[Record]:
    return document.records if document.format.conversations else [*view.path, *view.beside]


def _lines(name: str, document: Document, view: View) -> tuple[int, ...]:
    records = next(islice(_sent(name, document, view), int(re.sub(r"\D", "", name)), None), ())
    return tuple(dict.fromkeys(record.line for record in records))


def _sent(name: str, document: Document, view: View) -> Iterator[Sequence[Record]]:
    """Yield the records of each message of the request, in the order in which the client sends them."""
    if any(document.index(record) is not None for record in view.path[:1]):
        return ([record] for record in document.records)
    if name.startswith("input"):
        return _items(document, view)
    chat = view.model_in_use.api in _ONE_EACH and name.endswith("]")
    if name.startswith("messages") and (chat or document.format.contract in _CHATS):
        return _one_each(view)
    return _joined(view.messages)


def _items(document: Document, view: View) -> Iterator[Sequence[Record]]:
    """Yield the items of the Responses API: each is one record."""
    for message in view.messages:
        for record in document.format.records_of(document, message) or (message.record,):
            yield (record,)


def _one_each(view: View) -> Iterator[Sequence[Record]]:
    """Yield chat messages; a client that keeps its system prompt elsewhere sends it as message 0."""
    sent = [message for message in view.messages if not message.skipped]
    if not any(message.role is Role.SYSTEM for message in sent[:1]):
        yield []
    for message in sent:
        yield [message.record]


def _joined(messages: Sequence[Message]) -> Iterator[Sequence[Record]]:
    """Yield turns: neighbours of one side are one message of the request, and system texts are none."""
    group: list[Record] = []
    side: bool | None = None
    for message in messages:
        if message.skipped or message.role is Role.SYSTEM:
            continue
        asks = message.role in _ASKS
        if group and asks is not side:
            yield group
            group = []
        side = asks
        group.append(message.record)
    if group:
        yield group
