"""What a sweep rule decided over a list of messages, and the order in which they come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.messages import Call, Half, Message, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class MessageOutline(NamedTuple):
    """A message whose halves have the numbers of their blocks as parts, and the kinds of all its blocks.

    kinds has a letter per block: c call, r result, h thinking, t anything else. copies are calls that repeat
    an earlier call of the same message in every respect.
    """

    message: Message
    kinds: str
    copies: frozenset[Call] = frozenset()


class Decision(NamedTuple):
    """What becomes of a list of messages, which are named by their number from 0.

    gone: halves that leave their message, for good or because they move; brought: results that stand after a
    message now; answers: calls that get a made-up result after a message; parts: other blocks that go; dropped:
    messages that go as a whole; owners: the call that each result that stays belongs to, where the rule knows it;
    reasons: the rule that each half broke.
    """

    gone: frozenset[Half] = frozenset()
    brought: Mapping[int, tuple[Result, ...]] = {}
    answers: Mapping[int, tuple[Call, ...]] = {}
    parts: Mapping[int, frozenset[int]] = {}
    dropped: frozenset[int] = frozenset()
    owners: Mapping[Result, Call] = {}
    reasons: Mapping[Half, str] = {}

    @property
    def changes(self) -> bool:
        """Say whether anything is different afterwards."""
        return bool(self.gone or self.answers or self.parts or self.dropped)

    def without(self, number: int, outline: MessageOutline) -> frozenset[int]:
        """Return the blocks that a message loses, by number from 0."""
        return self.parts.get(number, frozenset()) | {half.part for half in outline.message.halves if half in self.gone}


def in_order(halves: Iterable[Half]) -> list[Half]:
    """Return halves in the order of the file, so that what is said of them is the same in every run."""
    return sorted(halves, key=lambda half: (half.record.line, half.part))


class Step(NamedTuple):
    """One message that comes out: a message that was there, a result that moved, or an answer to a call."""

    number: int | None = None
    result: Result | None = None
    answer: Call | None = None


def steps(count: int, decision: Decision) -> Iterator[Step]:
    """Yield what comes out of `count` messages, in order."""
    for number in range(count):
        if number not in decision.dropped:
            yield Step(number)
        for result in decision.brought.get(number, ()):
            yield Step(result=result)
        for call in decision.answers.get(number, ()):
            yield Step(answer=call)


def emptied(outlines: Sequence[MessageOutline], decision: Decision) -> frozenset[int]:
    """Return the messages that lose their last block. A message of which more was said than its blocks show stays."""
    found: set[int] = set()
    for number, outline in enumerate(outlines):
        without = decision.without(number, outline)
        unseen = outline.message.said and all(kind in "cr" for kind in outline.kinds)
        if without and len(without) == len(outline.kinds) and not unseen:
            found.add(number)
    return frozenset(found)
