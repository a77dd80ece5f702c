"""Parents that are not there, go round in circles, or are two: where a record is hung instead."""

import json

from condense_cli.check.layers import scan_file
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.rules.catalogue import RULES, Layer
from tests.strategies import as_lines, pi_records

SESSION = "0190a000-0000-7000-8000-000000000001"


def pi(*links):
    """A pi session of user messages with these (id, parent)."""
    records = pi_records([("user",)] * len(links))
    for record, (ident, parent) in zip(records[1:], links, strict=True):
        record.update(id=ident, parentId=parent)
    return b"".join(as_lines(records))


def claude(*links):
    """A Claude Code session of user messages with these (uuid, parent, session, agent)."""
    rows = []
    for n, (ident, parent, session, agent) in enumerate(links):
        rows.append({"parentUuid": parent, "isSidechain": agent is not None, **({"agentId": agent} if agent else {}), "sessionId": session, "version": "2.1.332", "type": "user", "message": {"role": "user", "content": f"m{n}"}, "uuid": ident, "timestamp": f"2026-11-02T09:00:{n:02d}.000Z"})
    return b"".join(as_lines(rows))


def hung(data, name="pi", key=("id", "parentId")):
    """Who hangs on whom after the tree layer, and the findings as (rule, line, related)."""
    document = read_document("s.jsonl", BytesInMemory(data), name)
    scanned = scan_file(document)
    new = scanned.document
    links = [tuple(new.value(r)[k] for k in key) for r in new.records if r.id]
    return links, [(f.rule, f.line, f.related) for f in scanned.findings if RULES[f.rule].layer is Layer.TREE]


def test_a_parent_that_is_not_there():
    """The record is hung on the nearest one above."""
    links, found = hung(pi(("a", None), ("b", "a"), ("c", "gone"), ("d", "c")))

    assert links == [("a", None), ("b", "a"), ("c", "b"), ("d", "c")]
    assert found == [("missing-parent", 4, ())]


def test_the_nearest_above_may_be_a_descendant():
    """Then it is not taken, nor what hangs on it: that would be a circle."""
    assert hung(pi(("a", None), ("b", "c"), ("c", "gone")))[0] == [("a", None), ("b", "c"), ("c", "a")]
    assert hung(pi(("b", "c"), ("d", "b"), ("c", "gone")))[0] == [("b", "c"), ("d", "b"), ("c", None)]


def test_a_circle_is_cut_at_its_earliest_record():
    """Though the walk came upon another one of it first; reported once, with the others."""
    links, found = hung(pi(("x", "c"), ("b", "c"), ("c", "b"), ("d", "c")))

    assert found == [("parent-cycle", 3, (4,))]
    assert links == [("x", "c"), ("b", None), ("c", "b"), ("d", "c")]


def test_a_record_that_is_its_own_parent():
    """It is hung on the one before it."""
    assert hung(pi(("a", None), ("b", "b"), ("c", "b"))) == ([("a", None), ("b", "a"), ("c", "b")], [("parent-cycle", 3, ())])


def test_sessions_and_agents_are_never_joined():
    """A record whose parent is lost is hung on one of its own session and agent, or becomes a root."""
    ids = [f"{n:08x}-0000-4000-8000-000000000000" for n in range(9)]
    other = SESSION[:-1] + "2"
    data = claude((ids[1], None, SESSION, None), (ids[2], None, SESSION, "a1"), (ids[3], None, other, None), (ids[4], ids[8], SESSION, None), (ids[5], ids[8], SESSION, "a2"))
    links, found = hung(data, "claude-code", ("uuid", "parentUuid"))

    assert links[3:] == [(ids[4], ids[1]), (ids[5], None)]
    assert [rule for rule, *_ in found if rule == "missing-parent"] == ["missing-parent"] * 2


def test_a_reference_to_two_records_means_the_nearest_above():
    """The later one gets a fresh id, and what stands below it follows."""
    links, found = hung(pi(("a", None), ("b", "a"), ("a", "b"), ("c", "a")))

    assert found == [("duplicate-id", 4, (2,))]
    assert links[:2] == [("a", None), ("b", "a")]
    assert links[2] == (links[3][1], "b")
    assert links[2][0] != "a"


def test_below_a_copy_that_stays_the_old_id_is_meant_again():
    """What hangs on the id below a copy of the first owner hangs on that one, not on the renamed one."""
    lines = pi(("a", None), ("a", None), ("b", "a")).splitlines(keepends=True)
    data = b"".join([*lines[:3], lines[1], lines[3]])
    document = read_document("s.jsonl", BytesInMemory(data), "pi")
    plan = make_plan(document, Choice(ignore=frozenset({"duplicate-record"})))
    new = [json.loads(line) for line in b"".join(apply(plan.segments, BytesInMemory(data))).splitlines()]

    assert [(f.rule, f.line) for f in plan.findings] == [("duplicate-id", 3), ("duplicate-record", 4)]
    assert new[-1]["parentId"] == "a"
    assert new[2]["id"] != "a"
