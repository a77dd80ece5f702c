"""One run over a branch: each eligible chain gets its records and its chain entry, in branch order.

Source of the order and of the words: pi-condense's `/pruner compact`. Diagnostics are returned, never written.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, double, is_number, replaced_halves, string, utf16_length
from condense_cli.pi_condense.compact.backfill import Ends, fresh_results, output_text, records_of
from condense_cli.pi_condense.compact.blobs import content_hash, preview
from condense_cli.pi_condense.compact.body import body_text, brief_of, has_dates, tools_of
from condense_cli.pi_condense.compact.branch import STATS_TYPE
from condense_cli.pi_condense.compact.chains import Standing, detect, grace_keys, standings
from condense_cli.pi_condense.compact.entries import Writer, block_name, chain_data, next_block, stats
from condense_cli.pi_condense.prune.diagnostics import Diagnostic, told_once
from condense_cli.pi_condense.prune.index import CHAIN_TYPE, INDEX_TYPE
from condense_cli.pi_condense.prune.keys import same
from condense_cli.pi_condense.prune.settings import Settings
from condense_cli.pi_condense.prune.stubs import raw_record

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.compact.backfill import Fresh
    from condense_cli.pi_condense.compact.blobs import BlobFolder
    from condense_cli.pi_condense.compact.body import Brief
    from condense_cli.pi_condense.compact.branch import Reading
    from condense_cli.pi_condense.compact.chains import ToolChain
    from condense_cli.pi_condense.compact.entries import Appended
    from condense_cli.pi_condense.prune.context import Load
    from condense_cli.pi_condense.prune.index import Index


class Why(StrEnum):
    """Why a chain gets no entry although its turn has come."""

    NOTHING = "no-summary"  # none of its results can become a record
    NO_GAIN = "no-gain"
    UNSAFE = "unsafe"  # pi-condense would fail on the session from then on


class ChainOutcome(NamedTuple):
    """What became of one chain. block_id is empty where it got no entry; written is its entry's record.

    keys are the occurrences that got records in this run.
    """

    chain: ToolChain
    standing: Standing
    line: int
    block_id: str = ""
    why: Why | None = None
    detail: str = ""
    calls: int = 0
    tools: str = ""
    refs: tuple[Any, ...] = ()
    covered: bool = False
    keys: tuple[str, ...] = ()
    written: Record | None = None


class AppendPoint(NamedTuple):
    """Where the new entries go: the id of the leaf, the ids that are taken, and the number of the last line."""

    leaf: str | None
    taken: Sequence[str | None]
    last_line: int


class Run(NamedTuple):
    """Everything that one run comes to.

    records holds the new records and chains as well, as the next start would read them.
    """

    rows: tuple[ChainOutcome, ...]
    lines: tuple[Appended, ...]
    diagnostics: tuple[Diagnostic, ...]
    skipped: tuple[tuple[Any, str], ...]
    grace: tuple[Any, ...]
    records: Index

    @property
    def compressed(self) -> list[ChainOutcome]:
        """Return the chains that get an entry."""
        return [row for row in self.rows if row.block_id]


class Terms(NamedTuple):
    """What a run is asked for. window is a number of chains, now in milliseconds; leave holds starts to leave alone."""

    settings: Settings
    window: int
    now: int
    leave: Collection[Any] = frozenset()


def run(reading: Reading, terms: Terms, folder: BlobFolder, place: AppendPoint) -> Run:
    """Decide and build everything; nothing is written.

    Raises WouldThrowError where the original cannot read its own entries.
    """
    index = reading.rebuilt()
    chains = detect(reading.said)
    registry = index.chains()
    compressed = {same(chain.start) for chain in registry}
    grace = grace_keys(reading.said, terms.settings.grace_turns)
    work = _Work(
        reading,
        terms,
        folder,
        index,
        Writer(place.leaf, place.taken, place.last_line, terms.now),
        next_block(c.block_id for c in registry),
    )
    rows = [
        work.row(chain, standing)
        for chain, standing in zip(chains, standings(chains, compressed, grace, terms.window), strict=True)
    ]
    done = sum(bool(row.block_id) for row in rows)
    if done:
        work.writer.add(STATS_TYPE, stats(reading.stats, done))
    _resolve_aliases(index)
    skipped = [(row.chain.start, row.standing.value) for row in rows if row.standing is Standing.COMPRESSED]
    skipped += [(row.chain.start, row.why.value) for row in rows if row.why is not None]
    return Run(tuple(rows), tuple(work.writer.lines), told_once(work.notes), tuple(skipped), tuple(grace), index)


def _resolve_aliases(index: Index) -> None:
    """Let aliases show the references of their originals again, as a new start does."""
    for alias, original in index.originals.items():
        short = index.short_ref(original)
        if short is not None:
            index.ref_of_key[alias] = short


class _Work:
    """The state that goes from chain to chain: the index, the numbers, the lines so far."""

    def __init__(
        self, reading: Reading, terms: Terms, folder: BlobFolder, index: Index, writer: Writer, block: float
    ) -> None:
        self.reading = reading
        self.terms = terms
        self.folder = folder
        self.index = index
        self.writer = writer
        self.block = block
        self.ends = Ends(reading.said)
        self.notes: list[Diagnostic] = []

    def row(self, chain: ToolChain, standing: Standing) -> ChainOutcome:
        """Compress one chain if it can be, and say what became of it."""
        inside = [message.facts for message in self.reading.said[chain.opened : chain.closed]]
        row = ChainOutcome(
            chain,
            standing,
            self.reading.said[chain.opened].record.line,
            calls=sum(len(facts.calls) for facts in inside),
            tools=tools_of(string(facts.tool) for facts in inside if facts.role == "toolResult"),
        )
        if standing is not Standing.ELIGIBLE:
            return row
        if same(chain.start) in self.terms.leave:
            return row._replace(why=Why.NO_GAIN)
        unsafe = self._unsafe(chain)
        if unsafe:
            return row._replace(why=Why.UNSAFE, detail=unsafe)
        lookups = {same(key) for key in chain.lookups}
        if any(not lookups.isdisjoint(body.keys) for body in self.index.bodies):
            return self._timeless(row) or self._entry(row._replace(covered=True), None)
        return self._uncovered(row)

    def _unsafe(self, chain: ToolChain) -> str:
        """Say what would make pi-condense fail, at once or at every request that follows."""
        if not is_number(chain.start):
            return "its first message has no time"
        if not all(isinstance(call_id, str) for call_id in chain.ids):
            return "a call id is no text"
        said = self.reading.said[chain.opened + 1 : chain.closed + 1]
        if any(message.facts.role == "assistant" and message.facts.content in ("holes", "other") for message in said):
            return "an answer is no list of blocks"
        if self.terms.settings.strip_final_thinking and said[-1].facts.content == "text":
            return "its last answer is no list of blocks"
        return ""

    @staticmethod
    def _timeless(row: ChainOutcome) -> ChainOutcome | None:
        """Leave a chain alone whose start is no time: its entry would not count, and be written again each run."""
        if math.isfinite(double(row.chain.start)):
            return None
        return row._replace(why=Why.UNSAFE, detail="its first message has no time that can be read")

    def _uncovered(self, row: ChainOutcome) -> ChainOutcome:
        chain, load = row.chain, self.reading.load
        known = [self.index.records[key] for key in map(same, chain.lookups) if key in self.index.records]
        fresh = fresh_results(self.ends.inside(chain), chain, self.index)
        if not known and not fresh:
            if len(chain.protected) != len(chain.ids):
                self.notes.append(Diagnostic("backfill-empty", string(chain.start), f"middles={len(chain.ids)}"))
            return row._replace(
                why=Why.NOTHING,
                detail="its outputs are protected" if len(chain.protected) == len(chain.ids) else "no output to keep",
            )
        if known and (timeless := self._timeless(row)):
            return timeless
        briefs = [brief_of(raw_record(indexed, load)) for indexed in known]
        records = records_of(fresh, load)
        briefs += [brief_of(record) for record in records]
        row = row._replace(keys=tuple(one.key for one in fresh))
        if not has_dates(briefs):
            return row._replace(why=Why.UNSAFE, detail="a time is no date")
        if fresh:
            self._backfill(records, fresh, load)
        return self._entry(row, briefs)

    def _backfill(self, records: list[dict[str, Any]], fresh: Sequence[Fresh], load: Load) -> None:
        settings = self.terms.settings
        threshold = settings.spill_threshold if settings.spill_threshold > 0 else Settings().spill_threshold
        for record, one in zip(records, fresh, strict=True):
            text = record["resultText"]
            if 2 * len(text) >= threshold and utf16_length(text) >= threshold:  # a character is one unit or two
                _spill(record, one, self.folder, int(settings.spill_preview_bytes), load)
        first = self.index.next_short
        refs = [
            {"shortId": f"t{number}", "toolCallId": record["toolCallId"], "resultTimestamp": record["resultTimestamp"]}
            for number, record in enumerate(records, first)
        ]
        entry = self.writer.add(INDEX_TYPE, {"toolCalls": records, "backfilled": True, "refs": refs})
        self.index.add(*entry)

    def _entry(self, row: ChainOutcome, briefs: list[Brief] | None) -> ChainOutcome:
        chain = row.chain
        refs = [ref for ref in map(self.index.short_ref, chain.lookups) if ref is not None]
        block_id = block_name(self.block)
        self.block += 1
        data = chain_data(
            blockId=block_id,
            startUserTimestamp=chain.start,
            droppedToolCallIds=list(chain.ids),
            finalAssistantTimestamp=chain.final,
            toolRefs=refs,
            compressedAt=self.terms.now,
            rangeSummaryText=UNDEFINED if briefs is None else body_text(briefs, refs),
            bodySource=UNDEFINED if briefs is None else "deterministic",
            protectedToolCallIds=list(chain.protected),
            droppedOccurrenceKeys=list(chain.keys),
        )
        written, entry = self.writer.add(CHAIN_TYPE, data)
        self.index.add(written, entry)
        return row._replace(block_id=block_id, refs=tuple(refs), written=written)


def _spill(record: dict[str, Any], one: Fresh, folder: BlobFolder, most: int, load: Load) -> None:
    """Move a text from its record into a file of the folder, if it can name one."""
    data = replaced_halves(record["resultText"])
    path = folder.plan(one.key, data, lambda: replaced_halves(output_text(one.result, load)))
    if path is None:
        return
    record["resultText"] = ""
    record["spillBytes"] = len(data)
    record["resultPreview"] = preview(data, most)
    record["spillPath"] = path
    record["contentHash"] = content_hash(string(record.get("toolName", UNDEFINED)), data)
