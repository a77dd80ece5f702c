"""What an API's request looks like from outside: where its messages are, and whose reasoning it takes back."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.request.gather import Gathered

Json = dict[str, Any]


class Thinking(StrEnum):
    """How much of its own thinking an API takes back."""

    NONE = "none"
    EACH = "each"  # any block
    WHOLE = "whole"  # all of a turn, or nothing of it


class Target(NamedTuple):
    """An API that a request can be made for.

    name: of the option and of the contract; format: what a request of it is as a session; entries and model: the keys
    of the messages and of the model; spoken: the API as pi calls it; keeps: whose signatures it takes back.
    """

    name: str
    format: str
    write: Callable[[Gathered], Json]
    entries: str = "messages"
    model: str = "model"
    spoken: str = ""
    keeps: str = ""
    thinking: Thinking = Thinking.NONE


def merged(given: Iterable[tuple[str, list[Json]]]) -> list[tuple[str, list[Json]]]:
    """Join the contents of neighbours of one role; what is empty goes."""
    found: list[tuple[str, list[Json]]] = []
    for role, content in given:
        if not content:
            continue
        if found and found[-1][0] == role:
            found[-1][1].extend(content)
        else:
            found.append((role, content))
    return found
