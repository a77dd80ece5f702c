"""A text block that is blank, beside other content or inside a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.jsonbytes.jsonread import loads
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.blocks import by_record, drop_block
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.rules.thread import Thread


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield blank blocks; the variant says where the API that the thread now uses takes them."""
    taken = thread.view.model_in_use.speaks_openai
    for _, finding in thread.flaws("blank-text"):
        yield finding._replace(variant="taken") if taken else finding


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Take blank blocks out; a result whose blocks are all blank keeps an empty list, which is legal."""
    draft = index.draft()
    for record, mine in by_record(findings).items():
        for finding in sorted(mine, key=lambda f: -(f.part or 0)):
            if draft.is_gone(record) or _stripped_result(draft, finding) or draft.format.drop_block(draft, finding):
                continue
            drop_block(draft, finding)
    return draft.edits


def _stripped_result(draft: Draft, finding: Finding) -> bool:
    """Take the blank blocks out of a result that has a list of its own, and say whether the finding is of one."""
    record, raw = finding.record, draft.raw(finding.record)
    path = (*draft.format.content_path(record), finding.part or 0, "content")
    place = jsonspan.span(raw, path)
    if place is None:
        return False
    blocks = loads(raw[place[0] : place[1]])
    for number in range(len(blocks) - 1, -1, -1):
        if _is_blank(blocks[number]):
            raw = jsonedit.remove(raw, (*path, number))
    draft.rewrite(record, raw, finding.rule, Change.STRIP, part=finding.part)
    return True


def _is_blank(block: Any) -> bool:
    if not isinstance(block, dict) or block.get("type") != "text":
        return False
    text = block.get("text")
    return text is None or (isinstance(text, str) and not text.strip())


RULE = Rule(
    "blank-text", Layer.CONTENT,
    "one of its text blocks is blank",
    "the blank block is taken out",
    sessions.pi(3, sessions.ASKED, sessions.assistant("m2", "m1", sessions.say(""), sessions.call(), provider="anthropic"), sessions.ANSWERED),
    scan_thread=scan,
    fix=fix,
)  # fmt: skip
