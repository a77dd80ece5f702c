"""An array's messages in the array's own shape: the bytes of the file, without what a sweep takes out and with what
it puts in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.formats.shared_results import leading_results
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.jsonbytes.javascript import stringify
from condense_cli.model.blocks import ANSWER
from condense_cli.model.messages import Call, Record, Role
from condense_cli.pairing.decision import steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.model.messages import Half
    from condense_cli.pairing.decision import Decision, Step
    from condense_cli.request.thread import Thread

_TOKEN = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\r\n]+', re.DOTALL)


class Shown(NamedTuple):
    """One message that comes out, as compact JSON.

    number is that of its turn from 0, or None where the sweep made it; added are the results and answers put into it.
    """

    number: int | None
    record: Record
    data: bytes
    added: tuple[Step, ...] = ()


def compact(document: Document, record: Record) -> bytes:
    """Return a message without white space between its tokens; what is no UTF-8 is written as JavaScript would."""
    raw = document.raw(record)
    try:
        raw.decode()
    except UnicodeDecodeError:
        return stringify(document.value(record))
    return _TOKEN.sub(rb"\1", raw)


def messages(thread: Thread, decision: Decision | None) -> Iterator[Shown]:
    """Yield the messages as the client reads them (decision: None) or swept; each is read when its turn comes."""
    if decision is None:
        for number in range(len(thread.messages)):
            for record in thread.records(number):
                yield Shown(number, record, compact(thread.document, record))
    elif thread.document.format.shared_results:
        yield from _with_shared_results(thread, decision)
    else:
        yield from _with_results_apart(thread, decision)


def _with_results_apart(thread: Thread, decision: Decision) -> Iterator[Shown]:
    """Put results and answers after the messages of their calls, or an answer into the call where it belongs there."""
    last: Shown | None = None
    for step in steps(len(thread.messages), decision):
        inside = _answered_inside(thread, last, step) if last is not None else None
        if inside is not None:
            last = inside
            continue
        for shown in _kept(thread, decision, step.number) if step.number is not None else (_own_message(thread, step),):
            if last is not None:
                yield last
            last = shown
    if last is not None:
        yield last


def _answered_inside(thread: Thread, shown: Shown, step: Step) -> Shown | None:
    if step.answer is None:
        return None
    _, path = thread.place(step.answer.record.line, step.answer.part)
    data = thread.document.format.answer_inside(shown.data, path, ANSWER)
    return shown._replace(data=data, added=(*shown.added, step)) if data is not None else None


def _own_message(thread: Thread, step: Step) -> Shown:
    """Return a result that moves, or an answer, where each is a message of its own."""
    document = thread.document
    if step.result is not None:
        record, path = thread.place(step.result.record.line, step.result.part)
        data = compact(document, record)
        place = jsonspan.span(data, path) if path else None
        if place is None:
            return Shown(None, record, data, (step,))
        alone = _without_content(thread, step.result, record)
        data = jsonedit.insert(alone, document.format.content_path(record), 0, data[place[0] : place[1]])
        return Shown(None, record, data, (step,))
    assert step.answer is not None
    record = thread.messages[step.answer.record.line].record
    return Shown(None, record, jsonedit.dump(document.format.answer(document, step.answer, record, ANSWER)), (step,))


# ---------------------------------------------------------------------- results in the user message after their calls
def _with_shared_results(thread: Thread, decision: Decision) -> Iterator[Shown]:
    """Put what moves or is made into the user message that holds the results of its turn, as a repair does."""
    last: Shown | None = None
    waiting: list[Step] = []
    for step in steps(len(thread.messages), decision):
        if step.number is None:
            if last is not None and _holds_results_only(last):
                last = _with_results(thread, last, [step])
            else:
                waiting.append(step)
            continue
        for shown in _kept(thread, decision, step.number):
            now = shown
            if waiting and thread.messages[step.number].role is Role.USER:
                now = _with_results(thread, shown, waiting)
                waiting = []
            yield from _before(thread, last, waiting)
            last, waiting = now, []
    yield from _before(thread, last, waiting)


def _before(thread: Thread, last: Shown | None, waiting: Sequence[Step]) -> Iterator[Shown]:
    """Yield the message that is complete now, and a user message for what found no other."""
    if last is not None:
        yield last
    if waiting:
        step = waiting[0]
        half = step.result if step.result is not None else step.answer
        assert half is not None
        home = thread.messages[half.record.line].record
        yield _with_results(thread, Shown(None, home, _without_content(thread, half, home)), waiting)


def _without_content(thread: Thread, half: Half, home: Record) -> bytes:
    """Return the message that holds an answer to a call, without content."""
    document = thread.document
    call = Call(home, half.part, half.id, None)
    return jsonedit.replace(
        jsonedit.dump(document.format.answer(document, call, home, "")), document.format.content_path(home), []
    )


def _holds_results_only(shown: Shown) -> bool:
    message = shown.record.message
    return (
        shown.number is not None
        and message is not None
        and bool(message.results)
        and not message.said
        and message.role is not Role.ASSISTANT
    )


def _with_results(thread: Thread, shown: Shown, added: Sequence[Step]) -> Shown:
    """Insert result blocks after the results that a message begins with; a text as content becomes a block."""
    fmt = thread.document.format
    data, path = shown.data, fmt.content_path(shown.record)
    place = jsonspan.span(data, path)
    if place is None or data[place[0] : place[0] + 1] != b"[":
        text = data[place[0] : place[1]] if place else b'""'
        said = fmt.text_of(shown.record, text) if text[:1] == b'"' and text != b'""' else b""
        data = jsonedit.replace(data, path, b"[" + said + b"]")
    made = Record(0, 0, 0, data)
    fmt.read(made, jsonread.loads(data))
    at = leading_results(made.message)
    for number, step in enumerate(added):
        data = jsonedit.insert(data, path, at + number, _block(thread, step))
    return shown._replace(data=data, added=(*shown.added, *added))


def _block(thread: Thread, step: Step) -> bytes:
    """Return the bytes of a result that moves, or of an answer."""
    if step.result is not None:
        record, path = thread.place(step.result.record.line, step.result.part)
        data = compact(thread.document, record)
    else:
        shown = _own_message(thread, step)
        data, path = shown.data, (*thread.document.format.content_path(shown.record), 0)
    place = jsonspan.span(data, path)
    return data[place[0] : place[1]] if place else b"null"


# ---------------------------------------------------------------------- a message that stays
def _kept(thread: Thread, decision: Decision, number: int) -> Iterator[Shown]:
    """Yield the messages of a turn without the blocks that go; one that loses all of them goes."""
    without = decision.without(number, thread.outlines[number])
    if not without:
        yield from (Shown(number, record, compact(thread.document, record)) for record in thread.records(number))
        return
    places = [thread.place(number, part) for part in range(len(thread.outlines[number].kinds))]
    for record in thread.records(number):
        mine = [part for part, place in enumerate(places) if place[0] is record]
        gone = list(dict.fromkeys(places[part][1] for part in mine if part in without))
        if mine and len(gone) == len(mine) and len(mine) < len(places):
            continue
        data = compact(thread.document, record)
        for path in reversed(gone):
            data = jsonedit.remove(data, path)
        content = thread.document.format.content_path(record)
        for outer in {path[:-1] for path in gone if len(path) > 1} - {content}:
            place = jsonspan.span(data, outer)
            if place and not jsonspan.elements(data, place[0]):
                data = jsonedit.remove(data, outer)
        yield Shown(number, record, data)
