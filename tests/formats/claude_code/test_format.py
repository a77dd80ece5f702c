"""Claude Code sessions: what is read, what is found, and what a repair makes of it."""

import json
from pathlib import Path

import pytest
from condense_cli.check.engine import check
from condense_cli.errors import UnreadableError, UsageError
from condense_cli.formats import BY_NAME
from condense_cli.formats.read import read_document
from condense_cli.model.messages import Role
from condense_cli.model.plan import apply
from condense_cli.model.policies import Displaced, Orphan, Policies, Trailing, Unanswered
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.repair.proof import prove
from condense_cli.storage.source import open_source

SESSION = "5fee3261-628e-4975-a916-afa47d5db597"
SIGNED = "S" * 80
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
FIXTURES = Path(__file__).parents[3] / "fixtures" / "claude-code"
REAL = Path(__file__).parents[4] / "shared" / "real" / "claude-code"


def uuid(number):
    """The uuid of the record with this number."""
    return f"{number:08x}-0000-4000-8000-000000000000"


def record(number, parent, kind, *, session=SESSION, **more):
    """A chain record; it is one second younger than the one with the number before."""
    return {
        "parentUuid": uuid(parent) if isinstance(parent, int) else parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/work/demo",
        "sessionId": session,
        "version": "2.1.332",
        "gitBranch": "main",
        "type": kind,
        **more,
        "uuid": uuid(number),
        "timestamp": f"2026-11-01T10:{number // 60:02d}:{number % 60:02d}.000Z",
    }


def user(number, parent, content="Go on.", **more):
    """A prompt."""
    return record(number, parent, "user", message={"role": "user", "content": content}, **more)


def says(number, parent, *blocks, response=None, **more):
    """A part of a response; texts stand for text blocks."""
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    message = {"id": f"msg_{response or number}", "type": "message", "role": "assistant", "model": "claude-opus-5-5", "content": content}
    return record(number, parent, "assistant", message={**message, **more.pop("message", {})}, **more)


def asks(ident="toolu_1", name="Bash", arguments=None):
    """A block that calls a tool."""
    return {"type": "tool_use", "id": ident, "name": name, "input": {"command": "ls"} if arguments is None else arguments}


def thinks(signature=SIGNED, text="Hm."):
    """A block of thinking."""
    return {"type": "thinking", "thinking": text, "signature": signature}


def gives(ident="toolu_1", content="src", **more):
    """A block that answers a call."""
    return {"tool_use_id": ident, "type": "tool_result", "content": content, **more}


def result(number, parent, ident="toolu_1", content="src", **more):
    """A record that answers a call."""
    message = {"role": "user", "content": [gives(ident, content)]}
    return record(number, parent, "user", message=message, **{"toolUseResult": {"stdout": content}, "sourceToolAssistantUUID": uuid(parent), **more})


def system(number, parent, subtype, **more):
    """A system record."""
    return record(number, parent, "system", subtype=subtype, content="", level="info", **more)


def boundary(number, logical, **metadata):
    """A compaction."""
    return system(number, None, "compact_boundary", logicalParentUuid=uuid(logical), compactMetadata={"trigger": "auto", **metadata})


def summary(number, parent):
    """What a compaction says of all before it."""
    return user(number, parent, "This session is being continued.", isCompactSummary=True, isVisibleInTranscriptOnly=True)


def image(data=PIXEL, media_type="image/png"):
    """An image block."""
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def lines(*records):
    """A session file."""
    return b"".join(r if isinstance(r, bytes) else json.dumps(r, separators=(",", ":")).encode() + b"\n" for r in records)


class Session:
    """A session in a file: what check finds in it, and what repair makes of it."""

    def __init__(self, folder, *records, name=f"{SESSION}.jsonl"):
        self.path = folder / name
        self.path.write_bytes(lines(*records))
        self.sources = []

    def document(self):
        """Read the session anew."""
        source = open_source(str(self.path))
        self.sources.append(source)
        return read_document(str(self.path), source)

    def report(self, **options):
        """Check by the client's own contract."""
        return check(self.document(), ["claude-code"], **options)

    def found(self, *, info=False, **options):
        """Return (rule, line) of what is found."""
        return [(f.rule, f.line) for f in self.report(**options).findings if info or f.severity.value != "info"]

    def repaired(self, policies=None, contracts=(), **choice):
        """Return the records after a repair that is proved and changes nothing a second time."""
        document = self.document()
        plan = make_plan(document, Choice(contracts=contracts, policies=policies or Policies(), **choice))
        data = b"".join(apply(plan.segments, document.source))
        folder = self.path.parent / "out"
        folder.mkdir(exist_ok=True)
        self.path = folder / self.path.name
        self.path.write_bytes(data)
        again = self.document()
        prove(plan, document, again)
        twice = self.document()
        second = make_plan(twice, Choice(contracts=contracts, policies=policies or Policies(), **choice))
        assert b"".join(apply(second.segments, twice.source)) == data
        self.plan = plan
        return [json.loads(line) for line in data.split(b"\n") if line]

    def thread(self, leaf=None):
        """Return the thread in words, as the client reads it."""
        document = self.document()
        view = next(BY_NAME["claude-code"].views(document, leaf, every=False))
        return [words(message) for message in view.messages]


def words(message):
    """Say in a word or two what a message is."""
    halves = [call.id for call in message.calls] + [f"={found.id}" for found in message.results]
    return " ".join([message.role.value, *halves])


def numbers(records):
    """Return the numbers of records as they are hung: (own, parent); new ones are 'new'."""
    known = {uuid(n): n for n in range(200)}

    def number(ident):
        return None if ident is None else known.get(ident, "new")

    return [(number(r.get("uuid")), number(r.get("parentUuid"))) for r in records if "uuid" in r]


@pytest.fixture
def session(tmp_path):
    """Write a session of records; what was opened is closed again."""
    made = []

    def write(*records, **options):
        made.append(Session(tmp_path, *records, **options))
        return made[-1]

    yield write
    for one in made:
        for source in one.sources:
            source.close()


# ---------------------------------------------------------------------- detection
@pytest.mark.parametrize(
    "first",
    [
        {"type": "summary", "summary": "Shop", "leafUuid": uuid(9)},
        {"type": "file-history-snapshot", "messageId": uuid(1), "snapshot": {}, "isSnapshotUpdate": False},
        {"type": "permission-mode", "permissionMode": "plan", "sessionId": SESSION},
        user(1, None),
    ],
)
def test_a_file_is_known_by_its_first_records(session, first):
    """Chain records and the metadata that many files begin with are recognised."""
    assert session(first, user(2, None)).document().format.name == "claude-code"


@pytest.mark.parametrize(
    "other",
    [
        {"type": "system", "subtype": "init", "session_id": SESSION, "tools": []},
    ],
)
def test_look_alikes_are_refused(session, other):
    """Sessions of a fork of another client and event streams are not taken for sessions of this one."""
    with pytest.raises(UnreadableError):
        session(other).document()


def test_a_file_of_metadata_alone_is_sound(session):
    """A session in which nothing was said yet has no thread and no fault."""
    empty = session({"type": "summary", "summary": "Shop", "leafUuid": uuid(9)})
    assert empty.found(info=True) == []
    assert empty.thread() == []


# ---------------------------------------------------------------------- threads
def test_one_response_is_one_message(session):
    """Records with one message id are one turn, also with a result, an attachment and metadata between them."""
    mixed = session(
        user(1, None),
        says(2, 1, thinks(), response=2),
        says(3, 2, asks("toolu_1"), response=2),
        result(4, 3, "toolu_1"),
        record(5, 4, "attachment", attachment={"type": "hook_success"}),
        {"type": "last-prompt", "lastPrompt": "x", "sessionId": SESSION},
        says(6, 5, asks("toolu_2"), response=2),
        result(7, 6, "toolu_2"),
        says(8, 7, "Done."),
    )
    assert mixed.thread() == ["user", "assistant toolu_1 toolu_2", "result =toolu_1", "result =toolu_2", "assistant"]
    assert mixed.found(info=False) == []
    report = mixed.report()
    assert (report.messages, report.calls, report.results, report.threads) == (5, 2, 2, 1)
    assert report.client_version == "2.1.332"


def test_results_of_parallel_calls_on_side_branches_belong_to_the_thread(session):
    """Siblings of a response and their results count, although the leaf's chain passes them by."""
    parallel = session(
        user(1, None),
        says(2, 1, asks("toolu_1"), response=2),
        says(3, 2, asks("toolu_2"), response=2),
        says(4, 2, asks("toolu_3"), response=2),
        result(5, 2, "toolu_1"),
        result(6, 4, "toolu_3"),
        result(7, 3, "toolu_2"),
        says(8, 7, "Done."),
    )
    assert parallel.found() == []
    assert parallel.thread()[1] == "assistant toolu_1 toolu_2 toolu_3"
    before = parallel.path.read_bytes()
    parallel.repaired()
    assert parallel.path.read_bytes() == before


def test_an_answer_on_another_branch_is_no_second_answer(session):
    """A result that the user has since gone on from is another course of events; a dead copy is a duplicate."""
    start = (user(1, None), says(2, 1, asks()), result(3, 2))
    other = result(4, 2, content="again")
    assert session(*start, other, says(5, 4, "Old way."), user(6, 4, "No."), says(7, 3, "New way.")).found() == []
    assert session(*start, other, says(7, 3, "The way.")).found() == [("duplicate-result", 4)]


def test_the_last_record_of_the_chain_is_resumed(session):
    """The thread ends at the last record of the chain in the file, whatever its time."""
    fork = session(user(1, None), says(2, 1, "One."), user(9, 2, "New."), user(3, 2, "Old."), {"type": "mode", "mode": "plan", "sessionId": SESSION})
    assert next(BY_NAME["claude-code"].views(fork.document(), None, every=False)).leaf.id == uuid(3)
    side = session(user(1, None), says(2, 1, "One."), user(3, None, "Look.", isSidechain=True, agentId="a1"))
    assert next(BY_NAME["claude-code"].views(side.document(), None, every=False)).leaf.id == uuid(2)


def prompt(leaf):
    """The mark of the branch that the client resumes."""
    return {"type": "last-prompt", "lastPrompt": "x", "leafUuid": uuid(leaf), "sessionId": SESSION}


@pytest.mark.parametrize(
    ("marks", "leaf"),
    [
        ([], 6),
        ([prompt(1)], 6),  # the root equals no mark
        ([prompt(2)], 6),  # so does what both branches hang on
        ([prompt(3)], 4),  # the last in the file below it
        ([prompt(4)], 4),
        ([prompt(5), prompt(3)], 4),  # the last mark counts
        ([prompt(3), prompt(77)], 4),  # if it names a record
        ([prompt(3), {"type": "last-prompt", "sessionId": SESSION}], 4),
    ],
)
def test_the_last_prompt_names_the_branch(session, marks, leaf):
    """Of the leaves below the record that the last valid mark names the last one in the file is resumed."""
    fork = session(user(1, None), says(2, 1, "One."), user(3, 2, "A."), says(4, 3, "Two."), user(5, 2, "B."), says(6, 5, "Three."), *marks)
    assert next(BY_NAME["claude-code"].views(fork.document(), None, every=False)).leaf.id == uuid(leaf)


def test_a_thread_can_be_chosen_by_its_leaf(session):
    """--leaf ends the thread at that record; a record that is not there is a usage error."""
    fork = session(user(1, None), says(2, 1, "One."), user(3, 2, "Old."), user(9, 2, "New."))
    assert len(fork.thread(uuid(3))) == 3
    with pytest.raises(UsageError):
        fork.thread(uuid(77))


def test_records_in_the_models_name_are_no_answer(session):
    """What the client wrote for the model is not sent, and no call is closed by it."""
    failed = session(user(1, None), says(2, 1, asks()), says(3, 2, "API Error", message={"model": "<synthetic>"}, isApiErrorMessage=True))
    assert failed.found(info=True) == [("trailing-call", 2)]


def test_subagents_inside_the_file_are_threads_of_their_own(session):
    """Sidechain records are left out of the main thread, checked with every thread, and a file of nothing else is its thread."""
    side = [user(3, None, "Look.", isSidechain=True, agentId="a1"), says(4, 3, asks("toolu_9"), isSidechain=True, agentId="a1"), user(5, 4, "Stop.", isSidechain=True, agentId="a1")]
    mixed = session(user(1, None), says(2, 1, "Hm."), *side)
    assert mixed.thread() == ["user", "assistant"]
    assert mixed.found() == []
    assert mixed.found(every=True) == [("unanswered-call", 4)]
    assert mixed.report().threads == 2
    alone = session(*side, name="agent-a1.jsonl")
    assert alone.found() == [("unanswered-call", 4 - 2)]
    made = alone.repaired()
    assert made[2]["isSidechain"] is True
    assert made[2]["agentId"] == "a1"


# ---------------------------------------------------------------------- compaction
def test_the_client_reads_on_behind_a_compaction(session):
    """A result whose call was compacted away is an orphan, and a call that nobody answered before that is history."""
    compacted = session(
        user(1, None), says(2, 1, asks("toolu_1"), asks("toolu_2")), boundary(3, 2), summary(4, 3), result(5, 4, "toolu_1"), says(6, 5, "Noted.")
    )
    assert compacted.found() == [("orphan-result", 5)]
    assert numbers(compacted.repaired()) == [(1, None), (2, 1), (3, None), (4, 3), (6, 4)]
    assert compacted.thread() == ["summary", "assistant"]


def test_preserved_messages_stand_behind_their_anchor(session):
    """What a compaction preserved is read behind its anchor, listed or as a segment, and mended there."""
    for kept in (
        {"preservedSegment": {"headUuid": uuid(3), "anchorUuid": uuid(6), "tailUuid": uuid(4)}},
        {"preservedMessages": {"anchorUuid": uuid(6), "uuids": [uuid(3), uuid(4)], "allUuids": [uuid(3), uuid(4)]}},
    ):
        compacted = session(user(1, None), says(2, 1, "Old."), user(3, 2, "Kept."), says(4, 3, asks()), boundary(5, 4, **kept), summary(6, 5), user(7, 6, "Next."))
        assert compacted.thread() == ["summary", "user", "assistant toolu_1", "user"]
        assert compacted.found() == [("unanswered-call", 4)]
        compacted.repaired()
        assert compacted.thread() == ["summary", "user", "assistant toolu_1", "result =toolu_1", "user"]


def test_history_in_front_of_a_compaction_is_stored(session):
    """The stored view and the path go on over the logical parent, and a ring of logical parents ends."""
    stored = session(user(1, None), says(2, 1, asks()), boundary(3, 2), summary(4, 3), user(5, 4))
    assert stored.found(stored=True) == [("unanswered-call", 2)]
    view = next(BY_NAME["claude-code"].views(stored.document(), None, every=False))
    assert [r.line for r in view.path] == [1, 2, 3, 4, 5]
    ring = session(boundary(1, 3), summary(2, 1), user(3, 2))
    assert ring.thread() == ["summary", "user"]


# ---------------------------------------------------------------------- tree
def test_a_missing_parent_is_found_in_the_same_session_and_agent(session):
    """A dangling record is hung on the nearest one of its own agent above, never on another's."""
    broken = session(
        user(1, None), says(2, 1, "One."), user(3, None, "Look.", isSidechain=True, agentId="a1"), user(4, uuid(99), "Two."), user(5, uuid(98), "See.", isSidechain=True, agentId="a2")
    )
    assert broken.found() == [("missing-parent", 4), ("missing-parent", 5)]
    assert numbers(broken.repaired()) == [(1, None), (2, 1), (3, None), (4, 2), (5, None)]


def test_a_snapshot_owns_no_id(session):
    """The id that a file snapshot names is the id of a message, not its own."""
    named = session(user(1, None), {"type": "file-history-snapshot", "messageId": uuid(1), "snapshot": {"messageId": uuid(1)}}, says(2, 1, "One."), user(3, 2))
    assert named.found(info=True) == []
    assert named.thread() == ["user", "assistant", "user"]


def test_replayed_records_are_left_and_leave_with_their_first(session):
    """Copies of records are information; when the first is changed, its copy goes, for it would be another record now."""
    replayed = user(1, None), says(2, 1, asks()), user(3, 2, "Stop.")
    copied = session(*replayed, *replayed, says(4, 3, "Well."))
    assert [r for r, _ in copied.found(info=True)].count("duplicate-record") == 3
    assert copied.found() == [("unanswered-call", 2)]
    made = copied.repaired()
    assert [ident for ident, _ in numbers(made)].count(3) == 1
    assert copied.thread() == ["user", "assistant toolu_1", "result =toolu_1", "user", "assistant"]


def test_a_used_id_is_given_up_by_the_later_record(session):
    """The second owner of a uuid gets a new one, and what refers to it from below follows."""
    twice = session(user(1, None), says(2, 1, "One."), {**user(2, 2, "Two."), "timestamp": "2026-11-01T10:00:03.000Z"}, says(4, 2, "Three."), {"type": "last-prompt", "leafUuid": uuid(2), "sessionId": SESSION})
    assert twice.found() == [("duplicate-id", 3)]
    made = twice.repaired()
    assert numbers(made) == [(1, None), (2, 1), ("new", 2), (4, "new")]
    assert made[4]["leafUuid"] == made[2]["uuid"]


def test_records_of_another_session_are_reported_and_left(session):
    """A foreign record is a warning that no repair removes; the history that a session was continued from is none."""
    other = "5eb35a52-6c92-4d9b-ac31-49733476cc3c"
    foreign = session(user(1, None), says(2, 1, "One."), user(9, None, "Other.", session=other), user(4, 2, "Two."))
    before = foreign.path.read_bytes()
    assert foreign.found() == [("foreign-session", 3)]
    assert foreign.thread() == ["user", "assistant", "user"]
    foreign.repaired()
    assert foreign.path.read_bytes() == before
    assert [f.rule for f in foreign.plan.remaining] == ["foreign-session"]
    continued = session(user(1, None, "One.", session=other), says(2, 1, "Two.", session=other), user(3, 2, "Three."), says(4, 3, "Four."))
    assert continued.found() == []
    assert len(continued.thread()) == 4


def test_a_chain_that_goes_on_under_another_session_id_is_whole(session):
    """A resume writes a new id on the same chain: one information names the place, and no repair cares."""
    other = "5eb35a52-6c92-4d9b-ac31-49733476cc3c"
    resumed = session(user(1, None), says(2, 1, "One."), user(3, 2, "More.", session=other), says(4, 3, "Two.", session=other), user(5, 4, "Back."))
    assert resumed.found() == []
    report = resumed.report()
    assert [(f.rule, f.line, str(f.severity)) for f in report.findings if f.rule == "foreign-session"] == [("foreign-session", 3, "info")]


def test_the_result_of_a_server_tool_joins_the_response_of_its_call(session):
    """From another response the client drops it: it is put after its call, with that response's id; what else its record says stays."""
    use = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    for rest in ([], [{"type": "text", "text": "Found."}]):
        lost = session(user(1, None), says(2, 1, use, response="r1"), says(3, 2, asks(), response="r1"), result(4, 3), says(5, 4, found, *rest, response="r2"), says(6, 5, "Done.", response="r2"))
        assert lost.found() == [("displaced-result", 5)]
        lost.repaired()
        assert lost.found() == []


def test_a_reply_beside_an_error_comes_back(session):
    """What hangs on an error is hung on the finished reply next to it, over retries and with the reply's tools."""
    error = {"error": {"status": 529}}
    cut = session(
        user(1, None),
        system(2, 1, "api_error", **error),
        system(3, 2, "api_error", **error),
        says(4, 1, asks()),
        result(5, 4),
        says(6, 5, "Recovered."),
        system(7, 3, "stop_hook_summary"),
        user(8, 7, "Next."),
    )
    assert cut.found() == [("unreachable-reply", 7)]
    assert numbers(cut.repaired())[6:] == [(7, 6), (8, 7)]
    assert cut.thread() == ["user", "assistant toolu_1", "result =toolu_1", "assistant", "user"]


@pytest.mark.parametrize(
    "beside",
    [
        [says(4, 1, asks())],  # not finished
        [says(4, 1, "Old."), user(5, 4, "No.")],  # the user went on from it
        [says(9, 1, "Late.")],  # came after the record that would hang on it
    ],
)
def test_other_branches_beside_an_error_are_left(session, beside):
    """Only a finished reply that nothing goes on from, older than what follows the error, counts as cut off."""
    assert session(user(1, None), system(2, 1, "api_error"), *beside, user(8, 2, "Next.")).found() == []


def test_an_answered_error_is_left(session):
    """When the thread has a reply of its own behind the error, the branch beside it is another try."""
    assert session(user(1, None), system(2, 1, "api_error"), says(3, 1, "First."), says(4, 2, "Second."), user(5, 4)).found() == []


# ---------------------------------------------------------------------- pairing
def test_an_answer_is_written_as_the_client_would(session):
    """The new result copies its call's envelope, stands right behind, names its call, and what followed hangs on it."""
    cut = session(user(1, None), says(2, 1, asks(), entrypoint="cli"), user(3, 2, "Stop."), {"type": "last-prompt", "lastPrompt": "Stop.", "sessionId": SESSION})
    made = cut.repaired()
    assert numbers(made) == [(1, None), (2, 1), ("new", 2), (3, "new")]
    answer = made[2]
    assert answer["timestamp"] == "2026-11-01T10:00:02.001Z"
    assert answer["sourceToolAssistantUUID"] == uuid(2)
    assert answer["message"]["content"][0]["is_error"] is True
    assert answer["message"]["content"][0]["tool_use_id"] == "toolu_1"
    assert {k: answer[k] for k in ("cwd", "sessionId", "version", "gitBranch", "userType", "isSidechain", "entrypoint")} == {
        "cwd": "/work/demo", "sessionId": SESSION, "version": "2.1.332", "gitBranch": "main", "userType": "external", "isSidechain": False, "entrypoint": "cli",
    }  # fmt: skip
    assert made[-1]["type"] == "last-prompt"


def test_one_of_several_calls_is_answered_behind_the_others(session):
    """The answer stands behind the results that came, not older than they are."""
    partial = session(user(1, None), says(2, 1, asks("toolu_1"), response=2), says(3, 2, asks("toolu_2"), response=2), result(4, 3, "toolu_2"), user(5, 4, "And?"))
    assert partial.found() == [("unanswered-call", 2)]
    made = partial.repaired()
    assert numbers(made) == [(1, None), (2, 1), (3, 2), (4, 3), ("new", 4), (5, "new")]
    assert made[4]["timestamp"] == made[3]["timestamp"]


def test_an_unanswered_call_on_a_side_branch_is_answered_there(session):
    """The answer hangs on its call, and the thread keeps its leaf."""
    side = session(user(1, None), says(2, 1, asks("toolu_1"), response=2), result(3, 2, "toolu_1"), says(4, 2, asks("toolu_2"), response=2), user(5, 3, "And?"))
    assert numbers(side.repaired()) == [(1, None), (2, 1), (3, 2), (4, 2), ("new", 4), (5, 3)]
    assert side.thread() == ["user", "assistant toolu_1 toolu_2", "result =toolu_2", "result =toolu_1", "user"]


def test_the_last_call_may_be_running(session):
    """A call at the end is information, and answered or dropped on request."""
    records = user(1, None), says(2, 1, "Let me see.", response=2), says(3, 2, asks(), response=2)
    running = session(*records)
    assert running.found(info=True) == [("trailing-call", 3)]
    before = running.path.read_bytes()
    running.repaired()
    assert running.path.read_bytes() == before
    answered = session(*records)
    assert numbers(answered.repaired(Policies(trailing=Trailing.ANSWER)))[-1] == ("new", 3)
    dropped = session(*records)
    assert numbers(dropped.repaired(Policies(trailing=Trailing.DROP))) == [(1, None), (2, 1)]


def test_dropping_a_call_is_refused_beside_signed_thinking_of_the_latest_turn(session):
    """The latest turn keeps its calls while its thinking is signed; an older one gives them up."""
    thinking = session(user(1, None), says(2, 1, thinks(), response=2), says(3, 2, asks(), response=2), user(4, 3, "Stop."))
    made = thinking.repaired(Policies(unanswered=Unanswered.DROP))
    assert numbers(made) == [(1, None), (2, 1), (3, 2), ("new", 3), (4, "new")]


def test_an_orphan_result_goes_and_its_children_stay(session):
    """Without its call a result is dropped, with the snapshot of it; what names it names its parent."""
    orphan = session(
        user(1, None), says(2, 1, "Hm."), result(3, 2, "toolu_9"),
        {"type": "file-history-snapshot", "messageId": uuid(3), "snapshot": {"messageId": uuid(3)}},
        user(4, 3, "Go on."), {"type": "last-prompt", "leafUuid": uuid(3), "sessionId": SESSION},
    )  # fmt: skip
    assert orphan.found() == [("orphan-result", 3)]
    made = orphan.repaired()
    assert numbers(made) == [(1, None), (2, 1), (4, 2)]
    assert [r["type"] for r in made] == ["user", "assistant", "user", "last-prompt"]
    assert made[-1]["leafUuid"] == uuid(2)


def test_an_orphan_result_can_stay_as_a_note(session):
    """--orphan note keeps the text in a prompt in its place."""
    orphan = session(user(1, None), says(2, 1, "Hm."), result(3, 2, "toolu_9", "kept output"), user(4, 3))
    made = orphan.repaired(Policies(orphan=Orphan.NOTE))
    assert numbers(made) == [(1, None), (2, 1), (3, 2), (4, 3)]
    assert "kept output" in made[2]["message"]["content"][0]["text"]
    assert "toolUseResult" not in made[2]


def test_an_orphan_at_the_front_becomes_a_note(session):
    """When the only user turn in front goes, a marked note takes its place."""
    denied = session(result(1, 99, "toolu_9"), says(2, 1, "Denied."))
    made = denied.repaired()
    assert [r["type"] for r in made] == ["user", "assistant"]
    assert made[0]["message"]["content"].startswith("[condense]")
    assert numbers(made) == [("new", None), (2, "new")]


def test_one_result_of_several_in_a_record_can_go(session):
    """Only the block goes, and with the last one what the client kept for showing it."""
    both = record(3, 2, "user", message={"role": "user", "content": [gives("toolu_9"), gives("toolu_1"), {"type": "text", "text": "See."}]}, toolUseResult={"stdout": "x"})
    strip = session(user(1, None), says(2, 1, asks()), both, says(4, 3, "Ok."))
    made = strip.repaired()
    assert [b["type"] for b in made[2]["message"]["content"]] == ["tool_result", "text"]
    assert "toolUseResult" in made[2]
    alone = record(3, 2, "user", message={"role": "user", "content": [gives("toolu_9"), {"type": "text", "text": "See."}]}, toolUseResult={"stdout": "x"})
    last = session(user(1, None), says(2, 1, "Hm."), alone, says(4, 3, "Ok."))
    assert "toolUseResult" not in last.repaired()[2]


def test_the_leaf_stays_when_its_end_is_dropped(session):
    """When another branch would be newer now, a system record holds the old end; metadata stays last."""
    fork = session(
        user(1, None), says(2, 1, "One."), user(3, 2, "This way."), user(4, 2, "That way."), result(9, 3, "toolu_9"), {"type": "mode", "mode": "plan", "sessionId": SESSION}
    )
    made = fork.repaired()
    assert numbers(made) == [(1, None), (2, 1), (3, 2), (4, 2), ("new", 3)]
    assert made[-1]["type"] == "mode"
    assert fork.thread() == ["user", "assistant", "user"]


def test_a_displaced_result_comes_back_to_its_call(session):
    """A result behind a prompt is moved in front of it, in the file and in the chain; on request it goes."""
    records = user(1, None), says(2, 1, asks()), user(3, 2, "There?"), result(4, 3), says(5, 4, "Yes.")
    late = session(*records)
    assert late.found() == [("displaced-result", 4)]
    assert numbers(late.repaired()) == [(1, None), (2, 1), (4, 2), (3, 4), (5, 3)]
    assert late.thread() == ["user", "assistant toolu_1", "result =toolu_1", "user", "assistant"]
    gone = session(*records)
    assert numbers(gone.repaired(Policies(displaced=Displaced.DROP))) == [(1, None), (2, 1), ("new", 2), (3, "new"), (5, 3)]


def test_a_local_command_cuts_off_a_result(session):
    """What a local command printed is sent as a message, so it must not stand between a call and its result."""
    cut = session(user(1, None), says(2, 1, asks()), system(3, 2, "local_command"), result(4, 3), says(5, 4, "Ok."))
    assert cut.found() == [("displaced-result", 4)]
    assert numbers(cut.repaired()) == [(1, None), (2, 1), (4, 2), (3, 4), (5, 3)]


def test_a_displaced_result_leaves_what_stands_beside_it(session):
    """Of a record with a prompt and a late result only the result is moved, to a record of its own."""
    two = session(
        user(1, None), says(2, 1, asks("toolu_1"), asks("toolu_2")), user(3, 2, "There?"),
        record(4, 3, "user", message={"role": "user", "content": [gives("toolu_1", "late"), gives("toolu_2", "later"), {"type": "text", "text": "Hello?"}]}),
        says(5, 4, "Yes."),
    )  # fmt: skip
    assert two.found() == [("displaced-result", 4)] * 2
    two.repaired()
    assert two.thread() == ["user", "assistant toolu_1 toolu_2", "result =toolu_1", "result =toolu_2", "user", "user", "assistant"]


def test_an_early_result_goes_behind_its_call(session):
    """A result in front of its call is moved behind it."""
    early = session(user(1, None), result(2, 1), says(3, 2, "Listing.", response=3), says(4, 3, asks(), response=3), says(5, 4, "Ok."))
    assert early.found() == [("result-before-call", 2)]
    assert numbers(early.repaired()) == [(1, None), (3, 1), (4, 3), (2, 4), (5, 2)]


def test_of_two_results_the_real_one_stays(session):
    """A placeholder gives way to the output that came late, else the later result goes."""
    made_up = session(user(1, None), says(2, 1, asks()), result(3, 2, content="[Tool result missing]"), user(4, 3, "So?"), result(5, 4, content="real"))
    made_up.repaired()
    assert made_up.thread() == ["user", "assistant toolu_1", "result =toolu_1", "user"]
    assert b"real" in made_up.path.read_bytes()
    second = session(user(1, None), says(2, 1, asks()), result(3, 2), result(4, 3, content="again"), says(5, 4, "Ok."))
    assert numbers(second.repaired()) == [(1, None), (2, 1), (3, 2), (5, 3)]


@pytest.mark.parametrize("apart", [False, True])
def test_an_id_used_again_gets_a_fresh_one_with_its_result(session, apart):
    """Two calls with one id and two results keep both, in one response or in two, where the client would delete one."""
    again = session(
        user(1, None), says(2, 1, asks(arguments={"command": "ls"}), response=2), result(3, 2, content="one"),
        says(4, 3, asks(arguments={"command": "pwd"}), response=4 if apart else 2), result(5, 4, content="two"), says(6, 5, "Ok."),
    )  # fmt: skip
    assert again.found() == [("reused-id" if apart else "duplicate-call-id", 4)]
    made = again.repaired()
    fresh = made[3]["message"]["content"][0]["id"]
    assert fresh != "toolu_1"
    assert made[4]["message"]["content"][0]["tool_use_id"] == fresh
    # The client takes an id that ends in _ and a number for a copy of the one without.
    assert not fresh.rpartition("_")[2].isdigit()


def server(ident="srvtoolu_1"):
    """A call that the provider runs itself."""
    return {"type": "server_tool_use", "id": ident, "name": "advisor", "input": {}}


def served(ident="srvtoolu_1"):
    """What came of it."""
    return {"type": "advisor_tool_result", "tool_use_id": ident, "content": {"type": "advisor_result", "text": "Fine."}}


def test_a_response_is_closed_around_its_server_side_result(session):
    """Records that cut a server-side result off go behind the response, in their order; nothing else changes."""
    cut = session(
        user(1, None), says(2, 1, server(), response=2), system(3, 2, "local_command"), system(4, 3, "local_command"),
        says(5, 4, served(), response=2), says(6, 5, "Agreed.", response=2), user(7, 6, "Next."),
    )  # fmt: skip
    assert [(f.rule, f.line, f.severity.value) for f in cut.report().findings if f.severity.value != "info"] == [("displaced-result", 5, "error")]
    assert numbers(cut.repaired()) == [(1, None), (2, 1), (5, 2), (6, 5), (3, 6), (4, 3), (7, 4)]
    assert cut.thread() == ["user", "assistant srvtoolu_1 =srvtoolu_1", "custom", "custom", "user"]


def test_interposed_records_between_parts_of_a_response_all_go_behind_it(session):
    """Also where a part of the response stands between them, and where the response ends the session."""
    cut = session(
        user(1, None), says(2, 1, server(), response=2), user(3, 2, "Hm?"), says(4, 3, "One moment.", response=2),
        system(5, 4, "local_command"), says(6, 5, served(), response=2),
    )  # fmt: skip
    assert cut.found() == [("displaced-result", 6)]
    assert numbers(cut.repaired()) == [(1, None), (2, 1), (4, 2), (6, 4), (3, 6), (5, 3)]


def test_a_server_side_call_without_result_goes(session):
    """Nobody but the provider could answer it; the rest of its response stays."""
    alone = session(user(1, None), says(2, 1, server(), response=2), says(3, 2, "Well.", response=2), user(4, 3, "Next."), says(5, 4, "Ok."))
    assert alone.found() == [("unanswered-call", 2)]
    assert numbers(alone.repaired()) == [(1, None), (3, 1), (4, 3), (5, 4)]
    assert session(user(1, None), says(2, 1, server(), response=2), says(3, 2, "Well.", response=2)).found() == [("unanswered-call", 2)]
    assert session(user(1, None), says(2, 1, "Well.", response=2), says(3, 2, server(), response=2)).found() == []


# ---------------------------------------------------------------------- calls and content
def test_calls_are_mended_with_their_results(session):
    """Bad ids, names and arguments are mended in the call, and the id in its result."""
    bad = session(user(1, None), says(2, 1, asks("functions.bash:0", "bad name", '{"command": "ls"}')), result(3, 2, "functions.bash:0"), says(4, 3, "Ok."))
    assert sorted(bad.found()) == [("invalid-arguments", 2), ("invalid-call-id", 2), ("invalid-tool-name", 2)]
    made = bad.repaired()
    call = made[1]["message"]["content"][0]
    assert call == {"type": "tool_use", "id": "functions_bash_0", "name": "bad", "input": {"command": "ls"}}
    assert made[2]["message"]["content"][0]["tool_use_id"] == "functions_bash_0"


def test_a_blank_text_beside_other_content_of_the_response_goes(session):
    """A record that holds nothing but a blank text is a blank block of its response; alone it is a blank message."""
    beside = session(user(1, None), says(2, 1, " \n", response=2), says(3, 2, asks(), response=2), result(4, 3), says(5, 4, "Ok."))
    assert beside.found() == [("blank-text", 2)]
    assert numbers(beside.repaired()) == [(1, None), (3, 1), (4, 3), (5, 4)]
    alone = session(user(1, None), says(2, 1, " "), user(3, 2, "Go on."))
    assert alone.found() == [("empty-message", 2)]
    assert numbers(alone.repaired()) == [(1, None), (3, 1)]
    empty = session(user(1, None), says(2, 1), user(3, 2, "Go on."))
    assert empty.found() == []


@pytest.mark.parametrize("content", ["", "  ", [], [{"type": "text", "text": ""}]])
def test_a_blank_prompt_is_filled(session, content):
    """The provider refuses an empty user message, so a marked one stands for it."""
    blank = session(user(1, None), says(2, 1, "Hm."), user(3, 2, content), says(4, 3, "?"))
    assert blank.found() == [("empty-message", 3)]
    filled = blank.repaired()[2]["message"]["content"]
    assert filled in ("(empty)", [{"type": "text", "text": "(empty)"}])


def test_a_bad_image_becomes_a_note_at_its_place(session):
    """In a prompt and inside a result; the good one beside it stays."""
    bad = image("bm8gaW1hZ2U=")
    shown = session(
        user(1, None, [{"type": "text", "text": "See."}, bad, image()]), says(2, 1, asks()),
        record(3, 2, "user", message={"role": "user", "content": [gives(content=[{"type": "text", "text": "two"}, bad, image(media_type="image/tiff")])]}),
        says(4, 3, "Ok."),
    )  # fmt: skip
    assert shown.found() == [("invalid-image", 1), ("invalid-image", 3)]
    made = shown.repaired()
    assert [b["type"] for b in made[0]["message"]["content"]] == ["text", "text", "image"]
    inner = made[2]["message"]["content"][0]["content"]
    assert [b["type"] for b in inner] == ["text", "text", "text"]
    assert "image/tiff" in inner[2]["text"]


def test_unsigned_thinking_goes_from_a_response_that_has_no_other(session):
    """Cut and missing signatures are removed; a record that holds nothing else goes; an emptied text with a signature is ordinary."""
    for signature in ("", "S" * 24):
        unsigned = session(user(1, None), says(2, 1, thinks(signature), response=2), says(3, 2, "Hm.", response=2), user(4, 3))
        assert unsigned.found() == [("unsigned-thinking", 2)]
        assert numbers(unsigned.repaired()) == [(1, None), (3, 1), (4, 3)]
    hollow = session(user(1, None), says(2, 1, thinks(text=""), response=2), says(3, 2, "Hm.", response=2), user(4, 3))
    assert hollow.found() == []


def test_a_response_with_signed_thinking_keeps_all_of_it(session):
    """No part of a response's thinking goes while another part is signed, whichever contract asks."""
    mixed = session(user(1, None), says(2, 1, thinks(), response=2), says(3, 2, thinks(""), response=2), says(4, 3, "Hm.", response=2), user(5, 4))
    assert mixed.found() == []
    before = mixed.path.read_bytes()
    mixed.repaired(contracts=("anthropic",))
    assert mixed.path.read_bytes() == before


def test_results_come_first_where_the_provider_is_asked(session):
    """Text in front of a result in one record is what Anthropic refuses and the client mends."""
    late = session(user(1, None), says(2, 1, asks()), record(3, 2, "user", message={"role": "user", "content": [{"type": "text", "text": "So."}, gives()]}), says(4, 3, "Ok."))
    assert late.found() == []
    assert [b["type"] for b in late.repaired(contracts=("anthropic",))[2]["message"]["content"]] == ["tool_result", "text"]


# ---------------------------------------------------------------------- lines
def test_damaged_lines_are_mended_in_the_file_and_in_the_chain(session):
    """A fragment goes, whole records get a line each, NULs and halves of surrogate pairs are replaced everywhere."""
    torn = lines(says(2, 1, "Torn."))[:90]
    hurt = lines(result(4, 3)).replace(b'"src"', rb'"smile \ud83d"')
    damaged = session(user(1, None), torn + lines(user(3, 2, "Two.") ).rstrip(b"\n") + lines(says(5, 3, asks())), b"\0" * 40 + b"\n", hurt.replace(uuid(3).encode(), uuid(5).encode()), says(6, 4, "Ok."))
    assert damaged.found() == [("fused-line", 2), ("missing-parent", 2), ("nul-bytes", 3), ("lone-surrogate", 4)]
    made = damaged.repaired()
    assert numbers(made) == [(1, None), (3, 1), (5, 3), (4, 5), (6, 4)]
    assert made[3]["toolUseResult"]["stdout"] == "smile \ufffd"


def test_a_line_is_split_only_where_a_record_begins(session):
    """Objects inside a torn record are no records, although they look like messages."""
    whole = lines(says(2, 1, "A."))
    fused = session(user(1, None), whole.replace(b'"uuid"', b'"uuid', 1).rstrip(b"\n") + lines(user(3, 1, "B.")))
    assert [rule for rule, _ in fused.found()] == ["fused-line"]
    assert numbers(fused.repaired()) == [(1, None), (3, 1)]


# ---------------------------------------------------------------------- showing
def test_a_turn_is_loaded_from_all_its_records(session):
    """A response is shown with the blocks of each of its records, and each block knows which."""
    shown = session(user(1, None, "Look."), says(2, 1, thinks(), response=2), says(3, 2, asks(), response=2), result(4, 3, content=[{"type": "text", "text": "src"}]))
    document = shown.document()
    fmt = BY_NAME["claude-code"]
    view = next(fmt.views(document, None, every=False))
    turns = [fmt.turn(document, message) for message in view.messages]
    assert [(t.role, [b.kind for b in t.blocks]) for t in turns] == [(Role.USER, ["text"]), (Role.ASSISTANT, ["thinking", "call"]), (Role.RESULT, ["result"])]
    assert [b.record.line for b in turns[1].blocks] == [2, 3]
    assert turns[2].blocks[0].text == "src"


# ---------------------------------------------------------------------- files
@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_fixture_is_repaired_to_its_twin(session, path):
    """Each broken file of the folder becomes the file beside it, byte for byte."""
    broken = session(path.read_bytes(), name=path.name)
    broken.repaired()
    assert broken.path.read_bytes() == path.with_suffix(".repaired").read_bytes()


@pytest.mark.skipif(not REAL.is_dir(), reason="recorded sessions are not here")
@pytest.mark.parametrize("path", sorted(REAL.glob("*.jsonl")) if REAL.is_dir() else [], ids=lambda path: path.stem)
def test_recorded_sessions_are_sound_after_repair(session, path):
    """Recorded sessions are read without an error or become so, and sound ones keep every byte."""
    recorded = session(path.read_bytes(), name=path.name)
    was_sound = recorded.found() == []
    recorded.repaired()
    assert recorded.found() == []
    assert (recorded.path.read_bytes() == path.read_bytes()) is was_sound
