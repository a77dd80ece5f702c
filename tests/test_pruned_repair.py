"""pi-condense goes on working with a repaired session: every record stays reachable by its tN."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from condense_cli.model.plan import apply
from condense_cli.model.policies import Ids, Policies
from condense_cli.recall.find import Finder
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.session.opened import open_session

PRUNED = Path(__file__).parent.parent / "fixtures" / "prune"
SESSIONS = sorted(os.listdir(PRUNED))


def answers(path: Path) -> dict[str, list[bytes]]:
    """Return the outputs that the index knows, by tN."""
    with open_session(str(path)) as session:
        finder = Finder(session, None, index_only=True, outside_blobs=False)
        found = {f"t{n}": [output.bytes() for output in finder.answer(f"t{n}").outputs] for n in range(1, 40)}
    return {ref: outputs for ref, outputs in found.items() if outputs}


@pytest.mark.parametrize("ids", list(Ids))
@pytest.mark.parametrize("name", SESSIONS)
def test_every_ref_survives_a_repair(name: str, ids: Ids, tmp_path: Path) -> None:
    """After a repair with any policy for ids, each tN gives back the outputs that it gave before."""
    before = PRUNED / name / "session.jsonl"
    after = tmp_path / "session.jsonl"
    with open_session(str(before)) as session:
        plan = make_plan(session.document, Choice(policies=Policies(ids=ids)))
        after.write_bytes(b"".join(apply(plan.segments, session.source)))

    assert answers(after) == answers(before)
