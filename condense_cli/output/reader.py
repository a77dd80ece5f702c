"""A transcript for a reader at a terminal: long texts folded, findings at their place, or a line per message."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.output.lines import DEFAULT_WIDTH, terminal_width
from condense_cli.output.markdown import markdown_lines
from condense_cli.output.sentence import counted
from condense_cli.output.shell import command
from condense_cli.output.transcript import message_lines, role_of
from condense_cli.output.wrapped import cells, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from condense_cli.output.placed import Note, Placed
    from condense_cli.output.transcript import Line

_MOST_ROWS = {"user": 8, "assistant": 3}
_MOST_OF_OTHERS = 1
"""Rows of the terminal that one message takes when it is folded, by role: outputs of tools are what is long."""

_RESULTS = frozenset({"tool", "toolResult"})
_NARROWEST = 40
_TAB = 4
_AROUND = 3  # messages before and after the one that is looked for


class Look(NamedTuple):
    """How messages are shown. session: the words that name it in a command; notes: in the order of their lines."""

    width: int = DEFAULT_WIDTH
    session: Sequence[str] = ()
    notes: Sequence[Note] = ()
    folds: bool = True
    markdown: bool = False


def shown(messages: Iterable[Placed], look: Look) -> Iterator[Line]:
    """Yield the lines of a transcript; what is long ends with how much is left out, and the end names the command
    for it.
    """
    yield from _shown(enumerate(messages, 1), look, None, deque(look.notes))


def _shown(messages: Iterable[tuple[int, Placed]], look: Look, whole: int | None, notes: deque[Note]) -> Iterator[Line]:
    folded = 0
    first = True
    for number, (line, message) in messages:
        yield from _said(notes, line - 1, look)
        if not first and role_of(message) == "user":
            yield ()
        first = False
        lines, cut = _message(number, line, message, look, whole=number == whole)
        yield from lines
        yield from _said(notes, line, look)
        folded += cut
    yield from _said(notes, None, look)
    if folded:
        all_of_it = command("condense", "render", "--full", *look.session)
        yield ()
        yield from _wrapped(
            ((f"{counted(folded, 'message')} folded; to see all of them: {all_of_it}", "bold"),), look, "  "
        )
        if look.session:
            yield from _wrapped(
                ((f"`condense query` of an output takes --session {command(*look.session)}", "dim"),), look, "  "
            )


def around(make: Callable[[], Iterable[Placed]], line: int, look: Look) -> Iterator[Line]:
    """Yield the message of a line, whole, with some before and after it; make gives the messages, and is called
    twice.
    """
    best, at = 0, 0
    for number, placed in enumerate(make(), 1):
        if at <= placed.line <= line and placed.line:
            best, at = number, placed.line
    start = max(best - _AROUND, 1)
    window = list(islice(enumerate(make(), 1), start - 1, max(best, 1) + _AROUND))
    lines = [placed.line for _, placed in window if placed.line] or [line]
    near = deque(note for note in look.notes if min(*lines, line) <= note.line <= max(*lines, line))
    yield from _shown(window, look, best, near)


def outline(messages: Iterable[Placed], look: Look) -> Iterator[Line]:
    """Yield a line per message: its head, and as much of its text as fits."""
    notes = deque(look.notes)
    for number, (place, message) in enumerate(messages, 1):
        yield from _said(notes, place - 1, look)
        (head, style), *_ = (lines := list(message_lines(number, message)))[0]
        text = " ".join(part.strip().expandtabs(_TAB) for line in lines[1:4] for part, _ in line if part.strip())
        room = max(look.width, _NARROWEST) - cells(head) - 2
        yield (head, style), *(_first_cells(((f"  {text}", ""),), room + 2) if room > 1 and text else ())
        yield from _said(notes, place, look)
    yield from _said(notes, None, look)


def width_of(stream: TextIO) -> int:
    """Return the columns of the terminal, 80 for anything else."""
    return terminal_width(stream) or DEFAULT_WIDTH


def _said(notes: deque[Note], line: int | None, look: Look) -> Iterator[Line]:
    """Yield the notes of all lines up to one; None: all that are left."""
    while notes and (line is None or notes[0].line <= line):
        yield from _wrapped(notes.popleft().spans, look, "    ")


def _message(number: int, line: int, message: object, look: Look, *, whole: bool) -> tuple[list[Line], bool]:
    """Return the lines of one message, and whether something of it is left out."""
    role = role_of(message)
    head, *body = message_lines(number, message)
    if look.markdown and role == "assistant":
        body = list(_with_markdown(body, max(look.width, _NARROWEST) - 2))
    top = list(_wrapped(head, look, "  "))
    rows = [row for one in body for row in _wrapped(one, look, "  ")]
    more = len(rows) - _MOST_ROWS.get(role, _MOST_OF_OTHERS)
    if whole or not look.folds or more <= 0:
        return [*top, *rows], False
    how = f": {command('condense', 'query', f'L{line}')}" if line and role in _RESULTS else ""
    note = (f"  … {counted(more, 'more line')}{how}", "dim")
    last = rows[-more - 1]
    room = max(look.width, _NARROWEST) - cells(note[0])
    return [*top, *rows[: -more - 1], *_wrapped((*_first_cells(last, room), note), look, "  ")], True


def _with_markdown(body: Iterable[Line], width: int) -> Iterator[Line]:
    """Yield the lines of an answer, its texts as Markdown; calls and thinking have a style and stay as they are."""
    text: list[str] = []
    for line in (*body, None):
        if line is not None and all(not style for _, style in line):
            text.append("".join(part for part, _ in line).removeprefix("  "))
            continue
        if text:
            yield from ((("  ", ""), *spans) for spans in markdown_lines("\n".join(text), width))
            text = []
        if line is not None:
            yield line


def _wrapped(line: Line, look: Look, indent: str) -> Iterator[Line]:
    plain = tuple((text.expandtabs(_TAB), style) for text, style in line)
    return wrap(plain, max(look.width, _NARROWEST), indent)


def _first_cells(line: Line, room: int) -> Line:
    """Return as much of a line as fits, with an ellipsis where something is left out."""
    if sum(cells(text) for text, _ in line) <= room:
        return line
    out: list[tuple[str, str]] = []
    room -= 1
    for text, style in line:
        cut = min(len(text), max(room, 0))
        while cut and cells(text[:cut]) > room:
            cut -= 1
        out.append((text[:cut], style))
        room -= cells(text[:cut])
        if cut < len(text):
            break
    return (*out, ("…", "dim"))
