"""Make the page from the views of a session, its report and its plan."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.plan import Change
from condense_cli.output.html.order import Slot, bands, fates, merged
from condense_cli.output.html.page import Mark, Page, PageView, Remark, Seen, Shown
from condense_cli.output.html.parts import Limits, Maker
from condense_cli.output.html.viewed_turn import CLIENT, Replay
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import counted, facts, sentence
from condense_cli.output.shell import command, path_word
from condense_cli.rules.catalogue import RULES, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.model.findings import Finding, Report
    from condense_cli.model.plan import Edit
    from condense_cli.output.html.order import Lane, Paths
    from condense_cli.output.html.page import Part, Thread
    from condense_cli.output.html.viewed_turn import ViewedTurn

_SMALL = 4_000_000  # bytes of a session of which nearly everything is shown
_ROOM = 12_000_000  # characters that the outputs of a larger one may take in the page
_WHOLE = Limits(60_000, 20_000)
_COLOURS = 100_000  # characters of code that are coloured in one page
_RANK = {"error": 3, "warning": 2, "info": 1, "": 0}

_CHANGES = {
    Change.DROP: "The repair removes this record",
    Change.STRIP: "The repair removes a part of this record",
    Change.REPLACE: "The repair changes this record",
    Change.MOVE: "The repair moves this record",
    Change.INSERT: "The repair adds a record after this one",
    Change.REPARENT: "The repair gives this record another parent",
}


class Material(NamedTuple):
    """What the page is made of. command is the one that repairs, says what it does; size is the session's, in bytes."""

    report: Report
    lanes: Sequence[Lane]
    paths: Paths
    edits: Sequence[Edit]
    command: str
    says: str
    threads: Sequence[Thread]
    size: int


def build(material: Material) -> Page:
    """Return the page: everything is decided, and messages are made as they are written."""
    slots = merged(material.lanes)
    decided = fates(slots, material.paths)
    remarks, unplaced = _place(material.report.findings, slots)
    edits = _edits(material.edits, slots)
    worst = [
        max((r.severity for r in remarks.get(n, ())), key=_RANK.__getitem__, default="") for n in range(len(slots))
    ]
    report = material.report
    counts = {name: sum(f.severity == name for f in report.findings) for name in ("error", "warning", "info")}
    return Page(
        title=one_line(os.path.basename(report.path)) if report.path != "-" else "standard input",
        path=one_line(report.path),
        format=report.format,
        facts=tuple((name, str(value)) for name, value in _facts(report, material.size) if value),
        verdict=_verdict(counts),
        severity=next((name for name, number in counts.items() if number and name != "info"), "ok"),
        command=material.command,
        command_says=material.says,
        choices=tuple(_choices(slots)),
        threads=tuple(material.threads),
        more_threads=max(0, report.threads - len(material.threads)) if len(material.threads) > 1 else 0,
        marks=tuple(
            Mark(slot.facts.role, fate, severity)
            for slot, (fate, _), severity in zip(slots, decided, worst, strict=True)
        ),
        remarks=tuple((number + 1, remark) for number in sorted(remarks) for remark in remarks[number]),
        unplaced=unplaced,
        messages=_Messages(material, slots, decided, remarks, edits),
        notice=one_line(report.notice),
    )


class _Messages:
    """The messages of the page, made again each time one goes through them."""

    def __init__(
        self,
        material: Material,
        slots: Sequence[Slot],
        decided: Sequence[tuple[object, str]],
        remarks: dict[int, tuple[Remark, ...]],
        edits: dict[int, tuple[str, ...]],
    ) -> None:
        self.material = material
        self.slots = slots
        self.decided = decided
        self.remarks = remarks
        self.edits = edits

    def __iter__(self) -> Iterator[Shown]:
        material, slots = self.material, self.slots
        maker = Maker(_limits(material.size, len(slots)), _COLOURS)
        replays = [Replay(lane.make) for lane in material.lanes]
        headings = bands(slots, self.decided)  # type: ignore[arg-type]
        for number, slot in enumerate(slots):
            told = replays[slot.lane].at(slot.number)
            fate, why = self.decided[number]
            yield Shown(
                number + 1,
                told.role,
                slot.views,
                told.line,
                fate,  # type: ignore[arg-type]
                why,
                headings.get(number, ""),
                tuple(_parts(maker, told, material.report.path)),
                self.remarks.get(number, ()),
                self.edits.get(number, ()),
            )


def _limits(size: int, messages: int) -> Limits:
    """Return how much of a text is shown: a browser has to open the page in seconds, however large the session is."""
    output = max(600, min(_WHOLE.output, _ROOM // max(1, messages)))
    return _WHOLE if size <= _SMALL else Limits(min(_WHOLE.text, 4 * output), output)


def _parts(maker: Maker, told: ViewedTurn, path: str) -> Iterator[Part]:
    whole = command("condense", "render", "--view", "stored", "--output-format", "text", path_word(path))
    output = command("condense", "query", f"L{told.line}", "--no-truncate", "--session", path)
    for block in told.blocks:
        yield maker.part(block, whole, output if told.line else whole)
        yield from maker.pictures_in(block)


# ---------------------------------------------------------------------- what is at a place
def _place(
    findings: Sequence[Finding], slots: Sequence[Slot]
) -> tuple[dict[int, tuple[Remark, ...]], tuple[Remark, ...]]:
    """Return the findings by the number of the slot they are at, and those that are at none; they are numbered as
    the page has them.
    """
    at_byte, at_line = _where(slots)
    found: dict[int, list[Finding]] = {}
    nowhere: list[Finding] = []
    for finding in findings:
        place = at_byte.get(finding.record.start) if finding.record.end else None
        place = (
            at_line.get((finding.line, finding.index), at_line.get((finding.line, None))) if place is None else place
        )
        if place is None:
            nowhere.append(finding)
        else:
            found.setdefault(place, []).append(finding)
    unplaced = tuple(_remark(finding, number) for number, finding in enumerate(nowhere, 1))
    placed: dict[int, tuple[Remark, ...]] = {}
    number = len(unplaced)
    for place in sorted(found):
        placed[place] = tuple(_remark(finding, number + n) for n, finding in enumerate(found[place], 1))
        number += len(found[place])
    return placed, unplaced


def _where(slots: Sequence[Slot]) -> tuple[dict[int, int], dict[tuple[int, int | None], int]]:
    at_byte: dict[int, int] = {}
    at_line: dict[tuple[int, int | None], int] = {}
    for number, slot in enumerate(slots):
        if Seen.STORED in slot.views:
            at_byte.setdefault(slot.facts.start, number)
            at_line.setdefault((slot.facts.line, slot.facts.index), number)
    return at_byte, at_line


def _remark(finding: Finding, number: int) -> Remark:
    rule = RULES.get(finding.rule)
    repair = (
        rule.repair
        if rule is not None and finding.fixable
        else "reported only"
        if rule is not None and not rule.repair
        else ""
    )
    return Remark(
        number,
        finding.rule,
        str(finding.severity or "info"),
        sentence(finding.rule, finding.detail),
        facts(finding),
        repair,
        finding.line,
    )


def _edits(edits: Sequence[Edit], slots: Sequence[Slot]) -> dict[int, tuple[str, ...]]:
    _, at_line = _where(slots)
    found: dict[int, dict[str, None]] = {}
    for edit in edits:
        place = at_line.get((edit.line, edit.index), at_line.get((edit.line, None)))
        # That links follow when a record goes says nothing to a reader.
        follows = edit.change is Change.REPARENT and RULES[edit.rule].layer is not Layer.TREE
        if place is not None and not follows:
            found.setdefault(place, {})[f"{_CHANGES[edit.change]} ({edit.rule})."] = None
    return {place: tuple(texts) for place, texts in found.items()}


# ---------------------------------------------------------------------- the head
def _facts(report: Report, size: int) -> Iterator[tuple[str, object]]:
    yield "client", f"{report.format} {one_line(report.client_version or '')}".strip()
    yield "messages", f"{report.messages:,}"
    yield "calls", f"{report.calls:,}"
    yield "results", f"{report.results:,}"
    yield "threads", report.threads if report.threads > 1 else ""
    yield "size", f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size:,} bytes"


def _verdict(counts: dict[str, int]) -> str:
    found = [counted(number, name) for name, number in counts.items() if number and name != "info"]
    more = counted(counts["info"], "remark") if counts["info"] else ""
    return ", ".join(found + [more] * bool(more)) if found else f"No errors or warnings{f', {more}' if more else ''}"


_MEANINGS = {
    Seen.STORED: ("Stored", "Every record of the file, other threads and what was compacted, too."),
    Seen.CONTEXT: ("Context", "What the client reads when it resumes the session."),
    Seen.RENDERED: ("Rendered", "What is sent after pruning: summarised outputs are short, orphans are left out."),
    Seen.REPAIRED: ("Repaired", "What the client reads, and the provider gets, after the repair."),
}


def _choices(slots: Sequence[Slot]) -> Iterator[PageView]:
    for seen, (name, meaning) in _MEANINGS.items():
        yield PageView(
            seen.value, name, meaning, sum(seen in slot.views and slot.facts.role != CLIENT for slot in slots)
        )
