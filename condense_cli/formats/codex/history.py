"""What Codex sends of a rollout: the history after compactions and rollbacks, put together to turns."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.formats.codex.items import BARE, REASONING, Item
from condense_cli.model.messages import Call, Flaw, FollowedCall, Message, Record, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Compaction(NamedTuple):
    """A compacted record. items: its replacement_history, None where it has only a summary."""

    items: tuple[Item, ...] | None
    ordinal: int | None = None


class Context(NamedTuple):
    """The model that is used from this record on."""

    model: str
    ordinal: int | None = None


class Rollback(NamedTuple):
    """The last turns of the user are taken back."""

    turns: int
    ordinal: int | None = None


class History(NamedTuple):
    """The items that are sent, in order, the model in use at the end, and the reasoning that another one wrote."""

    items: list[Item]
    model: str
    foreign: Mapping[int, str]  # id() of items -> the model that wrote them


@dataclass(slots=True, eq=False)
class Spoken(Message):
    """A message that is made of several items, or of items inside a replacement_history."""

    items: Sequence[Item] = ()


def replay(records: Iterable[Record], *, bare: bool = False) -> History:
    """Walk over the records as the client does when it resumes; items without an envelope count in a bare file only.

    A compaction replaces what came before it; a rollback takes back whole turns of the user, with a compaction
    that happened in one of them.
    """
    history: list[Item] = []
    turns: list[tuple[list[Item], int]] = []  # where each turn of the user began: the list as it was, its length
    model = ""
    models_in_use: dict[int, str] = {}
    for record in records:
        extra = record.extra
        kind = type(extra)
        if kind is Item:
            if record.kind == BARE and not bare:
                continue
            if extra.prompt:
                turns.append((history, len(history)))
            elif extra.kind is REASONING and model:
                models_in_use[id(extra)] = model
            history.append(extra)
        elif kind is Context:
            model = extra.model
        elif kind is Compaction:
            history = list(extra.items) if extra.items is not None else _summarised(history, record)
        elif kind is Rollback and extra.turns > 0:
            history = _rolled_back(history, turns, extra.turns)
    return History(history, model, {key: one for key, one in models_in_use.items() if one != model})


def _summarised(history: list[Item], record: Record) -> list[Item]:
    """Without a replacement, what the user said stays, and the summary follows."""
    assert record.message is not None
    return [*(item for item in history if item.prompt), Item("compaction", record.message)]


def _rolled_back(history: list[Item], turns: list[tuple[list[Item], int]], count: int) -> list[Item]:
    if turns:
        first = max(0, len(turns) - count)
        before, length = turns[first]
        del turns[first:]
        return before[:length]
    prompts = [n for n, item in enumerate(history) if item.prompt]  # what a compaction kept of older turns
    return history[: prompts[max(0, len(prompts) - count)]] if prompts else history


def together(items: Iterable[Item], foreign: Mapping[int, str] = MappingProxyType({})) -> Iterator[Message]:
    """Yield messages: consecutive items of the assistant are one turn, everything else is alone."""
    turn: list[Item] = []
    assistant = Role.ASSISTANT
    for item in items:
        message = item.message
        if message.role is assistant:
            turn.append(item)
            continue
        if turn:
            yield _turn(turn, foreign, summed_up=message.role is Role.SUMMARY)
            turn = []
        yield message if item.at is None else _made_of((item,), message)
    if turn:
        yield _turn(turn, foreign, summed_up=False)


def _turn(items: list[Item], foreign: Mapping[int, str], *, summed_up: bool) -> Message:
    only = items[0]
    if len(items) == 1 and only.at is None and only.kind is not REASONING:
        return only.message
    flaws: list[Flaw] = []
    calls: tuple[Call, ...] = ()
    said = False
    for item in items:
        message = item.message
        if calls and item.kind == "message":
            calls = tuple(call.seen_as(FollowedCall) for call in calls)
        if message.calls:
            calls = calls + message.calls if calls else message.calls
        if message.said:
            said = True
        if message.flaws:
            flaws += (
                flaw if flaw.record is not None else flaw._replace(record=message.record) for flaw in message.flaws
            )
        if foreign and id(item) in foreign:
            flaws.append(
                Flaw("foreign-reasoning", "", item.at or 0, f"{foreign[id(item)]} wrote it", record=message.record)
            )
    if item.kind is REASONING and not summed_up:
        flaws += _dangling(items)
    return Spoken(only.message.record, Role.ASSISTANT, calls, (), said, False, tuple(flaws), False, (), items)


def _dangling(items: list[Item]) -> Iterator[Flaw]:
    """Yield the reasoning at the end of a turn: the item that it belongs to does not follow."""
    for item in reversed(items):
        if item.kind is not REASONING:
            return
        if not item.message.flaws:
            yield Flaw("dangling-reasoning", "", item.at or 0, record=item.message.record)


def _made_of(items: tuple[Item, ...], message: Message) -> Spoken:
    return Spoken(
        message.record,
        message.role,
        message.calls,
        message.results,
        message.said,
        message.skipped,
        message.flaws,
        message.signed,
        message.media,
        items,
    )


def items_of(message: Message) -> Sequence[Item]:
    """Return the items that a message of a view is made of."""
    if isinstance(message, Spoken):
        return message.items
    item = message.record.extra
    return (item,) if isinstance(item, Item) else ()
