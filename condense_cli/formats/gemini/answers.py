"""Which call each result in a turn of its own answers.

The client sends the results of a message's own tool calls, then the user messages after it, as one turn; the
provider counts. A result belongs to the call of its id in the cycle that it is sent in; one whose id no call has, to
the first call there that waits. A result gets the id and the family of its call, so that the two pair.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from condense_cli.model.messages import Call, Message, Role, TurnResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def with_calls(messages: Sequence[Message]) -> Sequence[Message]:
    """Return the messages of a thread, each result in a turn of its own with the id and family of its call."""
    if not any(message.role is Role.USER and message.results for message in messages):
        return messages
    owners = _Thread(messages).owners
    return [
        replace(message, results=tuple(_of(result, owners) for result in message.results))
        if message.role is Role.USER and message.results
        else message
        for message in messages
    ]


def _of(result: object, owners: dict[TurnResult, tuple[Call, bool]]) -> TurnResult:
    assert isinstance(result, TurnResult)
    call, copy = owners.get(result, (None, False))
    if call is None:
        # Without an id nothing would be said of a result that nobody asked for.
        return result if result.id else replace(result, id="/".join(map(str, result.place)))
    return replace(result, id=call.id or (call.family if copy else None), family=call.family)


def _names(call: Call) -> Iterator[str]:
    """Yield the ids by which a response may name a call: the client writes the tool's name before it, and cuts it
    off again.
    """
    if call.id:
        mark = f"{call.name}__"
        yield call.id
        yield call.id.removeprefix(mark) if call.id.startswith(mark) else mark + call.id


class _Thread:
    """The owners of all results in turns of their own: a call, and whether it has another result already."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.owners: dict[TurnResult, tuple[Call, bool]] = {}
        self._by_name: dict[str, list[tuple[int, Call]]] = defaultdict(list)
        self._done: set[Call] = set()
        self._far: list[tuple[int, TurnResult]] = []
        cycles = list(_cycles(messages))
        for number, (calls, _) in enumerate(cycles):
            for call in calls:
                for name in _names(call):
                    self._by_name[name].append((number, call))
        for message in messages:
            own = {result.family for result in message.results} if message.role is Role.ASSISTANT else ()
            self._done.update(call for call in message.calls if call.family in own)
        for number, (calls, results) in enumerate(cycles):
            self._near(number, calls, results)
        for number, result in self._far:
            self._elsewhere(number, result)

    def _near(self, number: int, calls: tuple[Call, ...], results: list[TurnResult]) -> None:
        """Give the results of a cycle to its calls: by their ids, then in order."""
        waiting = {call: None for call in calls if call not in self._done}
        left: list[TurnResult] = []
        for result in results:
            same = next((call for call in waiting if result.id in tuple(_names(call))), None)
            if same is None:
                left.append(result)
            else:
                self._give(result, same, waiting)
        nameless = 0
        for result in left:
            same = next((call for call in calls if result.id in tuple(_names(call))), None)
            if same is not None:
                self.owners[result] = (same, True)
            elif result.id in self._by_name:
                self._far.append((number, result))
            elif waiting:
                self._give(result, next(iter(waiting)), waiting)
            elif not result.id and nameless < len(calls):
                self.owners[result] = (calls[nameless], True)
                nameless += 1

    def _give(self, result: TurnResult, call: Call, waiting: dict[Call, None]) -> None:
        del waiting[call]
        self._done.add(call)
        self.owners[result] = (call, False)

    def _elsewhere(self, number: int, result: TurnResult) -> None:
        """Give a result to a call of its id that nothing answers, the nearest above first; else it is a copy."""
        assert result.id is not None
        known = self._by_name[result.id]
        above = [call for cycle, call in reversed(known) if cycle < number]
        below = [call for cycle, call in known if cycle > number]
        opened = next((call for call in (*above, *below) if call not in self._done), None)
        if opened is not None:
            self._done.add(opened)
            self.owners[result] = (opened, False)
        elif above:
            self.owners[result] = (above[0], True)


def _cycles(messages: Sequence[Message]) -> Iterator[tuple[tuple[Call, ...], list[TurnResult]]]:
    """Yield the calls of each answer with the results in turns of their own that follow it; first those before any."""
    calls: tuple[Call, ...] = ()
    results: list[TurnResult] = []
    for message in messages:
        if message.role is Role.ASSISTANT:
            yield calls, results
            calls, results = message.calls, []
        else:
            results.extend(result for result in message.results if isinstance(result, TurnResult))
    yield calls, results
