"""What holds for the sessions of every format, healthy or damaged: repair keeps what it promises."""

import json
import random
from collections import Counter
from functools import cache

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from tests import fuzz, strategies
from tests.strategies import condense, session_file

law = strategies.law(15)
CASES = fuzz.FIXTURES / "cases"
FORMATS = sorted(folder.name for folder in CASES.iterdir())
LEFT_ALONE = {"opencode"}  # is never repaired


@cache
def inputs(form, suffix=""):
    """The small sessions of a format: name and bytes."""
    found = [path for path in sorted((CASES / form).glob(f"*/input.*{suffix}")) if path.stat().st_size <= fuzz.LARGEST]
    return [(path.name, path.read_bytes()) for path in found]


@st.composite
def damaged(draw, form, suffix=""):
    """A session of the format as (file name, bytes), damaged in up to four ways, or as it was."""
    name, data = draw(st.sampled_from(inputs(form, suffix)))
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    return name, fuzz.mutate(data, rng, draw(st.sampled_from(inputs(form)))[1]) if draw(st.integers(0, 9)) else data


def repaired(name, data, *options):
    """Return the outcome of a repair and the new bytes, None where nothing was written; the input is untouched."""
    with session_file(data, name) as path:
        new = path.with_name(f"new-{name}")
        outcome = condense("repair", "--no-backup", *options, "-o", new, path)
        assert path.read_bytes() == data
        assert outcome.code in {0, 1, 3, 4}, outcome.err
        assert "please report" not in outcome.err, outcome.err
        return outcome, new.read_bytes() if new.exists() else None


@pytest.mark.parametrize("form", FORMATS)
@law
@given(data=st.data())
def test_a_repair_keeps_its_promises(form, data):
    """What it says it repairs is not found again, 0 means sound, and a second repair changes nothing."""
    name, old = data.draw(damaged(form))
    outcome, new = repaired(name, old)
    if new is None:
        assert outcome.code in {3, 4}
        return
    with session_file(new, name) as path:
        checked = condense("check", "--json", path)
    assert checked.code in {0, 1}, checked.out
    found = [f for file in json.loads(checked.out)["files"] for f in file["findings"] if f["severity"] in {"error", "warning"}]
    assert not [f["rule"] for f in found if f["fixable"]]
    assert bool(found) == (outcome.code == 1)
    assert repaired(name, new)[1] == new


@pytest.mark.parametrize("form", [form for form in FORMATS if inputs(form, "jsonl") and form not in LEFT_ALONE])
@law
@given(data=st.data())
def test_lines_that_no_edit_names_stay(form, data):
    """A line of the file without an edit is in the new one byte for byte."""
    name, old = data.draw(damaged(form, "jsonl"))
    with session_file(old, name) as path:
        plan, new = path.with_name("plan"), path.with_name("new")
        condense("repair", "--no-backup", "--plan-out", plan, "-o", new, path)
        if not new.exists():
            reject()
        named = {edit["line"] for edit in json.loads(plan.read_bytes())["edits"]}
        there = Counter(new.read_bytes().split(b"\n"))
    lines = old.split(b"\n")
    for number, line in enumerate(lines, 1):
        if number not in named and number < len(lines):
            assert there[line] > 0, number


@pytest.mark.parametrize("form", FORMATS)
@law
@given(data=st.data())
def test_looking_never_writes(form, data):
    """No command that only looks changes a byte, and none ends with a bug."""
    name, old = data.draw(damaged(form))
    with session_file(old, name) as path:
        for command in (["check", "--all-threads"], ["diff"], ["render"], ["query", "--session"]):
            assert condense(*command, path).code in {0, 1, 3, 4}
        assert path.read_bytes() == old


def test_damage_changes_something():
    """A law over sessions that are never damaged would hold of healthy ones only."""
    rng = random.Random(1)
    assert all(inputs(form) for form in FORMATS)
    data = inputs("pi")[0][1]
    assert sum(fuzz.mutate(data, rng, data) != data for _ in range(50)) > 40
