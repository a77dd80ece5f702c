"""References by a pattern, by their start, and by what is spelled nearly the same."""

import pytest
from condense_cli.recall.listing import matching_refs, near

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
