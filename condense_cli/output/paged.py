"""Lines in the user's pager on a terminal, else as they are."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import shutil
import subprocess
from itertools import islice
from typing import TYPE_CHECKING, TextIO

from condense_cli.output.encoding import writable
from condense_cli.output.lines import is_terminal, line_writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from condense_cli.output.transcript import Line

_BLOCK = 200  # lines that are written at once: a stream may write each piece to the system at once


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


def _write(lines: Iterable[Line], stream: TextIO, *, color: bool) -> None:
    if color:
        say = line_writer(stream, color=True)
        for line in lines:
            say(*line)
        return
    texts = (writable("".join([text for text, _ in line]) + "\n", stream) for line in lines)
    while block := "".join(islice(texts, _BLOCK)):
        stream.write(block)


def _pager(stream: TextIO) -> Sequence[str] | None:
    """Return the command of $PAGER, else less; None where there is none or nobody could use it."""
    if not is_terminal(stream) or os.environ.get("TERM", "dumb") == "dumb":
        return None
    words = shlex.split(os.environ.get("PAGER", "less"))
    return words if words and words[0] != "cat" and shutil.which(words[0]) else None
