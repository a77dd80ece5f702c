"""What a scan of a data set found: a table for people, one object as JSON, and a line for each finding as JSONL or
Parquet.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import IO, Any, NamedTuple

from condense_cli.dataset.task import Found, Outcome
from condense_cli.storage.rows import Part, need_pyarrow

FIELDS = ("file", "row", "id", "rule", "severity", "index", "detail")
_BATCH = 10_000  # findings of Parquet in memory at once


class Totals(NamedTuple):
    """Numbers of a whole scan."""

    conversations: int
    broken: int
    unreadable: int
    rules: dict[str, int]


def total(outcomes: Iterable[Outcome]) -> Totals:
    """Add the outcomes up."""
    rows = broken = unreadable = 0
    rules: Counter[str] = Counter()
    for outcome in outcomes:
        rows += outcome.rows
        broken += outcome.broken
        unreadable += outcome.unreadable
        rules.update(outcome.rules)
    return Totals(rows, broken, unreadable, dict(sorted(rules.items(), key=lambda pair: (-pair[1], pair[0]))))


def write_text(totals: Totals, stream: IO[str]) -> None:
    """Write the table: rule and number of findings, then a line that sums up."""
    width = max((len(rule) for rule in totals.rules), default=0)
    for rule, number in totals.rules.items():
        print(f"{rule:<{width}}  {number:>10,}", file=stream)
    if totals.rules:
        print(file=stream)
    print(
        f"{totals.conversations:,} conversations: {totals.broken:,} broken, {totals.unreadable:,} not understood",
        file=stream,
    )


def write_json(totals: Totals, stream: IO[str]) -> None:
    """Write `{"conversations", "broken", "unreadable", "rules": {RULE: count}}`."""
    print(json.dumps(totals._asdict()), file=stream)


def finding_rows(part: Part, first: int, found: Iterable[Found]) -> Iterator[dict[str, Any]]:
    """Yield the findings of a part as rows of FIELDS; first is the number of the part's first row in its file."""
    for one in found:
        flaw = one.flaw
        values = (part.path, first + one.row, one.id, flaw.rule, flaw.severity, flaw.index, flaw.detail)
        yield dict(zip(FIELDS, values, strict=True))


def jsonl(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Yield a line for each finding, in ASCII."""
    for row in rows:
        yield json.dumps(row).encode() + b"\n"


def write_findings_parquet(rows: Iterable[dict[str, Any]], path: str) -> None:
    """Write the findings as one Parquet file. Raises UsageError without the extra `data`."""
    need_pyarrow()
    import pyarrow as pa  # the extra `data`
    from pyarrow import parquet

    kinds = {"row": pa.int64(), "index": pa.int64()}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in FIELDS])
    with parquet.ParquetWriter(path, schema) as writer:
        batch: list[dict[str, Any]] = []
        for row in rows:
            batch.append(row)
            if len(batch) >= _BATCH:
                writer.write_table(pa.Table.from_pylist(batch, schema=schema))
                batch.clear()
        writer.write_table(pa.Table.from_pylist(batch, schema=schema))
