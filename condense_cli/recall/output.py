"""One output that a reference names, wherever it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, replaced_halves, string, stringify_pretty
from condense_cli.recall.pictures import picture_of
from condense_cli.recall.truncate import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.recall.grep import LinePattern
    from condense_cli.recall.pictures import Picture

NOT_FOUND = "(not found in index — may not have been summarized yet)"
NOT_FOUND_ANYWHERE = "(found neither in the index nor in the transcript)"
SEPARATOR = "\n\n---\n\n"


class Output(NamedTuple):
    """An output with what is known of its call. line counts from 1, time is in milliseconds or UNDEFINED.

    raw is the output's bytes where they are not simply its text; images are blocks as they are stored.
    """

    source: str  # index or transcript
    call_id: Any
    tool: Any
    arguments: Any
    error: bool
    turn: Any
    time: Any
    line: int
    text: str
    raw: bytes | None = None
    note: str = ""
    images: tuple[dict[str, Any], ...] = ()

    def bytes(self) -> bytes:
        """Return the output's bytes; halves of surrogate pairs become U+FFFD."""
        return replaced_halves(self.text) if self.raw is None else self.raw


class Answer(NamedTuple):
    """What one reference names; nothing: it was not found."""

    ref: str
    outputs: tuple[Output, ...]
    in_index_only: bool = False

    def labels(self) -> list[str]:
        """Return one label per output: the reference itself, with the time where it names several."""
        if len(self.outputs) == 1:
            return [self.ref]
        return [_label(self.ref, output, number) for number, output in enumerate(self.outputs, 1)]


def _label(ref: str, output: Output, number: int) -> str:
    if output.source == "index":
        return ref if output.time is UNDEFINED else f"{ref}@{string(output.time)}"
    name = string(output.call_id)
    return f"{name}#{number}" if output.time is UNDEFINED else f"{name}@{string(output.time)}"


def answer_text(answer: Answer, *, whole: bool = False, pattern: LinePattern | None = None) -> str:
    """Write the blocks of one reference as context_tree_query does; pattern keeps the lines that match."""
    if not answer.outputs:
        return f"## toolRef: {answer.ref}\n{NOT_FOUND if answer.in_index_only else NOT_FOUND_ANYWHERE}"
    several = len(answer.outputs) > 1
    return SEPARATOR.join(
        _block(label, output, several=several, whole=whole, pattern=pattern)
        for label, output in zip(answer.labels(), answer.outputs, strict=True)
    )


def _block(label: str, output: Output, *, several: bool, whole: bool, pattern: LinePattern | None) -> str:
    lines = [f"## toolRef: {label}"]
    if several and output.time is UNDEFINED and output.source == "index":
        lines.append("Occurrence: legacy (no resultTimestamp)")
    arguments = "undefined" if output.arguments is UNDEFINED else stringify_pretty(output.arguments)
    text = matching(output.text, pattern) if pattern else output.text
    lines += [
        f"Tool: {string(output.tool)}",
        f"Args: {arguments}",
        f"Status: {'ERROR' if output.error else 'OK'}",
        f"Turn: {string(output.turn)}",
        "",
        text if whole else shown(text),
    ]
    return "\n".join(lines)


def matching(text: str, pattern: LinePattern) -> str:
    """Return the lines in which the pattern is found."""
    return "\n".join(line for line in text.split("\n") if pattern.search(line))


def as_json(answers: Sequence[Answer], *, whole: bool = False, pattern: LinePattern | None = None) -> dict[str, Any]:
    """Return all answers as one value; lines count from 1, timestamp is in milliseconds, turn from 0."""
    return {"results": [_answer_json(answer, whole=whole, pattern=pattern) for answer in answers]}


def facts(output: Output) -> dict[str, Any]:
    """Return what is known of an output beside its text, under the names of the JSON that holds it."""
    return {
        "toolCallId": output.call_id,
        "toolName": output.tool,
        "args": output.arguments,
        "isError": output.error,
        "turn": output.turn,
        "timestamp": output.time,
    }


def pictures(output: Output) -> list[Picture]:
    """Return the pictures of an output whose bytes can be read."""
    return [picture for picture in map(picture_of, output.images) if picture is not None]


def _answer_json(answer: Answer, *, whole: bool, pattern: LinePattern | None) -> dict[str, Any]:
    outputs: list[dict[str, Any]] = []
    for label, output in zip(answer.labels(), answer.outputs, strict=True):
        text = matching(output.text, pattern) if pattern else output.text
        cut = text if whole else shown(text)
        outputs.append(
            {
                "label": label,
                "source": output.source,
                "line": output.line,
                **facts(output),
                "truncated": cut is not text,
                "output": cut,
                "images": [
                    {"mediaType": one.media_type, "sha256": one.sha256, "bytes": len(one.data)}
                    for one in pictures(output)
                ],
            }
        )
    return {"ref": answer.ref, "found": bool(outputs), "outputs": outputs}
