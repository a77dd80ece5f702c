"""Every sound session of the fixtures makes a request for every API, in which the same is said, asked and answered."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from condense_cli.check.engine import check
from condense_cli.cli.render.request import declared_in_thread, said_in_pi, said_in_thread
from condense_cli.document.memory import BytesInMemory
from condense_cli.errors import UnreadableError
from condense_cli.formats.read import read_document
from condense_cli.model.blocks import ANSWER, USER_NOTE
from condense_cli.model.findings import Severity
from condense_cli.model.messages import Role
from condense_cli.pi_condense.prune.settings import read_settings
from condense_cli.pi_condense.prune.sweeps import sweep_rule
from condense_cli.pi_condense.prune.views import render
from condense_cli.request.bedrock import NO_OUTPUT, WITH_DOCUMENT
from condense_cli.request.build import TARGETS, build
from condense_cli.request.media import OF_RESULTS
from condense_cli.request.thread import Thread
from condense_cli.session.opened import open_session
from tests.test_cases import folders, load

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
EMPTY = {"gemini/hidden-history", "pi/header-only-01"}  # sessions in which nothing is said
OURS = re.compile("|".join([*map(re.escape, (USER_NOTE, NO_OUTPUT, WITH_DOCUMENT, OF_RESULTS)), r"\[(image|document) removed: [^]]*\]"]))


@cache
def rooms():
    """Format -> its sessions: name, file name, bytes. Repaired ones are those that the cases expect."""
    found = {path.parent.name: [("healthy", path.name, path.read_bytes())] for path in SESSIONS.glob("*/*")}
    for folder in folders():
        case, source, expected = load(folder)
        found.setdefault(folder.split("/")[0], []).append((folder, case.get("as", source), expected))
    return found


def said_in(path):
    """What a session says, and the tools that it declares."""
    with open_session(path) as opened:
        if opened.format.pruned:
            branch = opened.branch(None)
            return list(said_in_pi(render(branch, opened.loader(), read_settings(None), sweep_rule("turn", frozenset(), None), ()))), None
        thread = Thread(opened.document, opened.view())
        return list(said_in_thread(thread, thread.decide("contract"))), declared_in_thread(thread)


def counted(turns, server=frozenset()):
    """Characters of texts, calls and results of turns; without what ran at a provider, and what a request makes up."""
    numbers = Counter()
    for one in turns:
        for block in one.blocks if not one.skipped and one.role is not Role.SYSTEM else ():
            if block.kind == "text":
                numbers["characters"] += len("".join(OURS.sub("", block.text).split()))
            elif block.kind in ("call", "result") and block.id not in server and not block.text.startswith(ANSWER):
                numbers[block.kind] += 1
    return numbers


def at_a_provider(said):
    """Ids of what ran at a provider."""
    return {half.id for one in said if one.facts for half in one.facts.halves if half.server}


@pytest.mark.parametrize("api", list(TARGETS))
@pytest.mark.parametrize("room", sorted(rooms()))
def test_every_sound_session_makes_a_sound_request(room, api, tmp_path):
    """Our own check of the API finds no error in it; no text, call or result comes or goes."""
    target = TARGETS[api]
    for label, name, data in rooms()[room]:
        path = tmp_path / label.replace("/", "-") / name
        path.parent.mkdir()
        path.write_bytes(data)
        said, tools = said_in(str(path))
        if label in EMPTY:
            with pytest.raises(UnreadableError):
                build(str(path), said, api, "", tools)
            continue
        request = build(str(path), said, api, "", tools)
        document = read_document("request.json", BytesInMemory(request.data), target.format)
        assert [f.rule for f in check(document, [api]).findings if f.severity is Severity.ERROR] == [], label
        thread = Thread(document, next(iter(document.format.views(document, None, False))))
        before, after = counted((one.turn for one in said), at_a_provider(said)), counted(thread.turns())
        assert before["call"] >= before["result"], label
        assert after == before, (label, request.notes)
