"""Images and documents that a provider refuses for their label, their content, their size or their number."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.plan import Change
from condense_cli.rules import media, sessions
from condense_cli.rules.blocks import by_record
from condense_cli.rules.content.shrinking import shrunk
from condense_cli.rules.limits import Measure, limit_for, limits_for
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.model.medium import Medium
    from condense_cli.model.messages import Record
    from condense_cli.rules.thread import Thread

_FORMAT = ("image", "format")  # Bedrock Converse names the type without `image/`
_LABELS = (
    ("mimeType",),
    ("source", "media_type"),
    ("inlineData", "mimeType"),
    ("inline_data", "mime_type"),
    _FORMAT,
    ("mime_type",),
)
_URLS = (("image_url", "url"), ("image_url",), ("url",))
_DATA = (
    ("data",),
    ("source", "data"),
    ("inlineData", "data"),
    ("inline_data", "data"),
    ("image", "source", "bytes"),
    ("base64",),
)


def scan_labels(thread: Thread) -> Iterator[Finding]:
    """Yield images whose bytes are of another type than their label says."""
    return media.mislabelled(thread.media, thread.model_in_use)


def scan_documents(thread: Thread) -> Iterator[Finding]:
    """Yield documents that cannot be one."""
    return media.invalid_documents(thread.media)


def scan_sizes(thread: Thread) -> Iterator[Finding]:
    """Yield images and documents that are too large for some contract."""
    return media.oversized(thread.media, thread.model_in_use)


def scan_number(thread: Thread) -> Iterator[Finding]:
    """Yield a request with too many images and documents for some contract."""
    return media.too_many(thread.media, thread.model_in_use)


def fix_labels(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Write the type of the bytes as the label; the bytes stay."""
    draft = index.draft()
    for record in by_record(findings):
        for medium in media.media_of_record(draft, record):
            if medium.mislabelled:
                _relabel(draft, record, medium)
    return draft.edits


def fix_by_note(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Put a text note in the place of each image or document."""
    draft = index.draft()
    for finding in reversed(findings):  # a note may take an element out of a list
        _note(draft, finding.record, finding.cause, finding.rule, finding.detail)
    return draft.edits


def fix_sizes(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Make each image smaller where that was asked for; else, and where it cannot be done, put a text note in its
    place.
    """
    draft = index.draft()
    for same in reversed(_by_medium(findings)):
        if not (index.policies.shrink and _shrink(draft, same, index.contracts)):
            _note(draft, same[0].record, same[0].cause, same[0].rule, same[0].detail)
    return draft.edits


def _by_medium(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Put the findings of one image or document together: it may be over several limits."""
    groups: dict[tuple[int, tuple[str | int, ...]], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.record.line, finding.cause.path), []).append(finding)
    return list(groups.values())


def _shrink(draft: Draft, findings: Sequence[Finding], contracts: Sequence[str]) -> bool:
    """Write an image with as few pixels and bytes as all contracts take; False: it cannot be done."""
    record, medium = findings[0].record, findings[0].cause
    path, raw = media.path_of(draft, record, medium), draft.raw(record)
    place = jsonspan.span(raw, path)
    block = jsonread.loads(raw[place[0] : place[1]]) if place is not None else None
    label, where, head, text = _base64_of(block)
    side, size = _most(findings, contracts)
    data = _decoded(text)
    small = shrunk(data, medium.kind, side=side, size=size or len(data)) if data is not None else None
    if small is None:
        return False
    encoded = base64.b64encode(small.data).decode()
    if head:
        encoded = f"data:{small.kind}{head},{encoded}"
    raw = jsonedit.replace(raw, (*path, *where), encoded)
    if label and _named(small.kind, label) != _member(block, label):
        raw = jsonedit.replace(raw, (*path, *label), _named(small.kind, label))
    detail = f"made smaller: {medium.width}x{medium.height} to {small.width}x{small.height} pixels"
    draft.rewrite(record, raw, findings[0].rule, Change.REPLACE, part=medium.part, detail=detail)
    return True


def _most(findings: Sequence[Finding], contracts: Sequence[str]) -> tuple[int | None, int | None]:
    """Return the lowest numbers of pixels a side and of bytes that the findings' contracts take; None: no limit."""
    lowest: dict[bool, int] = {}
    for finding in findings:
        of_bytes = finding.variant.startswith(Measure.IMAGE_BYTES.value)
        for contract in contracts:
            for limit in limits_for(finding.variant, contract):
                lowest[of_bytes] = min(limit.most, lowest.get(of_bytes, limit.most))
    return lowest.get(False), lowest.get(True)


def _base64_of(block: Any) -> tuple[tuple[str, ...] | None, tuple[str, ...], str, str]:
    """Return where a block keeps its media type, if apart, where its data; what is between both in a data URL, "" if
    it is none; and the base64 text.
    """
    for label, where in zip(_LABELS, _DATA, strict=True):
        text = _member(block, where)
        if isinstance(text, str):
            return label, where, "", text
    for where in _URLS:
        url = _member(block, where)
        if isinstance(url, str) and url.lower().startswith("data:"):
            head, _, text = url.partition(",")
            return None, where, ";" + head.partition(";")[2], text
    return None, (), "", ""


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text) or None
    except ValueError:
        return None


def fix_number(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Put notes in the place of the oldest images and documents, until the contract takes the rest."""
    draft = index.draft()
    sent = media.sent_media(index.document, index.view)
    for finding in findings:
        limits = [limit for contract in index.contracts if (limit := limit_for(finding.variant, contract))]
        counted = [one for one in sent if one.medium.document or not finding.variant.startswith("documents")]
        most = min((limit.most for limit in limits), default=len(counted))
        for record, medium in counted[: max(0, len(counted) - most)]:
            _note(draft, record, medium, finding.rule, "too many in one request")
    return draft.edits


def _relabel(draft: Draft, record: Record, medium: Medium) -> None:
    path, raw = media.path_of(draft, record, medium), draft.raw(record)
    place = jsonspan.span(raw, path)
    block = jsonread.loads(raw[place[0] : place[1]]) if place is not None else None
    for label in _LABELS:
        if isinstance(_member(block, label), str):
            new = jsonedit.replace(raw, (*path, *label), _named(medium.kind, label))
            draft.rewrite(record, new, "media-type-mismatch", part=medium.part)
            return
    for where in _URLS:
        url = _member(block, where)
        if isinstance(url, str):
            _, semicolon, rest = url.partition(";")
            new = jsonedit.replace(raw, (*path, *where), f"data:{medium.kind}{semicolon}{rest}")
            draft.rewrite(record, new, "media-type-mismatch", part=medium.part)
            return


def _named(kind: str, label: tuple[str, ...]) -> str:
    """Return a media type as it is written under a label."""
    return kind.removeprefix("image/") if label == _FORMAT else kind


def _member(block: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        block = block.get(key) if isinstance(block, dict) else None
    return block


def _note(draft: Draft, record: Record, medium: Medium, rule: str, why: str) -> None:
    path, raw = media.path_of(draft, record, medium), draft.raw(record)
    if jsonspan.span(raw, path) is None:
        return
    raw = draft.format.note_instead(raw, path, record, medium.part, note_for(medium, why))
    draft.rewrite(record, raw, rule, Change.REPLACE, part=medium.part)


def note_for(medium: Medium, why: str) -> str:
    """Word the text that takes the place of an image or document."""
    what = "document" if medium.document else "image"
    sides = f", {medium.width}x{medium.height}" if medium.width else f", {medium.pages} pages" if medium.pages else ""
    kind = medium.kind or (medium.label if medium.label.isascii() and len(medium.label) < 60 else "") or "unknown type"
    return f"[{what} removed: {kind}{sides}, {medium.size} bytes, {why}]"


def media_removed(text: str) -> bool:
    """Say whether a text has a note of `note_for`."""
    return "[image removed: " in text or "[document removed: " in text


def _png(width: int, height: int) -> str:
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + size + b"\x08\x02\0\0\0").decode()


def _block(kind: str, media_type: str, data: str) -> dict[str, Any]:
    return {"type": kind, "source": {"type": "base64", "media_type": media_type, "data": data}}


_SMALL = _block("image", "image/png", _png(2, 2))
_NOTED = "a note says what was there"

LABEL = Rule(
    "media-type-mismatch", Layer.CONTENT,
    "the bytes of the image are of another type than its label says",
    "the label is corrected, the bytes stay",
    sessions.anthropic(2, sessions.ask([_block("image", "image/jpeg", _png(2, 2)), sessions.say("What is this?")])),
    scan_thread=scan_labels,
    fix=fix_labels,
)  # fmt: skip

DOCUMENT = Rule(
    "invalid-document", Layer.CONTENT,
    "the document is empty, not base64, or labelled PDF and no PDF",
    _NOTED,
    sessions.anthropic(2, sessions.ask([_block("document", "application/pdf", "PGh0bWw+"), sessions.say("Read it.")])),
    scan_thread=scan_documents,
    fix=fix_by_note,
)  # fmt: skip

SIZE = Rule(
    "oversized-media", Layer.CONTENT,
    "the image or document is larger than the contract takes: bytes, pixels a side, or pages",
    "a note with its size takes its place, or --shrink makes the image smaller; undo brings it back",
    sessions.anthropic(2, sessions.ask([_block("image", "image/png", _png(8200, 3)), sessions.say("What is this?")])),
    scan_thread=scan_sizes,
    fix=fix_sizes,
)  # fmt: skip

NUMBER = Rule(
    "too-many-media", Layer.CONTENT,
    "the request has more images and documents than the contract takes",
    "notes take the place of the oldest; undo brings them back",
    sessions.anthropic(2, sessions.ask([*[_SMALL] * 601, sessions.say("What is this?")])),
    scan_thread=scan_number,
    fix=fix_number,
)  # fmt: skip
