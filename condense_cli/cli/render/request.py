"""condense render --as: one request object for an API, checked before it is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from condense_cli.check.engine import check
from condense_cli.cli import options
from condense_cli.cli.render.values import Api
from condense_cli.document.memory import BytesInMemory
from condense_cli.document.views import View
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Severity
from condense_cli.model.messages import Message, Result
from condense_cli.pairing.decision import Decision
from condense_cli.pi_condense.prune.views import Rendering
from condense_cli.request.build import TARGETS, build, refuse
from condense_cli.request.gather import Said
from condense_cli.request.pi_turns import tools_of, turns
from condense_cli.request.thread import Out, Thread
from condense_cli.session.opened import Session
from condense_cli.storage.new_file import write_new


def write_request(opened: Session, said: list[Said], api: Api, output: str | None, tools: list[Any] | None) -> None:
    """Build the request, check it by the API's own contract, and write it. Raises RefusedError if it breaks that."""
    request = build(opened.path, said, api.value, _model(opened.view(), api), tools)
    report = check(read_document("the request", BytesInMemory(request.data), TARGETS[api.value].format), [api.value])
    refuse(opened.path, api.value, [finding for finding in report.findings if finding.severity is Severity.ERROR])
    write_new(output or "-", iter((request.data,)), source=opened.source)
    for note in request.notes:
        options.note(f"condense: {note}")


def _model(view: View, api: Api) -> str:
    """Name the model only where it is known to speak this API."""
    return view.model_in_use.model if view.model_in_use.api == TARGETS[api.value].spoken else ""


def said_in_thread(thread: Thread, decision: Decision) -> Iterator[Said]:
    """Yield what is said in a swept thread."""
    signer = thread.document.format.signed_by
    for out in thread.swept(decision, whole=True):
        facts = thread.messages[out.step.number] if out.step.number is not None else _facts(out)
        yield Said(out.turn, signer, facts)


def _facts(out: Out) -> Message:
    """Return the facts of a result that moved, or of an answer: it pairs as its call does."""
    half = out.step.result if out.step.result is not None else out.step.answer
    assert half is not None
    record = out.turn.blocks[0].record or out.turn.record
    return Message(record, out.turn.role, (), (Result(record, 0, half.id, family=half.family),), said=False)


def declared_in_thread(thread: Thread) -> list[Any] | None:
    """Return the tools that a thread declares, as it spells them."""
    return thread.document.format.tools_of(thread.document, thread.view)


def said_in_pi(rendering: Rendering) -> Iterator[Said]:
    """Yield what is said in a pruned pi session."""
    return (Said(turn, signer) for turn, signer in turns(rendering))


def declared_in_pi(rendering: Rendering) -> list[Any]:
    """Return the tools that a pi session declares."""
    return tools_of(rendering)
