"""What `condense hook` answers: one sentence and the command that repairs, in the form that clients read."""

from __future__ import annotations

import os
from collections import Counter
from difflib import unified_diff
from typing import TYPE_CHECKING, TextIO

from condense_cli.output.json import ascii_json
from condense_cli.output.plain import visible
from condense_cli.output.sentence import counted
from condense_cli.output.shell import command, path_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.storage.looks import Sight

_MOST_RULES = 3


def answer(path: str, sights: Sequence[Sight], cut_off: str) -> str:
    """Return the JSON that a client shows its user, or "" where there is nothing to say.

    cut_off: the rule of cut-off calls.
    """
    return ascii_json({"systemMessage": sentence(path, sights, cut_off)}) if sights else ""


def sentence(path: str, sights: Sequence[Sight], cut_off: str) -> str:
    """Say what is wrong and what to run. No text of the session is in it."""
    numbers = Counter("error" if sight.severity == "error" else "warning" for sight in sights)
    many = " and ".join(counted(numbers[word], word) for word in ("error", "warning") if numbers[word])
    lines: dict[str, int] = {}
    for sight in sights:
        lines.setdefault(sight.rule, sight.line)
    rules = ", ".join(f"{rule} in line {line}" for rule, line in list(lines.items())[:_MOST_RULES])
    more = f" and {len(lines) - _MOST_RULES} more rules" if len(lines) > _MOST_RULES else ""
    return f"condense: this session has {many} ({rules}{more}). {_next(path, sights, cut_off)}"


def _next(path: str, sights: Sequence[Sight], cut_off: str) -> str:
    if not any(sight.fixable for sight in sights):
        return f"To see more: {command('condense', 'check', path_word(path))}"
    policy = ("--trailing", "answer") if any(sight.rule == cut_off for sight in sights) else ()
    return f"To repair it, leave this session and run: {command('condense', 'repair', '-i', '--wait', *policy, path_word(path))}"  # noqa: E501 - a sentence is one text


def write_difference(path: str, before: bytes | None, after: bytes | None, stream: TextIO) -> None:
    """Write how a settings file changes, as a unified diff; a file that is missing is /dev/null."""
    old, new = (_lines(data) for data in (before, after))
    was, will = (path if data is not None else os.devnull for data in (before, after))
    stream.writelines(visible(line) + "\n" for line in unified_diff(old, new, was, will, lineterm=""))


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines()
