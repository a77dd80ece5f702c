"""Five hundred mutations in the ordinary tests, two thousand in the slow ones; `make fuzz` runs twenty thousand."""

from __future__ import annotations

import pytest
from tests.fuzz import fuzz, mutate, seeds


@pytest.mark.parametrize("seed", [11, 12])
def test_some_mutations_meet_no_bug(seed):
    """No bug, no slow run, the input untouched, repaired files sound and repaired to themselves."""
    wrong, _ = fuzz(250, seed)
    assert not wrong, "\n".join(f"{number}: {reason}" for number, reason in wrong[:10])


@pytest.mark.slow
@pytest.mark.parametrize("seed", [21, 22, 23, 24])
def test_many_mutations_meet_no_bug(seed):
    """Likewise, with other seeds."""
    wrong, _ = fuzz(500, seed)
    assert not wrong, "\n".join(f"{number}: {reason}" for number, reason in wrong[:10])


def test_mutations_change_something():
    """A fuzzer that changes nothing finds nothing."""
    import random

    rng = random.Random(1)
    data = seeds()[0][1]
    assert sum(mutate(data, rng, data) != data for _ in range(100)) > 60
