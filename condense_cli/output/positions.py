"""Where named messages are in a session, and which of its messages weigh most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from condense_cli.output.lines import line_writer
from condense_cli.output.plain import one_line
from condense_cli.output.shell import command, path_word

if TYPE_CHECKING:
    from condense_cli.check.positions import Position, Weight


def write_positions(positions: Sequence[Position], path: str, stream: TextIO, *, color: bool = False) -> None:
    """Write the lines of the messages that a text names by index."""
    say = line_writer(stream, color=color)
    for one in positions:
        if one.lines:
            say((f"{one.name} is {one_line(path)}:{', '.join(map(str, one.lines))}", "bold"))
        else:
            say((f"{one.name} is not in this session: its client sends fewer messages", ""))


def write_weights(weights: Sequence[Weight], stream: TextIO, *, color: bool = False) -> None:
    """Write the largest records of a session with their lines."""
    if not weights:
        return
    say = line_writer(stream, color=color)
    say(("The largest messages:", "bold"))
    for one in weights:
        say((f"  line {one.line:<8} {one.size:>13,} bytes", ""))


def write_compact(path: str, stream: TextIO, *, color: bool = False) -> None:
    """Write the command that makes a session shorter; path is the session, or a word for one."""
    say = line_writer(stream, color=color)
    say(("next: ", "dim"), (command("condense", "compact", path_word(path)), "bold"))


def positions_object(positions: Sequence[Position], weights: Sequence[Weight]) -> dict[str, Any]:
    """Return both as members of the object of `explain`."""
    return {
        "indexes": [{"name": one.name, "lines": list(one.lines)} for one in positions],
        "largest": [{"line": one.line, "bytes": one.size} for one in weights],
    }
