"""Build a request, and prove that its API accepts it before anybody sees it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.errors import RefusedError, UnreadableError
from condense_cli.jsonbytes import jsonedit
from condense_cli.request import anthropic, bedrock, gemini, openai_chat, openai_responses
from condense_cli.request.gather import gather

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from condense_cli.model.findings import Finding
    from condense_cli.request.gather import Said
    from condense_cli.request.target import Target

TARGETS: dict[str, Target] = {
    api.TARGET.name: api.TARGET for api in (openai_chat, anthropic, openai_responses, gemini, bedrock)
}


class Request(NamedTuple):
    """The bytes of a request, with a newline at the end, and notes about what is different from the session."""

    data: bytes
    notes: tuple[str, ...]


def build(path: str, said: Sequence[Said], target: str, model: str = "", tools: Iterable[Any] | None = None) -> Request:
    """Write one JSON object for an API: model where it is known, what the system says, messages, declared tools.

    Raises UnreadableError if there is nothing to say.
    """
    api = TARGETS[target]
    try:
        gathered = gather(said, api.keeps, api.thinking, tools)
        value = api.write(gathered)
        data = jsonedit.dump({api.model: model, **value} if model else value)
    except RecursionError:
        raise RefusedError(f"{path}: a value is nested too deep for a request", "`condense render` shows it") from None
    messages = [message for message in value[api.entries] if message.get("role") != "system"]
    if not messages:
        raise UnreadableError(
            f"{path}: no message to send", "`condense render --view stored` shows what the file holds"
        )
    notes = [*_counted("left out", gathered.left_out), *_counted("made up", gathered.made_up)]
    if messages[-1].get("role") in ("assistant", "model"):
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
