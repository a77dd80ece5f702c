"""What one message of an export says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.formats.media import image_flaws
from condense_cli.formats.opencode.media import media_of_parts
from condense_cli.formats.pi.reading import model_in_use
from condense_cli.model.blocks import SIGNATURE_LENGTH, is_placeholder
from condense_cli.model.medium import Medium
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role

if TYPE_CHECKING:
    from collections.abc import Iterator


RUNNING = frozenset({"pending", "running"})


_ABORTED = "MessageAbortedError"
_OTHER_HOSTS = frozenset({"amazon-bedrock", "github-copilot", "google-vertex-anthropic", "openrouter"})
"""Providers that are not Anthropic, whatever model they offer."""


class Facts(NamedTuple):
    """What decides which messages count: the user message that is answered, a finished summary, a compaction's tail."""

    answers: str | None = None
    summary: bool = False
    compaction: bool = False
    tail: str | None = None
    written: ModelInUse = ModelInUse()

    @property
    def provider(self) -> str:
        """Return the provider that wrote the message, as the check of thinking asks for it."""
        return self.written.provider

    @property
    def model(self) -> str:
        """Return its model."""
        return self.written.model


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message."""
    info = value.get("info")
    info = info if isinstance(info, dict) else {}
    parts = value.get("parts")
    parts = [part if isinstance(part, dict) else {} for part in parts] if isinstance(parts, list) else []
    role = info.get("role")
    record.kind = role if isinstance(role, str) and role else "?"
    record.id = text_of(info.get("id"))
    if role == "assistant":
        finished = bool(info.get("finish")) or (
            isinstance(info.get("time"), dict) and info["time"].get("completed") is not None
        )
        record.extra = Facts(
            text_of(info.get("parentID")),
            bool(info.get("summary")) and finished,
            written=_written(info),
        )
        record.message = _assistant(record, info, parts)
    else:
        compaction = next((part for part in parts if part.get("type") == "compaction"), None)
        record.extra = Facts(
            compaction=compaction is not None, tail=text_of(compaction.get("tail_start_id")) if compaction else None
        )
        media = tuple(media_of_parts(parts))
        flaws = tuple(_user_flaws(parts, media))
        record.message = Message(record, Role.USER, flaws=flaws, media=media) if role == "user" else None


def _written(info: dict[str, Any]) -> ModelInUse:
    """Return what wrote an answer. A provider of the user's own with a model of Anthropic's is taken for Anthropic."""
    provider, model = info.get("providerID"), text_of(info.get("modelID")) or ""
    if model.startswith("claude") and provider not in _OTHER_HOSTS:
        provider = "anthropic"
    return model_in_use("", provider, model)


def _assistant(record: Record, info: dict[str, Any], parts: list[dict[str, Any]]) -> Message:
    calls: list[Call] = []
    results: list[Result] = []
    flaws: list[Flaw] = []
    blank: list[int] = []
    spoken = other = False
    for n, part in enumerate(parts):
        kind = part.get("type")
        if kind == "tool":
            _tool(record, n, part, calls, results, flaws)
        elif kind == "text":
            if _is_blank(part):
                blank.append(n)
            else:
                spoken = True
        elif kind == "reasoning":
            other = True
            if not _is_signed(part):
                flaws.append(Flaw("unsigned-thinking", "", n))
        elif kind == "file":
            spoken = True
    error = info.get("error")
    aborted = isinstance(error, dict) and error.get("name") == _ABORTED
    skipped = error is not None and not (aborted and (spoken or calls))
    if not skipped and not spoken and not calls and not other:
        flaws.append(Flaw("empty-message", "blank-assistant" if blank else "empty-assistant", 0))
    else:
        flaws.extend(Flaw("blank-text", "white" if parts[n].get("text") else "empty", n) for n in blank)
    media = tuple(media_of_parts(parts))
    flaws.extend(image_flaws(media))
    return Message(record, Role.ASSISTANT, tuple(calls), tuple(results), spoken, skipped, tuple(flaws), False, media)


def _tool(
    record: Record, n: int, part: dict[str, Any], calls: list[Call], results: list[Result], flaws: list[Flaw]
) -> None:
    state = part.get("state")
    state = state if isinstance(state, dict) else {}
    ident, family = text_of(part.get("callID")), f"part {n}"
    calls.append(Call(record, n, ident, text_of(part.get("tool")), family=family))
    if not isinstance(state.get("input"), dict):
        flaws.append(Flaw("invalid-arguments" if "input" in state else "missing-arguments", "", n, "", ident))
    said = state.get("output" if state.get("status") == "completed" else "error")
    if text_of(state.get("status")) not in RUNNING and isinstance(said, str):
        results.append(Result(record, n, ident, is_placeholder(said), family=family))


def _user_flaws(parts: list[dict[str, Any]], media: tuple[Medium, ...]) -> Iterator[Flaw]:
    blank = [
        n for n, part in enumerate(parts) if part.get("type") == "text" and not part.get("ignored") and _is_blank(part)
    ]
    sent = [
        n
        for n, part in enumerate(parts)
        if part.get("type") in ("text", "file", "agent", "subtask", "compaction") and not part.get("ignored")
    ]
    if len(blank) == len(sent):
        yield Flaw("empty-message", "user", 0)
        return
    for n in blank:
        yield Flaw("blank-text", "white" if parts[n].get("text") else "empty", n)
    yield from image_flaws(media)


def _is_signed(part: dict[str, Any]) -> bool:
    data = part.get("metadata")
    own = data.get("anthropic") if isinstance(data, dict) else None
    if not isinstance(own, dict):
        return False
    signature = own.get("signature")
    return bool(own.get("redactedData")) or (isinstance(signature, str) and len(signature) >= SIGNATURE_LENGTH)


def _is_blank(part: dict[str, Any]) -> bool:
    text = part.get("text")
    return not isinstance(text, str) or not text.strip()


def text_of(value: Any) -> str | None:
    """Return a text, or None."""
    return value if isinstance(value, str) else None
