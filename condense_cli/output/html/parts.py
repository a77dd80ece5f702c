"""Blocks of a turn as parts of the page: texts are cut, escapes of steering characters are visible, images are
checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import stringify
from condense_cli.model.blocks import image_fault
from condense_cli.model.medium import IMAGE_TYPES
from condense_cli.output.html.code import Painter, language_of
from condense_cli.output.html.page import Part, Piece
from condense_cli.output.plain import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from condense_cli.document.views import Block

_SUMMARY = 120  # characters of a collapsed part that its head shows
_NAMED = ("command", "cmd", "file_path", "path", "pattern", "query", "url", "description", "prompt")
_PATHS = ("file_path", "path", "filename", "notebook_path")
_SHELLS = frozenset({"bash", "shell", "sh", "exec", "exec_command", "run_shell_command", "local_shell", "execute"})
_IMAGE_MOST = 270_000  # characters of base64: about 200 KB
_IMAGES_MOST = 4_000_000  # characters of base64 in the whole page


class Limits(NamedTuple):
    """How much of a text is shown, in characters: of what people and the model say, and of calls and results."""

    text: int
    output: int


class Maker:
    """Makes the parts of one page; it counts what the page has room for."""

    def __init__(self, limits: Limits, colours: int) -> None:
        self.limits = limits
        self.painter = Painter(colours)
        self.pictures = _IMAGES_MOST

    def part(self, block: Block, whole: str, whole_output: str) -> Part:
        """Return one block as a part; the commands that give the whole message and the whole output are in a note on
        what is cut.
        """
        kinds: dict[str, Callable[[Block, str], Part]] = {
            "text": self._text,
            "thinking": self._thinking,
            "call": self._call,
            "result": self._result,
            "image": self._image,
        }
        return kinds.get(block.kind, self._other)(block, whole_output if block.kind == "result" else whole)

    # ------------------------------------------------------------------ kinds
    def _text(self, block: Block, whole: str) -> Part:
        shown, more = cut(block.text, self.limits.text, whole)
        return Part("text", pieces=tuple(self.painter.prose(visible(shown))), more=more)

    def _thinking(self, block: Block, whole: str) -> Part:
        shown, more = cut(block.text, self.limits.text, whole)
        signed = "signed" if block.signature else ""
        return Part(
            "thinking",
            "thinking",
            summary_of(block.text) or signed,
            (Piece(visible(shown)),) if shown else (),
            more=more,
        )

    def _call(self, block: Block, whole: str) -> Part:
        pieces: list[Piece] = []
        room, left_out = self.limits.output, 0
        for name, text, language in _arguments(block.name, block.arguments):
            shown, _ = cut(text, max(room, 200), "")
            left_out += len(text) - len(shown) if shown is not text else 0
            room -= len(shown)
            if name:
                pieces.append(Piece(f"{one_line(name)}:"))
            pieces.append(self.painter.code(visible(shown), language))
        more = f"{left_out:,} characters are left out. All of it: {whole}" if left_out else ""
        return Part("call", _name(block.name), summary_of(_gist(block.arguments)), tuple(pieces), more=more)

    def _result(self, block: Block, whole: str) -> Part:
        text = block.text or "\n".join(b.text for b in block.inner if b.kind == "text")
        shown, more = cut(text, self.limits.output, whole)
        size = f"{len(text):,} characters" if text else "empty"
        gist = summary_of(text)
        pieces = (Piece(visible(shown), code=True),) if shown else ()
        return Part(
            "result",
            _name(block.name) if block.name else "",
            f"{gist} · {size}" if gist else size,
            pieces,
            block.error,
            more=more,
        )

    def _image(self, block: Block, whole: str) -> Part:
        del whole
        kind, data = block.media_type.lower(), block.data
        if block.url:
            return Part("image", "image", f"at {one_line(block.url[:_SUMMARY])} (not loaded)")
        size = f"{len(data) * 3 // 4:,} bytes"
        if kind in IMAGE_TYPES and len(data) <= min(_IMAGE_MOST, self.pictures) and not image_fault(kind, data):
            self.pictures -= len(data)
            return Part("image", "image", f"{kind}, {size}", picture=f"data:{kind};base64,{data}")
        why = image_fault(kind, data) if len(data) <= _IMAGE_MOST else "too large for this page"
        return Part(
            "image",
            "image",
            ", ".join(filter(None, (one_line(kind[:_SUMMARY]) or "unknown type", size, why or "not shown"))),
        )

    def _other(self, block: Block, whole: str) -> Part:
        shown, more = cut(block.text, self.limits.output, whole)
        return Part(
            "other",
            one_line(block.name or "") or "other",
            summary_of(block.text),
            (Piece(visible(shown), code=True),) if "\n" in shown or len(shown) > _SUMMARY else (),
            more=more,
        )

    def pictures_in(self, block: Block) -> Iterator[Part]:
        """Yield the images inside a result."""
        for inner in block.inner:
            if inner.kind == "image":
                yield self._image(inner, "")


def cut(text: str, most: int, whole: str) -> tuple[str, str]:
    """Return the text, or its beginning and its end, and a note on what is left out: how much, and the command that
    shows it.
    """
    left_out = len(text) - most
    if left_out <= most // 10:
        return text, ""
    tail = most // 5
    shown = f"{text[: most - tail]}\n\n… {left_out:,} characters left out …\n\n{text[-tail:]}"
    return shown, f"{left_out:,} characters are left out. All of it: {whole}"


def summary_of(text: str) -> str:
    """Return the first line of a text that says something, at most 120 characters of it."""
    start = text[:2000].strip().split("\n", 1)[0].strip()
    return one_line(start if len(start) <= _SUMMARY else start[: _SUMMARY - 1] + "…")


def _name(name: object) -> str:
    return summary_of(name) if isinstance(name, str) and name.strip() else "(no name)"


def _gist(arguments: Any) -> str:
    if isinstance(arguments, str):
        return arguments
    if not isinstance(arguments, dict):
        return ""
    for key in _NAMED:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return " ".join(value)
    return next((value for value in arguments.values() if isinstance(value, str) and value.strip()), "")


def _arguments(tool: object, arguments: Any) -> Iterator[tuple[str, str, str]]:
    """Yield name, text and language of each argument: long strings as they are, the rest as JSON."""
    if not isinstance(arguments, dict) or not arguments:
        yield "", arguments if isinstance(arguments, str) else _json(arguments), "json"
        return
    path = next((arguments[key] for key in _PATHS if isinstance(arguments.get(key), str)), "")
    small: dict[str, Any] = {}
    for key, value in arguments.items():
        if isinstance(value, str) and key in ("command", "cmd") and isinstance(tool, str) and tool.lower() in _SHELLS:
            yield "", value, "bash"
        elif isinstance(value, str) and ("\n" in value or len(value) > _SUMMARY):
            yield key, value, language_of(path)
        else:
            small[key] = value
    if small:
        yield "", _json(small), "json"


def _json(value: Any) -> str:
    try:
        import orjson

        return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except (TypeError, ValueError, RecursionError):
        return stringify(value).decode("utf-8", "replace")
