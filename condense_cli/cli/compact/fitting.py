"""How many chains can stay so that a session's request has at most so many tokens: tried out, and measured on the
outcome.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from condense_cli.cli import options
from condense_cli.document.views import Block
from condense_cli.errors import RefusedError
from condense_cli.formats.read import read_document
from condense_cli.model.plan import Copy, Segment, apply
from condense_cli.output.html.viewed_turn import pruned
from condense_cli.pi_condense.compact.tokens import tokens, widest
from condense_cli.pi_condense.prune.views import render
from condense_cli.session.opened import Session
from condense_cli.storage.source import Source


class Try(NamedTuple):
    """One way to compact: the number of chains that could be compressed, and the new file."""

    chains: int
    segments: Sequence[Segment]


def fitting_window(session: Session, most: int, tried: Callable[[int], Try], settings: Any) -> int:
    """Return how many of the newest chains can stay.

    Raises RefusedError where the request is too large without any of them.
    """

    def measure(window: int) -> int:
        return measured(session, tried(window).segments, settings)

    before = measured(session, (Copy(0, session.source.size),), settings)
    chains = tried(0).chains
    window = chains if before <= most else widest(most, chains, measure)
    if window is None:
        raise RefusedError(
            f"{session.path}: about {measure(0)} tokens are left when all closed chains are compressed, {most} are wanted",  # noqa: E501 - a sentence is one text
            "nothing was written; `condense render --outline` shows what else is large",
        )
    after = before if before <= most else measure(window)
    options.note(
        f"{session.path}: about {before} tokens before, {after} after ({most} wanted); {chains - window} of {chains} chains are compressed"  # noqa: E501 - a sentence is one text
    )
    return window


def measured(session: Session, segments: Iterable[Segment], settings: Any) -> int:
    """Return the tokens of the largest thread of a new file, as its client sends it."""
    with tempfile.TemporaryFile(prefix="condense-", buffering=0) as spool:
        for piece in apply(tuple(segments), session.source):
            left = memoryview(piece)
            while left:
                left = left[spool.write(left) :]
        with Source(session.path, spool) as source:
            made = Session(source, read_document(session.path, source, session.format.name), session.leaf)
            return max((tokens(blocks) for blocks in _threads(made, settings)), default=0)


def _threads(session: Session, settings: Any) -> Iterator[Iterable[Block]]:
    """Yield the parts of each thread that is sent."""
    document = session.document
    if session.format.pruned:
        rendering = render(session.branch(), session.loader(), settings)
        yield (block for told in pruned(document, rendering) for block in told.blocks)
        return
    for view in session.format.views(document, None, every=False):
        messages = (message for message in view.messages if not message.skipped)
        yield (block for message in messages for block in session.format.turn(document, message).blocks)
