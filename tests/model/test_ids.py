"""Many texts are told apart as few are."""

import pytest
from condense_cli.model.ids import are_distinct

MANY = [f"{n:08x}" for n in range(70_000)]


@pytest.mark.parametrize("texts", [[], ["a"], ["a", "b"], [None], MANY])
def test_all_different(texts):
    assert are_distinct(texts)


@pytest.mark.parametrize("texts", [["a", "a"], ["a", "b", "a"], [*MANY, f"{0:08x}"], [f"{69_999:08x}", *MANY], [f"{40_000:08x}", *MANY]])
def test_one_stands_there_twice(texts):
    assert not are_distinct(texts)
