"""What pi-condense has persisted on a branch: records, short references, aliases, summary bodies, chains.

Rebuilt from all entries of the branch, also those before a compaction. Texts stay in the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, is_number, truthy
from condense_cli.pi_condense.prune.facts import SUMMARY_TYPE
from condense_cli.pi_condense.prune.keys import WouldThrowError, bare, narrow, occurrence_key, parse, same

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.prune.context import Load

INDEX_TYPE = "context-prune-index"
CHAIN_TYPE = "context-prune-chain"
ALIAS_TYPE = "context-prune-dedup-alias"
_SHORT = re.compile(r"t([0-9]+)")


@dataclass(slots=True)
class Indexed:
    """One record of an index entry: where it is, and what decisions need. time is in milliseconds, as written."""

    record: Record
    position: int
    key: Any
    call_id: Any
    tool: Any
    path: Any
    time: Any
    batch_time: Any
    spilled: bool
    backfilled: bool


class Body(NamedTuple):
    """A summary message: the keys it covers, and the entry that holds its text."""

    keys: frozenset[Any]
    record: Record


class Chain(NamedTuple):
    """A compressed chain, as persisted; the range summary stays in the entry."""

    record: Record
    block_id: Any
    start: Any
    final: Any
    call_ids: Any
    keys: Any
    protected: Any
    refs: Any
    compressed_at: Any
    has_text: bool


class Found(NamedTuple):
    """A record as a query shows it: an alias shows its original under a time of its own."""

    indexed: Indexed
    time: Any


class Index:
    """Lookups over what the branch holds. Filled once by `add` and `finish`, then only read."""

    def __init__(self) -> None:
        self.records: dict[Any, Indexed] = {}
        self.keys_of: dict[Any, list[Any]] = {}
        self.key_of_ref: dict[Any, Any] = {}
        self.ref_of_key: dict[Any, Any] = {}
        self.originals: dict[Any, Any] = {}
        self.bodies: list[Body] = []
        self.next_short = 1
        self._chains: dict[Any, Chain] = {}
        self._aliases: list[dict[str, Any]] = []
        self._alias_ids: dict[str, list[Any]] | None = None

    # rebuild

    def add(self, record: Record, entry: dict[str, Any]) -> None:
        """Take in one entry of the branch, in branch order. Raises WouldThrowError where the original does."""
        kind, custom = entry.get("type"), entry.get("customType")
        if kind == "custom_message":
            if custom == SUMMARY_TYPE:
                self._add_summary(record, entry)
        elif kind == "custom":
            data = entry.get("data")
            if custom == INDEX_TYPE:
                self._add_records(record, data)
            elif custom == CHAIN_TYPE and isinstance(data, dict):
                if truthy(data.get("blockId")) and is_number(data.get("startUserTimestamp")):
                    self._chains[same(data["startUserTimestamp"])] = chain_of(record, data)
            elif (
                custom == ALIAS_TYPE
                and isinstance(data, dict)
                and truthy(data.get("newToolCallId"))
                and truthy(data.get("originalToolCallId"))
            ):
                self._aliases.append(data)

    def finish(self) -> None:
        """Register the aliases: their originals may come after them."""
        for data in self._aliases:
            new = occurrence_key(data["newToolCallId"], data.get("newResultTimestamp", UNDEFINED))
            original = occurrence_key(data["originalToolCallId"], data.get("originalResultTimestamp", UNDEFINED))
            self.originals[same(new)] = original
            short = self.ref_of_key.get(same(original))
            if short is not None:
                self.ref_of_key[same(new)] = short
        self._aliases = []

    def _add_records(self, record: Record, data: Any) -> None:
        if data is None:
            raise WouldThrowError("an index entry has no data")
        if not isinstance(data, dict):
            return
        backfilled = data.get("backfilled") is True
        calls = data.get("toolCalls")
        for position, call in enumerate(calls if isinstance(calls, list) else ()):
            if call is None:
                raise WouldThrowError("an index record is null")
            fields = call if isinstance(call, dict) else {}
            if not backfilled and fields.get("contentHash") is None and not isinstance(fields.get("resultText"), str):
                raise WouldThrowError("an index record has neither text nor hash")
            self._add_record(record, position, fields, backfilled=backfilled)
        refs = data.get("refs")
        if backfilled and isinstance(refs, list):
            for ref in refs:
                if ref is None:
                    raise WouldThrowError("a reference of an index entry is null")
                if isinstance(ref, dict):
                    self._register(ref.get("shortId"), ref.get("toolCallId"), ref.get("resultTimestamp", UNDEFINED))

    def _add_record(self, record: Record, position: int, call: dict[str, Any], *, backfilled: bool) -> None:
        call_id, time, arguments = (
            call.get("toolCallId", UNDEFINED),
            call.get("resultTimestamp", UNDEFINED),
            call.get("args"),
        )
        key = occurrence_key(call_id, time)
        token = same(key)
        self.records[token] = Indexed(
            record,
            position,
            key,
            call_id,
            call.get("toolName", UNDEFINED),
            arguments.get("path") if isinstance(arguments, dict) else None,
            time,
            call.get("timestamp", UNDEFINED),
            truthy(call.get("spillPath")),
            backfilled,
        )
        keys = self.keys_of.setdefault(same(call_id), [])
        if token not in keys:
            keys.append(token)

    def _add_summary(self, record: Record, entry: dict[str, Any]) -> None:
        keys: list[Any] = []
        for short, call_id, time in _summary_refs(entry.get("details")):
            self._register(short, call_id, time)
            keys.append(occurrence_key(call_id, time))
        if summary_text(entry):
            self.bodies.append(Body(frozenset(keys), record))

    def _register(self, short: Any, call_id: Any, time: Any) -> None:
        if not truthy(short) or not truthy(call_id):
            return
        key = occurrence_key(call_id, time)
        known = self.records.get(same(key))
        key = key if known is None else known.key  # one text for both
        if short != key:
            self.key_of_ref[same(short)] = key
            self.ref_of_key[same(key)] = short
        match = _SHORT.fullmatch(short) if isinstance(short, str) else None
        if match:
            self.next_short = max(self.next_short, int(match[1]) + 1)

    # lookups

    def is_summarized(self, key: Any) -> bool:
        """Say whether exactly this key has a record or is an alias."""
        token = same(key)
        return token in self.records or token in self.originals

    def resolve(self, name: Any) -> Any:
        """Return the key that a key, an alias, a short reference or a bare id with one occurrence names, or None."""
        token = same(name)
        if token in self.records:
            return name
        keys = self.keys_of.get(token, ())
        return (
            self.originals.get(token)
            or self.key_of_ref.get(token)
            or (self.records[keys[0]].key if len(keys) == 1 else None)
        )

    def record(self, name: Any) -> Indexed | None:
        """Return the record that a name resolves to."""
        key = self.resolve(name)
        return self.records.get(same(key)) if truthy(key) else None

    def short_ref(self, key: Any) -> Any:
        """Return the short reference of a key, or None."""
        return self.ref_of_key.get(same(key))

    def has_legacy_record(self, call_id: Any) -> bool:
        """Say whether the id has exactly one record, and that one without a time."""
        token = same(call_id)
        return token in self.records and len(self.keys_of.get(token, ())) == 1

    def occurrences(self, name: str) -> list[Found]:
        """Return every record that a name can mean, in time order, aliases of the bare id included."""
        found = [
            Found(self.records[key], self.records[key].time)
            for key in self.keys_of.get(name, ())
            if key in self.records
        ]
        if self._alias_ids is None:
            self._alias_ids = {}
            for alias in self.originals:
                self._alias_ids.setdefault(bare(alias), []).append(alias)
        for alias in self._alias_ids.get(name, ()):
            original = self.records.get(same(self.originals[alias]))
            if original is not None:
                time = parse(alias).time
                found.append(Found(original, UNDEFINED if time is None else time))
        if found:
            return sorted(found, key=_when)
        record = self.record(name)
        return [] if record is None else [Found(record, record.time)]

    def chains(self) -> list[Chain]:
        """Return the chains by start time."""
        return sorted(self._chains.values(), key=lambda chain: chain.start)

    def chain(self, block_id: str) -> Chain | None:
        """Return the first registered chain with this block id."""
        return next((chain for chain in self._chains.values() if chain.block_id == block_id), None)

    def body_text(self, keys: Any, load: Load) -> str:
        """Return the distinct summary texts that share a key, in branch order, joined by a blank line."""
        if not isinstance(keys, list):
            raise WouldThrowError("a chain has no list of what it dropped")
        wanted = {same(key) for key in keys}
        texts = (summary_text(load(body.record)) for body in self.bodies if not wanted.isdisjoint(body.keys))
        return "\n\n".join(dict.fromkeys(texts))

    def chain_text(self, chain: Chain, load: Load) -> str:
        """Return a chain's own summary, or that of the batches it dropped; placeholders are left in."""
        if chain.has_text:
            text = load(chain.record)["data"]["rangeSummaryText"]
            if not isinstance(text, str):
                raise WouldThrowError("a range summary is not text")
            return text
        return self.body_text(chain.call_ids if chain.keys is None or chain.keys is UNDEFINED else chain.keys, load)


class Rebuild:
    """An index as a start of the original rebuilds it: from the entry on that it fails at, nothing is taken in.

    failure says why it failed; empty where it did not.
    """

    def __init__(self) -> None:
        self.index = Index()
        self.failure = ""

    def add(self, record: Record, entry: dict[str, Any]) -> None:
        """Take in one entry of the branch, in branch order."""
        if not self.failure:
            try:
                self.index.add(record, entry)
            except WouldThrowError as problem:
                self.failure = problem.problem

    def finish(self) -> None:
        """Say that the branch ends here."""
        if not self.failure:
            try:
                self.index.finish()
            except WouldThrowError as problem:
                self.failure = problem.problem


def _when(found: Found) -> float:
    time = found.indexed.batch_time if found.time is None or found.time is UNDEFINED else found.time
    return time if is_number(time) else 0


def chain_of(record: Record, data: dict[str, Any]) -> Chain:
    """Read a persisted chain without its text."""
    return Chain(
        record,
        data["blockId"],
        data["startUserTimestamp"],
        data.get("finalAssistantTimestamp", UNDEFINED),
        data.get("droppedToolCallIds", UNDEFINED),
        data.get("droppedOccurrenceKeys", UNDEFINED),
        data.get("protectedToolCallIds", UNDEFINED),
        data.get("toolRefs", UNDEFINED),
        data.get("compressedAt", UNDEFINED),
        data.get("rangeSummaryText") is not None,
    )


def _summary_refs(details: Any) -> Iterator[tuple[str, str, Any]]:
    if not isinstance(details, dict):
        return
    refs, ids = details.get("toolCallRefs"), details.get("toolCallIds")
    if isinstance(refs, list):
        for ref in refs:
            if isinstance(ref, dict) and isinstance(ref.get("shortId"), str) and isinstance(ref.get("toolCallId"), str):
                yield ref["shortId"], ref["toolCallId"], narrow(ref.get("resultTimestamp"))
    elif isinstance(ids, list):
        for call_id in ids:
            if isinstance(call_id, str):
                yield call_id, call_id, UNDEFINED


def text_blocks(content: Any) -> str:
    """Join the text blocks of a content with newlines; string content counts only where the caller says so."""
    if not isinstance(content, list):
        return ""
    texts = (block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text")
    return "\n".join(text if isinstance(text, str) else "" for text in texts)


def summary_text(entry: dict[str, Any]) -> str:
    """Return the text of a summary message: a string, or its text blocks."""
    content = entry.get("content")
    return content if isinstance(content, str) else text_blocks(content)
