"""Occurrence keys."""

import pytest
from condense_cli.jsonbytes.javascript import UNDEFINED
from condense_cli.pi_condense.prune.keys import Key, moment, narrow, occurrence_key, parse, same


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("bash_1", Key("bash_1", None)),
        ("bash_1@12", Key("bash_1", 12)),
        ("a@b@12", Key("a@b", 12)),
        ("@12", Key("@12", None)),
        ("x@", Key("x@", None)),
        ("x@-1", Key("x@-1", None)),
        ("x@1.5", Key("x@1.5", None)),
        ("x@١٢", Key("x@١٢", None)),
    ],
)
def test_a_key_is_cut_at_its_last_at_sign(key, parts):
    """Only ASCII digits behind a late enough `@` are a time."""
    assert parse(key) == parts


def test_null_is_a_time_and_undefined_is_none():
    """`id@null` is what the original builds from null; only a missing time gives the bare id."""
    assert occurrence_key("x", None) == "x@null"
    assert occurrence_key("x", UNDEFINED) == "x"
    assert occurrence_key("x", 2150.0) == "x@2150"
    assert narrow(True) is UNDEFINED


def test_values_are_the_same_as_in_a_map():
    """1 and 1.0 are one number, 1 and "1" and true are three things, two objects are never one."""
    assert same(1) == same(1.0)
    assert len({same(1), same("1"), same(True)}) == 3
    assert same({}) != same({})


TIMES = [0, -0.0, 5, 5.0, 5.5, True, None, UNDEFINED, "5", 2**53, float(2**53), 2**53 - 1, float("nan"), float("inf"), 1e300, 10**300, "x"]


@pytest.mark.parametrize("one", TIMES)
def test_moments_are_equal_when_times_are_the_same(one):
    """A plain integer is one itself; every other time is as `same` has it."""
    assert [moment(one) == moment(other) for other in TIMES] == [same(one) == same(other) for other in TIMES]
