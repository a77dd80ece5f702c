"""Pairing of call and result halves, by order and count inside each cycle. It states facts and knows no policy.

A cycle is an assistant turn with calls and all that follows until the next assistant turn. In each cycle
results claim open calls in order, once each. Halves that are left over are matched across cycles only when
exactly one partner is possible. An id is never an identity: real sessions use ids again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from condense_cli.model.ids import are_distinct
from condense_cli.model.messages import SERVER, Call, FollowedCall, Message, Paused, Result, Role, TurnResult

BY_NAME = "by name"  # the family of calls that have no ids and are answered by their tool's name


_TURNS = frozenset({Role.USER, Role.RESULT, Role.SUMMARY})


class Pair(NamedTuple):
    """A call and its result. cut: another message is between them; across: they are of different cycles."""

    call: Call
    result: Result
    cycle: int
    cut: bool = False
    across: bool = False


class Fault(NamedTuple):
    """A half that is not simply paired: its class (a rule's name), and the other half or halves it is about."""

    rule: str
    cycle: int
    call: Call | None = None
    result: Result | None = None
    other_call: Call | None = None
    other_result: Result | None = None
    variant: str = ""
    detail: str = ""


class Cycle(NamedTuple):
    """One assistant turn: its message, the calls in order, and the position of its message in the thread."""

    message: Message
    calls: tuple[Call, ...]
    at: int


class Pairing(NamedTuple):
    """All pairs and faults of one thread. Cycle -1 is before the first assistant turn."""

    cycles: tuple[Cycle, ...]
    pairs: tuple[Pair, ...]
    faults: tuple[Fault, ...]


class _Open:
    """What one cycle still waits for while the thread is walked."""

    __slots__ = ("answered", "broken", "calls", "followed", "message", "nameless", "number", "repeats", "user_after")

    def __init__(self, number: int, message: Message) -> None:
        self.number = number
        self.message = message
        self.calls = list(message.calls)
        self.answered: dict[tuple[str | None, str], Pair] = {}
        self.nameless: list[tuple[Result, bool]] = []  # results without an id, and whether something was before them
        self.broken = False
        self.repeats: set[Call] = set()  # calls with the id of an earlier one of the turn
        self.followed = False  # by results or a user turn
        self.user_after = False


def pair(messages: Sequence[Message], *, shared_results: bool = False, together: bool = False) -> Pairing:
    """Pair the halves of one thread. shared_results: once results stand, the calls they leave out are unanswered.

    together: results in a second message are cut off from their calls.
    """
    if not any(message.calls or message.results for message in messages):
        return Pairing((), (), ())
    return _Walk(messages, shared_results, together).run()


def is_sound(messages: Sequence[Message], *, together: bool = False) -> bool:
    """Say quickly that a thread has no fault at all: every call answered once, in its cycle, with an id of its own.

    False only means that `pair` has to look. Most threads are sound, and this is several times cheaper.
    """
    return quick_pairing(messages, together=together) is SOUND


def quick_pairing(messages: Sequence[Message], *, together: bool = False) -> Pairing | None:
    """Return the faults of a thread in which nothing is wrong, or nothing but that ids are used again by later turns.

    None means that `pair` has to look. What is returned has neither cycles nor pairs.
    """
    used: list[str] = []
    if not _all_answered(messages, used, together=together):
        return None
    if are_distinct(used):
        return SOUND
    reused = _reused(messages)
    return Pairing((), (), reused) if reused is not None else None


def _all_answered(messages: Sequence[Message], used: list[str], *, together: bool) -> bool:
    """Say whether every call is answered once, in its cycle; the ids of all calls are added to `used`."""
    waiting: set[Any] = set()
    assistant, result_role = Role.ASSISTANT, Role.RESULT
    for message in messages:
        role, calls, results = message.role, message.calls, message.results
        if role is assistant:
            if waiting or results or (calls and message.skipped):
                return False
            for call in calls:
                ident, family = call.id, call.family
                if not ident or family == SERVER:
                    return False
                used.append(ident)
                waiting.add((ident, family) if family else ident)
            if len(waiting) < len(calls):
                return False
            continue
        for result in results:
            key = (result.id, result.family) if result.family else result.id
            if key not in waiting:
                return False
            waiting.remove(key)
        if waiting and role is not result_role and (message.said or not results or together):
            return False
    return not waiting


def _reused(messages: Sequence[Message]) -> tuple[Fault, ...] | None:
    """Return the calls with the id of an earlier turn's call, as `pair` does; None where a turn uses an id twice."""
    seen: dict[str, Call] = {}
    found: list[Fault] = []
    cycle = -1
    for message in messages:
        if message.role is not Role.ASSISTANT:
            continue
        cycle += 1
        calls = message.calls
        if len(calls) == 1 and calls[0].id and calls[0].family != BY_NAME:  # most of them
            call, ident = calls[0], calls[0].id
            if ident in seen:
                found.append(Fault("reused-id", cycle, call, None, seen[ident]))
            seen[ident] = call
            continue
        here = {call.id: call for call in calls if call.id and call.family != BY_NAME}
        if len(here) < len(calls) and any(call.family != BY_NAME for call in calls):
            return None
        found += (Fault("reused-id", cycle, call, None, seen[ident]) for ident, call in here.items() if ident in seen)
        seen.update(here)
    return tuple(found)


SOUND = Pairing((), (), ())


class _Walk:
    def __init__(self, messages: Sequence[Message], shared: bool, together: bool) -> None:
        self.messages = messages
        self.shared = shared
        self.together = together
        self.cycles: list[Cycle] = []
        self.pairs: list[Pair] = []
        self.faults: list[Fault] = []
        self.left_calls: list[tuple[Call, _Open]] = []
        self.left_results: list[tuple[Result, int]] = []
        self.seen: dict[str, Call] = {}  # id -> latest call of an earlier cycle that is sent
        self.answers: dict[tuple[str, str], Pair] = {}  # (id, family) -> latest pair
        self.skipped: dict[str, tuple[Call, int]] = {}
        self.times: Counter[str | None] = Counter()  # how often the calls that are sent use an id

    def run(self) -> Pairing:
        now: _Open | None = None
        for at, message in enumerate(self.messages):
            if message.role is Role.ASSISTANT:
                if now is not None:
                    self._close(now)
                now = _Open(len(self.cycles), message)
                self.cycles.append(Cycle(message, message.calls, at))
                if message.calls:
                    self._names(now)
                if message.results:
                    self._results(now, message.results)
                continue
            if message.results:
                self._results(now, message.results)
            if now is not None and message.role in _TURNS:
                now.followed = True
            if now is not None:
                self._after(now, message)
        if now is not None:
            self._close(now, last=True)
        self._across()
        return Pairing(tuple(self.cycles), tuple(self.pairs), tuple(self.faults))

    def _after(self, now: _Open, message: Message) -> None:
        """Notice what cuts results that come later off from the calls of a turn."""
        if message.role is not Role.RESULT and (message.said or not message.results):
            now.broken = True
            now.user_after = now.user_after or message.role in (Role.USER, Role.SUMMARY)
        elif self.together and message.results:
            now.broken = True

    # ------------------------------------------------------------------ inside a cycle
    def _names(self, now: _Open) -> None:
        """Notice an id that is twice in the turn, or was used by an earlier turn."""
        here: dict[str, Call] = {}
        for call in now.message.calls:
            if not call.id or call.family == BY_NAME:
                continue
            if call.id in here:
                now.repeats.add(call)
                self.faults.append(Fault("duplicate-call-id", now.number, call=call, other_call=here[call.id]))
                continue
            here[call.id] = call
            if not now.message.skipped and call.id in self.seen:
                self.faults.append(Fault("reused-id", now.number, call=call, other_call=self.seen[call.id]))
        if now.message.skipped:
            for call in here.values():
                self.skipped[call.id or ""] = (call, now.number)
        else:
            self.seen.update(here)
            self.times.update(call.id for call in now.message.calls)

    def _results(self, now: _Open | None, results: tuple[Result, ...]) -> None:
        if now is None:
            self.left_results.extend((result, -1) for result in results)
            return
        for result in results:
            if not result.id:
                now.nameless.append((result, now.broken))
                continue
            call = next((c for c in now.calls if c.id == result.id and c.family == result.family), None)
            if call is not None:
                self._claim(now, call, result)
            elif (earlier := now.answered.get((result.id, result.family))) is not None:
                self._second(now, earlier, result)
            else:
                self.left_results.append((result, now.number))

    def _claim(self, now: _Open, call: Call, result: Result) -> None:
        now.calls.remove(call)
        found = Pair(call, result, now.number, cut=now.broken)
        self.pairs.append(found)
        key = (result.id or "", result.family)
        now.answered[key] = self.answers[key] = found
        if now.message.skipped:
            self.faults.append(Fault("result-of-skipped-call", now.number, call=call, result=result))
        elif now.broken:
            self.faults.append(
                Fault(
                    "displaced-result", now.number, call=call, result=result, variant="server" if result.server else ""
                )
            )
        elif result.server and result.record is call.record and result.part < call.part:
            self.faults.append(Fault("result-before-call", now.number, call=call, result=result))

    def _second(self, now: _Open, earlier: Pair, result: Result) -> None:
        rule = "result-of-skipped-call" if now.message.skipped else _second_of(earlier, result)
        self.faults.append(Fault(rule, now.number, call=earlier.call, result=result, other_result=earlier.result))

    def _nameless(self, now: _Open, result: Result, *, cut: bool) -> None:
        """A result without an id belongs to the first call without one, else to the only call left when the cycle
        ends.
        """
        family = [c for c in now.calls if c.family == result.family]
        blank = [c for c in family if not c.id]
        mates = blank or (family if len(now.calls) == 1 else [])
        if mates and not now.message.skipped:
            call = mates[0]
            now.calls.remove(call)
            self.pairs.append(Pair(call, result, now.number, cut=cut))
            if not blank:
                self.faults.append(
                    Fault("invalid-call-id", now.number, call=call, result=result, detail="the result has no id")
                )
        elif now.message.skipped:
            self.faults.append(Fault("result-of-skipped-call", now.number, result=result))
        else:
            self.faults.append(
                Fault(
                    "invalid-call-id",
                    now.number,
                    result=result,
                    variant="lost",
                    detail="the result has no id, and no single call waits for it",
                )
            )

    def _close(self, now: _Open, *, last: bool = False) -> None:
        for result, cut in now.nameless:
            self._nameless(now, result, cut=cut)
        running = last and not now.user_after and not (self.shared and now.answered)
        for call in now.calls:
            if now.message.skipped:
                self.faults.append(Fault("partial-call", now.number, call=call))
            elif call.server:
                if not (last and self._may_go_on(call, now)):
                    self.left_calls.append((call, now))
            elif call in now.repeats:
                continue
            elif running and not isinstance(call, FollowedCall):
                self.faults.append(Fault("trailing-call", now.number, call=call))
            else:
                self.left_calls.append((call, now))

    def _may_go_on(self, call: Call, now: _Open) -> bool:
        """Say whether the provider may still answer a call of its own: after a pause, or once the client's calls are
        answered.
        """
        if isinstance(call, Paused) and not now.followed:
            return True
        return self.shared and not now.user_after and any(not other.server for other in now.message.calls)

    # ------------------------------------------------------------------ across cycles
    def _across(self) -> None:
        calls: dict[tuple[str, str], list[tuple[Call, _Open]]] = defaultdict(list)
        results: dict[tuple[str, str], list[tuple[Result, int]]] = defaultdict(list)
        trailing = {(f.call.id or "", f.call.family): f for f in self.faults if f.rule == "trailing-call" and f.call}
        for call, cycle in self.left_calls:
            calls[call.id or "", call.family].append((call, cycle))
        for result, at in self.left_results:
            if not result.id:
                self.faults.append(
                    Fault("invalid-call-id", at, result=result, variant="lost", detail="the result has no id")
                )
            else:
                results[result.id, result.family].append((result, at))
        for key, waiting in results.items():
            open_calls = calls.get(key, [])
            for result, at in waiting:
                single = len(waiting) == 1 and len(open_calls) == 1
                if single and self._matched(result, at, *open_calls[0]):
                    calls.pop(key)
                elif (
                    len(waiting) == 1 and not open_calls and key in trailing and self._early(result, at, trailing[key])
                ):
                    pass
                else:
                    self._alone(result, at, several=bool(open_calls))
        for left in calls.values():
            self.faults.extend(
                Fault("unanswered-call", cycle.number, call=call, variant="server" if call.server else "")
                for call, cycle in left
            )

    def _matched(self, result: Result, at: int, call: Call, cycle: _Open) -> bool:
        if cycle.number > at and self.times[result.id] > 1:
            return False  # another call has that id: it may as well be an answer to that one
        self.pairs.append(Pair(call, result, cycle.number, cut=True, across=True))
        if result.server and self.shared and cycle.number <= at:
            return True  # the API takes it in any later answer
        rule = "displaced-result" if cycle.number <= at else "result-before-call"
        self.faults.append(
            Fault(rule, cycle.number, call=call, result=result, variant="server" if result.server else "")
        )
        return True

    def _early(self, result: Result, at: int, fault: Fault) -> bool:
        """A result before the last call is its result; the call is not running, then."""
        if fault.call is None or fault.cycle <= at or self.times[result.id] > 1:
            return False
        self.faults.remove(fault)
        self.pairs.append(Pair(fault.call, result, fault.cycle, cut=True, across=True))
        self.faults.append(Fault("result-before-call", fault.cycle, call=fault.call, result=result))
        return True

    def _alone(self, result: Result, at: int, *, several: bool) -> None:
        earlier = self.answers.get((result.id or "", result.family))
        skipped = self.skipped.get(result.id or "")
        if several:
            self.faults.append(Fault("orphan-result", at, result=result, detail="several calls could own it"))
        elif earlier is not None and earlier.cycle <= at:
            rule = _second_of(earlier, result)
            self.faults.append(
                Fault(rule, earlier.cycle, call=earlier.call, result=result, other_result=earlier.result)
            )
        elif skipped is not None and skipped[1] <= at:
            self.faults.append(Fault("result-of-skipped-call", skipped[1], call=skipped[0], result=result))
        else:
            self.faults.append(Fault("orphan-result", at, result=result))


def _second_of(earlier: Pair, result: Result) -> str:
    """Name the rule that a second result breaks: the client stored it both with its call and as a turn, or not."""
    twice = isinstance(result, TurnResult) and not isinstance(earlier.result, TurnResult)
    return "stored-twice" if twice else "duplicate-result"
