"""Messages as bytes: one JSON object a line, or one object around all of them, written as JavaScript would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes.javascript import stringify, utf16_length_of_bytes
from condense_cli.pi_condense.prune.decide import emit, gone, original, size_before
from condense_cli.pi_condense.prune.size import has_image, message_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.pi_condense.prune.decide import Emitted
    from condense_cli.pi_condense.prune.diagnostics import Diagnostic
    from condense_cli.pi_condense.prune.views import Rendering

Size = tuple[int, int]  # UTF-16 units of all messages before and after pruning, 0 and 0 when nothing was pruned


_ENOUGH = 1 << 18


def lines(messages: Iterable[Any]) -> Iterator[bytes]:
    """Yield one line of JSON per message, many lines at once."""
    held: list[bytes] = []
    size = 0
    for message in messages:
        data = stringify(message)
        held += (data, b"\n")
        size += len(data)
        if size > _ENOUGH:
            yield b"".join(held)
            held.clear()
            size = 0
    yield b"".join(held)


def document(
    messages: Iterable[Any], diagnostics: Iterable[Diagnostic] = (), *, pruned: bool = False, size: Size = (0, 0)
) -> Iterator[bytes]:
    """Yield one object `{messages, pruned, beforeChars, afterChars, diagnostics}` and a newline."""
    yield b'{"messages":['
    for number, message in enumerate(messages):
        yield (b"," if number else b"") + stringify(message)
    yield b"]," + closing(diagnostics, size, pruned=pruned)


def rendered_document(rendering: Rendering) -> Iterator[bytes]:
    """Yield the object for the messages after pruning; each message is loaded and written once."""
    pruning = rendering.pruning
    before = sum(size_before(pruning, n, original(pruning, n, rendering.load)) for n in gone(pruning))
    after = 0
    yield b'{"messages":['
    for number, emitted in enumerate(emit(pruning, rendering.branch.records, rendering.load)):
        data = stringify(emitted.message)
        length = message_size(emitted.message) if has_image(emitted.message) else utf16_length_of_bytes(data)
        after += length
        if emitted.before is not None:
            before += _before(rendering, emitted) if emitted.changed else length
        yield (b"," if number else b"") + data
    size = (before, after) if pruning.pruned else (0, 0)
    yield b"]," + closing(pruning.diagnostics, size, pruned=pruning.pruned)


def size(rendering: Rendering) -> Size:
    """Measure the messages before and after pruning."""
    if not rendering.pruning.pruned:
        return (0, 0)
    pruning = rendering.pruning
    before = (size_before(pruning, position, message) for position, message in enumerate(rendering.before()))
    return sum(before), sum(map(message_size, rendering.rendered()))


def _before(rendering: Rendering, emitted: Emitted) -> int:
    assert isinstance(emitted.step, int) and emitted.before is not None  # noqa: PT018
    return size_before(rendering.pruning, emitted.step, emitted.before)


def closing(diagnostics: Iterable[Diagnostic], size: Size, *, pruned: bool) -> bytes:
    """Return what follows the list of messages, and a newline."""
    rest = {
        "pruned": pruned,
        "beforeChars": size[0],
        "afterChars": size[1],
        "diagnostics": [{"kind": d.kind, "key": d.key, "detail": d.detail} for d in diagnostics],
    }
    return stringify(rest)[1:] + b"\n"
