"""References by a pattern, by their start, and by what is spelled nearly the same."""

import json

import pytest
from condense_cli.recall.listing import matching_refs, near
from tests.strategies import calls, condense, pi_records

REFS = ["t1", "t10", "bash_1", "bash_10", "bash_1@5", "read_2"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("bash*", ["bash_1", "bash_10", "bash_1@5"]),
        ("bash_", ["bash_1", "bash_10", "bash_1@5"]),
        ("rea", ["read_2"]),
        ("?1", ["t1"]),
        ("t1", []),
        ("L1", []),
        ("nobody", []),
    ],
)
def test_patterns_and_starts(pattern, found):
    """A short reference is whole: t1 does not mean t10 where there is no t1."""
    assert matching_refs(pattern, REFS) == found


def test_near_names_are_few_and_the_nearest_comes_first():
    """At most three."""
    assert near("bash_11", REFS)[0] in ("bash_1", "bash_10")
    assert len(near("bash_11", REFS * 3)) <= 3
    assert near("zzzzzz", REFS) == []


def test_the_index_alone_takes_no_start(tmp_path):
    """As in pi-condense: an id that is only the start of another one is not found."""
    records = pi_records([("user",), calls(["bash_23"]), ("result", "bash_23")])
    path = tmp_path / "s.jsonl"
    one = {"toolCallId": "bash_23", "toolName": "bash", "args": {}, "resultText": "x", "isError": False, "turnIndex": 0, "timestamp": 5}
    records.append({"type": "custom", "customType": "context-prune-index", "data": {"toolCalls": [one]}, "id": "feed0001", "parentId": records[-1]["id"], "timestamp": records[-1]["timestamp"]})
    path.write_text("".join(json.dumps(record) + "\n" for record in records))

    assert condense("query", "--session", path, "--index-only", "bash_2").code == 1
    assert condense("query", "--session", path, "bash_2").code == 0
