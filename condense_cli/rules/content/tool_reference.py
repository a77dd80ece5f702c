"""A reference to a tool that the request does not declare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.rule import Example, Layer, Rule
from condense_cli.rules.schemas import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.findings import Finding
    from condense_cli.rules.thread import Thread

_NAME = "unknown-tool-reference"


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield results with references to tools that are not declared; where nothing declares tools, nothing is proved."""
    found = list(thread.flaws(_NAME))
    document = thread.document
    declared = names_of(document.format.tools_of(document, thread.view)) if found else None
    for _, finding in found:
        if declared is None:
            yield finding._replace(variant="unproven")
        elif _unknown(
            *_references(
                document.value(finding.record), _block(thread.document.format.content_path(finding.record), finding)
            ),
            declared,
        ):
            yield finding


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Take the references out; on request all of them, where nothing declares tools."""
    draft = index.draft()
    declared = names_of(draft.format.tools_of(index.document, index.view)) or frozenset()
    for finding in findings:
        record = finding.record
        listed, path = _references(draft.value(record), _block(draft.format.content_path(record), finding))
        raw = draft.raw(record)
        for n in reversed(_unknown(listed, path, declared)):
            raw = jsonedit.remove(raw, (*path, n))
        draft.rewrite(record, raw, _NAME, Change.STRIP, part=finding.part)
    return draft.edits


def _block(content: Path, finding: Finding) -> Path:
    return (*content, finding.part or 0)


def _references(value: Any, path: Path) -> tuple[list[Any], Path]:
    """Return the list that holds the references of a result, and where it is."""
    for step in (*path, "content"):
        value = value[step]
    if isinstance(value, dict):
        return value["tool_references"], (*path, "content", "tool_references")
    return value, (*path, "content")


def _unknown(listed: list[Any], _: Path, declared: frozenset[str]) -> list[int]:
    """Return the places of the references to tools that are not declared."""
    return [
        n
        for n, one in enumerate(listed)
        if isinstance(one, dict) and one.get("type") == "tool_reference" and one.get("tool_name") not in declared
    ]


_FOUND = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "tool_reference", "tool_name": "fax"}]}
_TOOLS = {
    "tools": [{"name": "bash", "input_schema": {"type": "object"}}],
    "messages": [sessions.ask(), sessions.reply(sessions.use()), sessions.ask([_FOUND])],
}

RULE = Rule(
    _NAME, Layer.CONTENT,
    "a result refers to a tool that the request does not declare",
    "the reference is taken out; on request where nothing declares tools",
    Example("anthropic", 1, sessions.lines(_TOOLS)),
    scan_thread=scan,
    fix=fix,
)  # fmt: skip
