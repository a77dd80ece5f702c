"""An image inside a result, where the contract takes text alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.messages import Role
from condense_cli.model.plan import Change
from condense_cli.rules import media, sessions
from condense_cli.rules.blocks import by_record
from condense_cli.rules.rule import Example, Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Record
    from condense_cli.rules.thread import Thread

_NAME = "image-in-result"


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield images inside results, one finding for each result; a client's own file is sent as the client does it."""
    fmt = thread.document.format
    found = {
        (finding.record, finding.part if not fmt.own_shape else None): finding
        for finding in reversed(list(media.in_results(thread.media)))
    }
    for finding in reversed(found.values()):
        yield finding._replace(
            variant="" if fmt.own_shape else "client", possible=fmt.contract == "openai-chat" and fmt.own_shape
        )


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Move the images of each run of results to a user message after it; each result names the image that it lost."""
    draft = index.draft()
    wanted = by_record(findings)
    for run in _runs(index):
        number = 0
        moved: list[bytes] = []
        for record in run:
            if record in wanted:
                number = _take_images(draft, record, number, moved)
        if moved:
            new = draft.insert({"role": "user", "content": []}, run[-1], _NAME)
            raw = jsonedit.replace(draft.raw(new), ("content",), b"[" + b", ".join(moved) + b"]")
            draft.rewrite(new, raw, _NAME, Change.MOVE)
    return draft.edits


def _runs(index: Index) -> Iterator[list[Record]]:
    """Yield the records of each run of results."""
    run: list[Record] = []
    for message in index.view.messages:
        if message.role is Role.RESULT:
            run.append(message.record)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _take_images(draft: Draft, record: Record, number: int, moved: list[bytes]) -> int:
    """Put a text in the place of each image of a result; return how many images the run has lost by now."""
    raw = draft.raw(record)
    spaced = jsonedit.is_spaced(raw)
    for medium in media.media_of_record(draft, record):
        path = ("content", *medium.path)
        place = jsonspan.span(raw, path)
        if medium.document or place is None:
            continue
        number += 1
        title = draft.format.text_block(record, medium.part, f"Image {number} of the results above:")
        moved += (jsonedit.dump(title, spaced=spaced), raw[place[0] : place[1]])
        note = draft.format.text_block(
            record, medium.part, f"[image {number} is in the user message after the results]"
        )
        raw = jsonedit.replace(raw, path, note)
    draft.rewrite(record, raw, _NAME)
    return number


_SHOWN = sessions.chat_result("call_1") | {
    "content": [{"type": "image_url", "image_url": {"url": "https://example.com/door.png"}}]
}

RULE = Rule(
    _NAME, Layer.CONTENT,
    "the result holds an image, where only text is taken",
    "the image moves to a user message after the results, the result names it",
    Example("openai-chat", 4, sessions.array(sessions.ask(), sessions.chat_call("call_1"), _SHOWN)),
    scan_thread=scan,
    fix=fix,
)  # fmt: skip
