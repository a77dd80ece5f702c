"""Build a request, and prove that its API accepts it before anybody sees it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.errors import RefusedError, UnreadableError
from condense_cli.jsonbytes import jsonedit
from condense_cli.request import anthropic, openai_chat
from condense_cli.request.gather import gather

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType

    from condense_cli.model.findings import Finding
    from condense_cli.request.gather import Said

TARGETS: dict[str, ModuleType] = {"openai-chat": openai_chat, "anthropic": anthropic}


class Request(NamedTuple):
    """The bytes of a request, with a newline at the end, and notes about what is different from the session."""

    data: bytes
    notes: tuple[str, ...]


def build(path: str, said: Sequence[Said], target: str, model: str = "") -> Request:
    """Write one JSON object `{"model"?, "system"?, "messages"}` for an API.

    Raises UnreadableError if there is nothing to say.
    """
    api = TARGETS[target]
    gathered = gather(said, thinking=api.KEEPS_THINKING)
    value: dict[str, Any] = api.write(gathered)
    if not any(message["role"] != "system" for message in value["messages"]):
        raise UnreadableError(
            f"{path}: no message to send", "`condense render --view stored` shows what the file holds"
        )
    try:
        data = jsonedit.dump({"model": model, **value} if model else value)
    except RecursionError:
        raise RefusedError(f"{path}: a value is nested too deep for a request", "`condense render` shows it") from None
    notes = [*_counted("left out", gathered.left_out), *_counted("made up", gathered.made_up)]
    if value["messages"][-1]["role"] == "assistant":
        notes.append("the request ends with an answer of the assistant, which some models refuse")
    return Request(jsonedit.without_nul(data, set()) + b"\n", tuple(notes))


def _counted(what: str, numbers: Mapping[str, int]) -> Iterator[str]:
    names = [f"{number} × {name}" for name, number in sorted(Counter(numbers).items()) if number]
    if names:
        yield f"{what}: {', '.join(names)}"


def refuse(path: str, target: str, findings: Sequence[Finding]) -> None:
    """Raise RefusedError if the API would refuse the request for what was found in it."""
    if findings:
        rules = ", ".join(sorted({finding.rule for finding in findings}))
        raise RefusedError(
            f"{path}: the request would break the contract of {target}: {rules}",
            "nothing was written; please report it",
        )
