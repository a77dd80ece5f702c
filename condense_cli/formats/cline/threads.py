"""The one thread of a Cline session, with calls whose results are texts left out of the pairing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.records import Records
from condense_cli.document.views import View
from condense_cli.errors import UsageError
from condense_cli.formats.cline.reading import Facts
from condense_cli.formats.messages import groups
from condense_cli.model.messages import Call, Message, Record, Role

_APIS = {"anthropic": "anthropic-messages", "bedrock": "bedrock-converse-stream", "gemini": "google-generative-ai"}
_PROVIDERS = {"bedrock": "amazon-bedrock"}


def views(document: Records, leaf: str | None) -> Iterator[View]:
    """Yield the thread; raise UsageError for a leaf: there is one thread."""
    if leaf is not None:
        raise UsageError(f"{document.path}: this session has one thread, and no end that is {leaf}", "leave out --leaf")
    for group in groups(document):
        yield View(group, list(by_id(document, group)), model_in_use(group), group[-1] if group else None)


def model_in_use(records: Sequence[Record]) -> ModelInUse:
    """Return the model that the thread uses now."""
    found = (record.extra for record in reversed(records) if isinstance(record.extra, Facts) and record.extra.provider)
    last = next(found, None)
    if last is None:
        return ModelInUse()
    api = "openai-completions" if last.provider.startswith("openai") else _APIS.get(last.provider, "")
    return ModelInUse(api, _PROVIDERS.get(last.provider, last.provider), last.model)


def by_id(document: Records, records: Sequence[Record]) -> Iterator[Message]:
    """Yield the messages with the calls that have to be answered by id."""
    messages = [record.message for record in records if record.message is not None]
    if in_texts(document):
        return (replace(message, calls=()) if message.calls else message for message in messages)
    return without_answered(messages)


def without_answered(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield the messages without the calls whose results the next message says in words."""
    for n, message in enumerate(messages):
        following = messages[n + 1] if n + 1 < len(messages) else None
        yield _without_answered(message, following) if message.calls and following is not None else message


def in_texts(document: Records) -> bool:
    """Say whether a list of messages has calls and no result: there its client wrote all results as texts."""
    return document.derived(_is_in_texts)


def _is_in_texts(document: Records) -> bool:
    if not is_list(document):
        return False
    messages = [record.message for record in document.records if record.message is not None]
    return any(m.calls for m in messages) and not any(m.results for m in messages)


def is_list(document: Records) -> bool:
    """Say whether the file is a bare list, as versions before the SDK wrote it."""
    return document.derived(_is_list)


def _is_list(document: Records) -> bool:
    return document.source.read(0, 1 << 12).removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n\0")[:1] == b"["


def _without_answered(message: Message, following: Message) -> Message:
    """Leave out the calls whose results the next message says in words."""
    facts = following.record.extra
    if following.role is not Role.USER or not isinstance(facts, Facts) or not facts.answers:
        return message
    left = tuple(_unanswered(message.calls, following, Counter(facts.answers)))
    return replace(message, calls=left) if len(left) < len(message.calls) else message


def _unanswered(calls: Iterable[Call], following: Message, answers: Counter[str]) -> Iterator[Call]:
    for call in calls:
        if call.id not in following.ids and answers[call.name or ""] > 0:
            answers[call.name or ""] -= 1
        else:
            yield call
