"""A transcript for a reader at a terminal: long texts folded, or a line per turn, in a pager where there is one."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from condense_cli.output.lines import DEFAULT_WIDTH, is_terminal, line_writer, terminal_width
from condense_cli.output.sentence import counted
from condense_cli.output.shell import command, path_word
from condense_cli.output.transcript import Line, message_lines, role_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_LINES = {"user": 8, "assistant": 4}
_MOST_OF_OTHERS = 1
"""Lines of one message that are shown when it is folded, by role: outputs of tools are what is long."""

_MOST_ROWS = 3  # rows of the terminal that one line may take when it is folded
_NARROWEST = 40


def folded(messages: Iterable[Any], path: str, width: int) -> Iterator[Line]:
    """Yield the lines of a transcript; what is long ends with how much is left out, and the end names the command for it."""
    left_out = 0
    for number, message in enumerate(messages, 1):
        role = role_of(message)
        most = _MOST_LINES.get(role, _MOST_OF_OTHERS)
        if number > 1 and role in _MOST_LINES:
            yield ()
        head, *body = message_lines(number, message)
        yield head
        shown = [_cut(line, max(width, _NARROWEST) * _MOST_ROWS) for line in body[:most]]
        more = len(body) - most
        yield from shown[:-1] if more > 0 else shown
        if more > 0:
            yield (*shown[-1], (f"  … {counted(more, 'more line')}", "dim"))
        left_out += more > 0 or shown != body[:most]
    if left_out:
        whole = command("condense", "render", "--full", path_word(path))
        yield ()
        yield ((f"{counted(left_out, 'message')} folded; to see all of them: {whole}", "bold"),)


def outline(messages: Iterable[Any], width: int) -> Iterator[Line]:
    """Yield a line per message: its head, and as much of its text as fits."""
    for number, message in enumerate(messages, 1):
        (head, style), *_ = (lines := list(message_lines(number, message)))[0]
        text = " ".join(part.strip() for line in lines[1:4] for part, _ in line if part.strip())
        room = max(width, _NARROWEST) - len(head) - 2
        yield (head, style), ((f"  {text[: room - 1]}…" if len(text) > room else f"  {text}") if room > 1 and text else "", "")


def write(lines: Iterable[Line], stream: TextIO, *, color: bool) -> None:
    """Write lines: in the user's pager on a terminal, else as they are."""
    pager = _pager(stream)
    if pager is None:
        _write(lines, stream, color=color)
        return
    environment = {"LESS": "FRX", **os.environ}
    with subprocess.Popen(pager, stdin=subprocess.PIPE, env=environment) as process:  # noqa: S603 - what the user set
        assert process.stdin is not None
        with (
            contextlib.suppress(BrokenPipeError),  # the reader has seen enough
            io.TextIOWrapper(process.stdin, encoding="utf-8", errors="backslashreplace") as text,
        ):
            _write(lines, text, color=color)


def width_of(stream: TextIO) -> int:
    """Return the columns of the terminal, 80 for anything else."""
    return terminal_width(stream) or DEFAULT_WIDTH


def _write(lines: Iterable[Line], stream: TextIO, *, color: bool) -> None:
    say: Callable[..., None] = line_writer(stream, color=color)
    for line in lines:
        say(*line)


def _pager(stream: TextIO) -> Sequence[str] | None:
    """Return the command of $PAGER, else less; None where there is none or nobody could use it."""
    if not is_terminal(stream) or os.environ.get("TERM", "dumb") == "dumb":
        return None
    words = shlex.split(os.environ.get("PAGER", "less"))
    return words if words and words[0] != "cat" and shutil.which(words[0]) else None


def _cut(line: Line, most: int) -> Line:
    length = sum(len(text) for text, _ in line)
    if length <= most:
        return line
    text, style = line[0]
    return ((f"{text[:most]}… {length - most} more characters", style),)
