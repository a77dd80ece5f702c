"""What the contracts take at most, in one table, each number with its evidence.

Evidence as in the table of contracts: D the vendor's documentation, O seen in a public report, M measured against the
live service. Only a number of D or O at the contract's own endpoint that no other source disputes makes an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from condense_cli.model.findings import Severity


class Measure(StrEnum):
    """What is limited. Bytes are decoded ones where nothing else is said."""

    IMAGE_BYTES = "image-bytes"
    SIDE = "side"  # pixels of the longer side of an image
    SIDE_OF_MANY = "side-of-many"  # the same in a request with more than MANY images
    DOCUMENT_BYTES = "document-bytes"
    PAGES = "pages"  # of all PDFs of a request; gemini: of one
    MEDIA = "media"  # images and documents of a request
    DOCUMENTS = "documents"  # documents of a request
    REQUEST_BYTES = "request-bytes"  # of the whole request, as it is sent
    ALL_IMAGE_BYTES = "all-image-bytes"  # of all images of a request together
    ITEM_ID = "item-id"  # characters


class Limit(NamedTuple):
    """A number that a contract takes at most. small: it holds where the model's window has 200,000 tokens."""

    contract: str
    measure: Measure
    most: int
    severity: Severity
    evidence: str
    source: str
    small: bool = False


MANY = 20  # images after which Anthropic takes smaller ones only
MB, MIB = 1_000_000, 1 << 20
_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO
_CONVERSE = "AWS API reference, Message of Converse"
_DISPUTED = "AWS API reference, Message of Converse; its user guide leaves it to the model"
_OPENAI = "OpenAI guide to images"
_VISION = "docs.claude.com, vision"

LIMITS: tuple[Limit, ...] = (
    # Some sources count the base64 text, which is a third longer: 3.75 MiB of bytes.
    Limit("anthropic", Measure.IMAGE_BYTES, 15 * MIB // 4, _W, "O", "aipoch/open-science#225"),
    Limit("anthropic", Measure.IMAGE_BYTES, 5 * MIB, _E, "O", "gptme/gptme#185"),
    Limit("anthropic", Measure.SIDE, 8000, _E, "D", _VISION),
    Limit("anthropic", Measure.SIDE_OF_MANY, 2000, _E, "O", "anthropics/claude-code#24630"),
    Limit("anthropic", Measure.MEDIA, 600, _E, "D", _VISION),
    Limit("anthropic", Measure.MEDIA, 100, _E, "O", "anthropics/claude-code#23392", small=True),
    Limit("anthropic", Measure.PAGES, 600, _E, "D", "platform.claude.com, PDF support"),
    Limit("anthropic", Measure.PAGES, 100, _E, "D", "platform.claude.com, PDF support", small=True),
    Limit("anthropic", Measure.REQUEST_BYTES, 32 * MIB, _W, "D", "docs.claude.com, API overview"),
    Limit("bedrock", Measure.IMAGE_BYTES, 15 * MB // 4, _W, "D", _DISPUTED),
    Limit("bedrock", Measure.SIDE, 8000, _E, "D", _CONVERSE),
    Limit("bedrock", Measure.SIDE_OF_MANY, 2000, _E, "O", "anthropics/claude-code#24630"),
    Limit("bedrock", Measure.MEDIA, 20, _W, "O", "cline/cline#1844; the user guide leaves it to the model"),
    Limit("bedrock", Measure.DOCUMENTS, 5, _W, "D", _DISPUTED),
    Limit("bedrock", Measure.DOCUMENT_BYTES, 9 * MB // 2, _W, "D", _DISPUTED),
    Limit("bedrock", Measure.PAGES, 100, _W, "D", "AWS user guide, API restrictions"),
    Limit("bedrock", Measure.REQUEST_BYTES, 20 * MB, _W, "D", "AWS, Claude Messages request"),
    Limit("openai-chat", Measure.IMAGE_BYTES, 20 * MB, _I, "D", _OPENAI),
    Limit("openai-chat", Measure.ALL_IMAGE_BYTES, 50 * MB, _I, "D", _OPENAI),
    Limit("openai-responses", Measure.IMAGE_BYTES, 20 * MB, _W, "D", _OPENAI),
    Limit("openai-responses", Measure.ALL_IMAGE_BYTES, 50 * MB, _W, "D", _OPENAI),
    Limit("openai-responses", Measure.ITEM_ID, 64, _E, "O", "github/app#409"),
    Limit("gemini", Measure.IMAGE_BYTES, 7 * MB, _W, "D", "Google Cloud, image understanding; newer pages say more"),
    Limit("gemini", Measure.SIDE, 8000, _W, "M", "earendil-works/pi#120"),
    Limit("gemini", Measure.MEDIA, 3000, _W, "D", "Google Cloud, image understanding; 900 for a preview"),
    Limit("gemini", Measure.PAGES, 1000, _E, "D", "ai.google.dev, document processing"),
    Limit("gemini", Measure.DOCUMENT_BYTES, 50 * MB, _W, "D", "Vertex AI, document understanding"),
    Limit("gemini", Measure.REQUEST_BYTES, 100 * MB, _W, "D", "blog.google, gemini-api-new-file-limits"),
    Limit("deepseek", Measure.MEDIA, 0, _E, "O", "rikkahub/rikkahub#1433; can1357/oh-my-pi#9169"),
    Limit("mistral", Measure.SIDE, 10_000, _W, "O", "juspay/neurolink#755"),
    Limit("mistral", Measure.MEDIA, 8, _W, "M", "earendil-works/pi#120"),
)

_NAMED = re.compile(r"claude-(?:opus|sonnet|haiku)-(\d)(?:[-.](\d{1,2}))?(?!\d)")
_NUMBERED = re.compile(r"claude-(\d)(?:[-.](\d{1,2}))?(?!\d)")
_NEWEST_SMALL = (4, 5)


@cache
def has_small_window(model: str) -> bool:
    """Say whether a model takes 200,000 tokens: Claude 4.5 and older, unless its name asks for the long window.

    A model that is not known is taken for one with a large window, so that nothing is found that is not there.
    """
    name = model.lower()
    found = _NAMED.search(name) or _NUMBERED.search(name)
    if found is None or "[1m]" in name or "-1m" in name:
        return False
    return (int(found[1]), int(found[2] or 0)) <= _NEWEST_SMALL


def limits_of(contract: str, measure: Measure, model: str = "") -> Iterator[Limit]:
    """Yield the limits of a contract for a measure that hold for a model."""
    small = has_small_window(model)
    for limit in LIMITS:
        if limit.contract == contract and limit.measure is measure and (small or not limit.small):
            yield limit


# Whose limits hold for a client: those of its own API, or of the API of the model that the thread uses now.
_OWN_API = {"claude-code": "anthropic", "codex": "openai-responses", "opencode": "openai-chat"}
_APIS = {
    "anthropic-messages": "anthropic",
    "bedrock-converse-stream": "bedrock",
    "openai-completions": "openai-chat",
    "openai-responses": "openai-responses",
    "google-generative-ai": "gemini",
    "mistral-conversations": "mistral",
}
_BY_MODEL = frozenset({"pi", "openclaw"})


def smallest(measure: Measure, contracts: Sequence[str], api: str = "") -> int | None:
    """Return the lowest number that any of the contracts has for a measure, None if none has; api as in `tier`."""
    owners = {_owner(contract, _APIS.get(api, "")) for contract in contracts}
    return min((limit.most for limit in LIMITS if limit.measure is measure and limit.contract in owners), default=None)


def tier(measure: Measure, value: int, *, model: str = "", api: str = "") -> str:
    """Return the variant of a finding about a value: the highest number of any contract that it is over, "" if of none.

    api and model are those that the thread uses now. Whatever contract judges the finding then asks `limit_for`.
    """
    small = has_small_window(model)
    over = [
        limit.most for limit in LIMITS if limit.measure is measure and value > limit.most and (small or not limit.small)
    ]
    if not over:
        return ""
    return "/".join((measure.value, str(max(over)), "small" if small else "", _APIS.get(api, "")))


def limit_for(variant: str, contract: str) -> Limit | None:
    """Return the limit of a contract that a finding with this variant is over, None if it is within all of them."""
    over = limits_for(variant, contract)
    return min(over, key=lambda limit: (-limit.severity.rank, limit.most), default=None)


def limits_for(variant: str, contract: str) -> tuple[Limit, ...]:
    """Return all limits of a contract that a finding with this variant is over."""
    measure, most, small, api = variant.split("/")
    owner = _owner(contract, api)
    return tuple(
        limit
        for limit in LIMITS
        if limit.contract == owner
        and limit.measure == measure
        and limit.most <= int(most)
        and (small or not limit.small)
    )


def _owner(contract: str, api: str) -> str:
    """Return whose limits hold for a contract."""
    return api if contract in _BY_MODEL else _OWN_API.get(contract, contract)


def exceeded(contract: str, measure: Measure, value: int, model: str = "") -> Limit | None:
    """Return the limit that a value is over, the one that costs most and is lowest; None if it is within all."""
    over = (limit for limit in limits_of(contract, measure, model) if value > limit.most)
    return min(over, key=lambda limit: (-limit.severity.rank, limit.most), default=None)
