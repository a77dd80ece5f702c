"""Numbers of blocks, snapshots, and the lines that are appended."""

import json
import math

from condense_cli.pi_condense.compact.entries import Writer, block_name, next_block, stats


def test_blocks_go_on_behind_the_highest():
    """A number that cannot be read spoils all that follow, as in the original."""
    assert next_block([]) == 1
    assert next_block(["b2", "b10", "b3x"]) == 11
    assert math.isnan(next_block(["b2", "block"]))
    assert block_name(next_block(["b2", "x"])) == "bNaN"


def test_the_snapshot_counts_the_chains_in():
    """Six members in one order; what is missing is 0, what is unknown is lost."""
    assert stats({"totalCost": 0.5, "chainsCompressed": 2, "more": 1}, 3) == {
        "totalInputTokens": 0,
        "totalOutputTokens": 0,
        "totalCost": 0.5,
        "callCount": 0,
        "chainsCompressed": 5,
        "rangesSummarized": 0,
    }


def test_entries_hang_on_each_other_with_fresh_ids():
    """The first hangs on the leaf; the same run makes the same ids, and none that is taken."""

    def written(taken):
        writer = Writer("0000000f", taken, 15, 1_790_000_000_000)
        writer.add("one", {"n": 1})
        writer.add("two", {"n": 2})
        return [json.loads(line.data) for line in writer.lines]

    first, second = written(["0000000f"])

    assert list(first) == ["type", "customType", "data", "id", "parentId", "timestamp"]
    assert (first["parentId"], second["parentId"]) == ("0000000f", first["id"])
    assert first["timestamp"] == "2026-09-21T14:13:20.000Z"
    assert written(["0000000f"]) == [first, second]
    assert written([first["id"]])[0]["id"] != first["id"]
