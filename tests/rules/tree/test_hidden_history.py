"""Newer messages that a record of nobody took out of reach, and the many sessions in which somebody went back."""

import json

import pytest
from condense_cli.check.engine import check
from condense_cli.session.opened import open_session
from tests.rules.tree.test_stale_copy import BASE, HEADER, said
from tests.strategies import condense

ANSWER = said("e", "d", "five", role="assistant")


def entry(kind, ident, parent, **more):
    return {"type": kind, "id": ident, "parentId": parent, "timestamp": "2026-11-02T09:00:09.000Z", **more}


def written(tmp_path, *more):
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(value) + "\n" for value in (HEADER, *BASE, ANSWER, *more)), encoding="utf-8")
    return path


def found(path, leaf=None):
    with open_session(str(path)) as session:
        return [(f.line, f.cause) for f in check(session.document, ["pi"], leaf=leaf).findings if f.rule == "hidden-history"]


@pytest.mark.parametrize("kind", ["custom", "label", "session_info", "usage", "model_change", "something_new"])
@pytest.mark.parametrize("parent", ["a", "c", None])
def test_bookkeeping_at_the_end_hides_what_is_newer(tmp_path, kind, parent):
    """Whatever the type: pi takes the last record for the leaf."""
    assert found(written(tmp_path, entry(kind, "x", parent))) == [(7, "e")]


def test_a_chain_of_bookkeeping_is_one_finding(tmp_path):
    """It is on the record that is below the older message."""
    assert found(written(tmp_path, entry("custom", "x", "a"), entry("label", "y", "x"), entry("usage", "z", "y"))) == [(7, "e")]


@pytest.mark.parametrize(
    "more",
    [
        [],
        [entry("custom", "x", "e")],
        [said("x", "a", "again")],
        [entry("label", "x", "a"), said("y", "x", "again")],
        [entry("label", "x", "a"), said("y", "x", "again"), said("z", "y", "yes", role="assistant"), entry("custom", "w", "z")],
        [entry("compaction", "x", "a", summary="s", firstKeptEntryId="a", tokensBefore=1)],
        [entry("branch_summary", "x", "a", summary="s", fromId="e")],
    ],
)
def test_who_goes_back_on_purpose_hides_nothing(tmp_path, more):
    """A turn of the user below an older record, a compaction, or the summary of a branch that was left."""
    assert found(written(tmp_path, *more)) == []


def test_a_leaf_that_is_named_is_chosen(tmp_path):
    """Who looks at one thread knows that there are others."""
    assert found(written(tmp_path, entry("custom", "x", "a")), leaf="a") == []


def test_on_request_the_record_is_put_after_the_newest_message(tmp_path):
    """Nothing else changes; a repair without the request leaves it, and the next command shows what is out of reach."""
    path = written(tmp_path, entry("custom", "x", None))
    out = tmp_path / "out.jsonl"
    assert f"condense render {path} --leaf e" in str(condense("check", str(path)).out)
    assert condense("repair", str(path), "-o", str(out)).code == 1
    assert out.read_bytes() == path.read_bytes()
    assert condense("repair", str(path), "-o", str(out), "--force", "--select", "hidden-history").code == 0
    old, new = path.read_bytes().splitlines(), out.read_bytes().splitlines()
    assert old[:-1] == new[:-1]
    assert json.loads(new[-1]) == {**json.loads(old[-1]), "parentId": "e"}
    assert found(out) == []
