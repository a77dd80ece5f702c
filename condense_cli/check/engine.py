"""Check: all findings of a document, judged by one or more contracts.

The layers run in the order in which a repair works, and each looks at what the one before would leave, so
that one fault gives one finding: a call is not called unanswered because its result stands in a torn line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from condense_cli.document.document import HELD, Document
from condense_cli.document.format import View
from condense_cli.model.findings import Finding, Report, Severity
from condense_cli.model.messages import Call, Message, Record, Result, Role
from condense_cli.pairing.pair import BY_NAME, SOUND, Fault, Pairing, is_sound, pair
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import CLIENTS, severity
from condense_cli.rules.header import mend_header
from condense_cli.rules.line import mend_lines
from condense_cli.rules.refusals import provider_error
from condense_cli.rules.tree import mend_tree

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NINE = re.compile(r"[a-zA-Z0-9]{9}")

Wanted = Callable[[str], bool]


def everything(rule: str) -> bool:
    """Want every fix: what check assumes when it looks behind a damaged layer."""
    return True


def mend_file(document: Document, wanted: Wanted = everything) -> None:
    """Run the layers that concern the file itself: lines, header, tree."""
    mend_lines(document, wanted)
    mend_header(document, wanted)
    mend_tree(document, wanted)
    document.format.find(document, wanted)


def check(document: Document, contracts: Sequence[str], *, leaf: str | None = None, every: bool = False, stored: bool = False) -> Report:
    """Find everything that is wrong and judge it by each contract. Changes the document, not the file.

    every: all threads; stored: whole paths, whatever compaction and edits leave out.
    """
    messages, calls, results = count(document)
    mend_file(document)
    own = document.format.contract
    found = list(document.findings)
    for view in document.format.views(document, leaf, every):
        looked_at = view._replace(messages=stored_messages(document, view)) if stored else view
        found.extend(thread_findings(document, looked_at, contracts=contracts))
    several = contracts != [own]
    judged = [f for contract in contracts for f in judge(document, found, contract, own, named=several)]
    return Report(
        document.path,
        document.format.name if not document.neutral else "messages",
        document.format.version(document),
        document.format.threads(document),
        messages,
        calls,
        results,
        tuple(judged),
        own_contract=own,
        notice=document.notice(),
    )


def stored_messages(document: Document, view: View) -> Sequence[Message]:
    """Return the messages of all records of a path; a format that spreads turns over records puts them together."""
    return document.format.stored(document, view)


def count(document: Document) -> tuple[int, int, int]:
    """Count messages, calls and results of the whole file."""
    return document.format.count(document)


# ---------------------------------------------------------------------- judging
def judge(document: Document, found: Iterable[Finding], contract: str, own: str, *, named: bool = False) -> list[Finding]:
    """Give each finding the severity that the contract has for it, and leave out what it does not mind."""
    best: dict[tuple[str, int, int | None, str | None], Finding] = {}
    read_only = document.refusal() is not None
    for finding in found:
        how_bad = severity(finding.rule, finding.variant, contract, own)
        if how_bad is None:
            continue
        key = (finding.rule, id(finding.record), finding.part, finding.call_id)
        before = best.get(key)
        if before is not None and before.severity is not None and before.severity.rank >= how_bad.rank:
            continue
        best[key] = finding._replace(
            severity=how_bad,
            index=document.index(finding.record),
            entry=document.renamed.get(id(finding.record), finding.record.id),
            fixable=not read_only and is_fixable(finding, how_bad) and not (finding.rule in _BY_MOVING and document.fixed),
            contract=contract if named else None,
            provider_error=_error(document, finding, contract) if named else None,
        )
    order = {id(record): n for n, record in enumerate(document.records)} if len(best) > 1 else {}
    return sorted(best.values(), key=lambda f: (f.line, order.get(id(f.record), -1), f.part or 0))


def _error(document: Document, finding: Finding, contract: str) -> str | None:
    return provider_error(finding.rule, finding.variant, contract, call_id=finding.call_id, index=document.index(finding.record), part=finding.part)


_BY_MOVING = frozenset({"unanswered-call", "displaced-result", "result-before-call", "starts-without-user"})
_UNFIXABLE = frozenset({("unreadable-line", ""), ("missing-ordinal", "middle"), ("dangling-ref", "kept")})


def is_fixable(finding: Finding, how_bad: Severity) -> bool:
    """Say whether repair mends it by default."""
    rule = RULES[finding.rule]
    return bool(rule.repair) and how_bad is not Severity.INFO and not rule.on_request and finding.variant != HELD and (finding.rule, finding.variant) not in _UNFIXABLE


# ---------------------------------------------------------------------- one thread
def thread_findings(document: Document, view: View, pairing: Pairing | None = None, *, contracts: Sequence[str] = ()) -> Iterator[Finding]:
    """Yield what is wrong with one thread as its client reads it: pairing, calls, content."""
    if pairing is None:
        pairing = SOUND if is_sound(view.messages) else pair(view.messages, shared_results=document.format.shared_results)
    anthropic = view.writer.anthropic
    for fault in pairing.faults:
        yield _pairing_finding(fault, anthropic)
    # The clients write other ids when the model changes, so only their own model's ids reach Mistral as they stand.
    as_stored = document.format.contract not in CLIENTS or view.writer.provider == "mistral"
    yield from call_findings(view, nine=as_stored and "mistral" in contracts)
    yield from flaw_findings(document, view, pairing)
    yield from turn_findings(view)
    yield from document.format.thread_findings(document, view, pairing)


def _pairing_finding(fault: Fault, anthropic: bool) -> Finding:
    half: Call | Result | None = fault.result if _sits_on_result(fault) else fault.call
    assert half is not None
    others = (fault.call, fault.other_call, fault.result, fault.other_result)
    lines = {h.record.line for h in others if h is not None and h.record is not half.record}
    variant = "anthropic" if fault.rule == "reused-id" and anthropic else fault.variant
    return Finding(fault.rule, half.record.line, half.record, variant=variant, part=half.part, call_id=half.id, related=tuple(sorted(lines)), detail=fault.detail)


_ON_RESULT = frozenset({"orphan-result", "displaced-result", "result-before-call", "duplicate-result", "result-of-skipped-call", "invalid-call-id"})


def _sits_on_result(fault: Fault) -> bool:
    return fault.rule in _ON_RESULT and fault.result is not None


def id_variants(ident: str | None, own: bool) -> Iterator[str]:
    """Yield each way in which a call id is not what some contract wants."""
    if not ident:
        yield ""
        return
    head = ident.split("|", 1)[0]
    if not _ID.fullmatch(ident):
        yield "own" if own else "charset"
    if len(head) > 64:
        yield "long"
    elif len(head) > 40:
        yield "over-40"
    if not _NINE.fullmatch(ident):
        yield "not-nine"


def call_findings(view: View, *, nine: bool = False) -> Iterator[Finding]:
    """Yield what is wrong with names and ids of the calls that are sent; nine: ids of another form than Mistral's, too."""
    good_names: set[str] = set()
    for message in view.messages:
        if message.skipped or not message.calls:
            continue
        for call in message.calls:
            name = call.name
            if name not in good_names:
                if name and _NAME.fullmatch(name):
                    good_names.add(name)
                else:
                    yield Finding("invalid-tool-name", call.record.line, call.record, part=call.part, call_id=call.id)
            ident = call.id
            if call.family == BY_NAME:
                continue
            if ident and len(ident) <= 40 and _ID.fullmatch(ident):
                if nine and not _NINE.fullmatch(ident):
                    yield Finding("invalid-call-id", call.record.line, call.record, variant="not-nine", part=call.part, call_id=ident)
                continue
            own = view.writer.anthropic and message.record.extra == view.writer
            for variant in id_variants(ident, own):
                if variant == "not-nine" and not nine:
                    continue
                yield Finding("invalid-call-id", call.record.line, call.record, variant=variant, part=call.part, call_id=ident)


def flaw_findings(document: Document, view: View, pairing: Pairing) -> Iterator[Finding]:
    """Yield the flaws that were seen inside single records."""
    orphaned = {id(f.result) for f in pairing.faults if f.result is not None and f.rule in ("orphan-result", "result-of-skipped-call")}
    for message in view.messages:
        if not message.flaws or any(id(result) in orphaned for result in message.results):
            continue
        for flaw in message.flaws:
            if message.skipped and flaw.rule != "invalid-image":
                continue
            variant = _variant(flaw.rule, flaw.variant, message, view)
            record = flaw.record or message.record
            yield Finding(flaw.rule, record.line, record, variant=variant, part=flaw.part, call_id=flaw.call_id, detail=flaw.detail)
    yield from nul_findings(document)


def _variant(rule: str, variant: str, message: Message, view: View) -> str:
    if rule == "text-after-call":
        return "native" if view.writer.speaks_anthropic else variant
    if rule == "unsigned-thinking":
        return variant or ("sent" if _sends_thinking(message, view) else "")
    return variant


def _sends_thinking(message: Message, view: View) -> bool:
    """Thinking reaches Anthropic only from the model that the thread uses now."""
    written = message.record.extra
    return view.writer.signs_thinking and getattr(written, "provider", None) == view.writer.provider and getattr(written, "model", None) == view.writer.model


def nul_findings(document: Document) -> Iterator[Finding]:
    """Yield records that hold U+0000 in a text; names and ids have rules of their own."""
    called = names_with_nul(document)
    for record in document.with_nul:
        if not record.gone and record.kind and holds_nul(document, record, called):
            yield Finding("nul-character", record.line, record)


def names_with_nul(document: Document) -> frozenset[str]:
    """Return the names of called tools that hold U+0000: their results repeat them, and go with them."""
    messages = [record.message for record in document.with_nul if record.message is not None]
    return frozenset(call.name for message in messages for call in message.calls if call.name and "\0" in call.name)


def holds_nul(document: Document, record: Record, called: frozenset[str]) -> bool:
    """Say whether a text, result or argument of the record holds U+0000."""
    from condense_cli.jsonbytes.jsonread import strings

    own = names_of(record) | called
    return any("\0" in text and text not in own for text in strings(document.value(record)))


def names_of(record: Record) -> set[str]:
    """Return the names and ids that other rules judge."""
    message = record.message
    links = {text for text in (record.id, record.parent) if text}
    if message is None:
        return links
    found = links | {call.id for call in message.calls} | {call.name for call in message.calls} | {result.id for result in message.results}
    return {text for text in found if text}


def turn_findings(view: View) -> Iterator[Finding]:
    """Yield what is wrong with the order of turns."""
    before: Message | None = None
    started = side = False
    for message in view.messages:
        role = message.role
        if message.skipped or role is Role.SYSTEM:
            continue
        if role is Role.RESULT:
            before, side = message, False
            continue
        assistant = role is Role.ASSISTANT
        if not started:
            started = True
            if assistant:
                yield Finding("starts-without-user", message.record.line, message.record)
        if before is not None and side is assistant and (message.said or not message.results):
            yield Finding("roles-not-alternating", message.record.line, message.record, related=(before.record.line,))
        # Where results stand in the message of their calls, they are sent behind it: the turn is the tool's, then.
        before, side = message, assistant and all(result.server for result in message.results)
    if before is not None and side and not before.calls:
        yield Finding("ends-with-assistant", before.record.line, before.record)
