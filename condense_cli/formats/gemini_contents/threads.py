"""Calls and responses of one conversation matched as the API does it: by id where both have one, else by name and
order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from condense_cli.model.messages import Call, Half, Message, Result, Role
from condense_cli.pairing.pair import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def matched(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with ids that pair: what only one side names has the key of its other side."""
    known = {call.id for message in messages for call in message.calls if call.family != BY_NAME}
    calls: dict[Call, Call] = {}
    results: dict[Result, Result] = {}
    for asked, answers in _turns(messages):
        given = [result for message in answers for result in message.results]
        repeated = _repeated(asked.calls)
        calls.update({call: replace(call, family=BY_NAME) for call in asked.calls if _key(call) in repeated})
        results.update({result: replace(result, family=BY_NAME) for result in given if _key(result) in repeated})
        waiting = [call for call in asked.calls if call not in calls]
        results.update(_of_turn(waiting, [result for result in given if result not in results], known))
    if not calls and not results:
        return list(messages)
    return [
        replace(
            message,
            calls=tuple(calls.get(call, call) for call in message.calls),
            results=tuple(results.get(result, result) for result in message.results),
        )
        for message in messages
    ]


def _turns(messages: Iterable[Message]) -> Iterator[tuple[Message, list[Message]]]:
    """Yield each message of the model that calls, with what comes before the model's next one."""
    now: tuple[Message, list[Message]] | None = None
    for message in messages:
        if message.role is Role.ASSISTANT:
            if now is not None and now[0].calls:
                yield now
            now = (message, [])
        elif now is not None:
            now[1].append(message)
    if now is not None and now[0].calls:
        yield now


def _repeated(calls: Iterable[Call]) -> set[tuple[str | None, str]]:
    """Return the ids that several calls of one turn have."""
    times = Counter(map(_key, calls))
    return {key for key, number in times.items() if number > 1 and key[1] != BY_NAME}


def _of_turn(waiting: list[Call], results: Iterable[Result], known: set[str | None]) -> dict[Result, Result]:
    """Return the results of a turn that name their call in another way than it does itself."""
    loose = []
    for result in results:
        call = next((one for one in waiting if _key(one) == _key(result)), None)
        if call is not None:
            waiting.remove(call)
        elif result.family == BY_NAME or result.id not in known:
            loose.append(result)
    changed: dict[Result, Result] = {}
    for result in list(loose):
        call = next((one for one in waiting if one.name == result.id and result.family == BY_NAME), None)
        if call is not None:
            waiting.remove(call)
            loose.remove(result)
            changed[result] = _as(result, call)
    if waiting and len(waiting) == len(loose):
        changed.update({result: _as(result, call) for result, call in zip(loose, waiting, strict=True)})
    return changed


def _key(half: Half) -> tuple[str | None, str]:
    return half.id, half.family


def _as(result: Result, call: Call) -> Result:
    return replace(result, id=call.id, family=call.family)
