"""Which records leave with a chain, and what speaks against it."""

import pytest
from condense_cli.pi_condense.compact.leaving import Halves
from condense_cli.pi_condense.compact.spans import detect
from condense_cli.session.opened import open_session
from tests import conversations
from tests.conversations import FORMATS, chain


def leaving(path):
    """The first chain of a session: the numbers (from 0) of its records, how many outputs it has, and what keeps it."""
    with open_session(str(path)) as session:
        view = session.view()
        found = Halves(session.document, view).leaving(detect(view.messages, lambda _: False)[0])
        order = {id(record): n for n, record in enumerate(session.records)}
        return sorted(order[id(record)] for record in found.all), len(found.answered), found.obstacle


@pytest.mark.parametrize(
    ("name", "records"),
    [("claude-code", [1, 2, 3, 4, 5, 6]), ("codex", [3, 4, 5, 6, 7, 8, 9, 10]), ("openai-chat", [1, 2, 3, 4]), ("anthropic", [1, 2, 3, 4])],
)
def test_calls_results_and_what_was_said_with_them_leave(tmp_path, name, records):
    """The user's message and the answer stay; in Codex the events that show a call go with it."""
    assert leaving(conversations.written(tmp_path, name, chain(0))) == (records, 2, "")


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_call_without_a_result_keeps_its_chain(tmp_path, name):
    """What is not answered is the business of a repair."""
    turns = [turn for turn in chain(0) if turn[:2] != ("result", "call_0_0")]

    assert leaving(conversations.written(tmp_path, name, turns))[2] == "calls and results in it do not pair"


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_second_result_keeps_its_chain(tmp_path, name):
    """Halves that do not pair stay where they are."""
    turns = chain(0, calls=1)
    turns.insert(3, ("result", "call_0_0", "again"))

    assert leaving(conversations.written(tmp_path, name, turns))[2] == "calls and results in it do not pair"


def test_tools_of_the_provider_keep_their_chain(tmp_path):
    """Their results are no text that could be given back."""
    messages = conversations.anthropic(chain(0, calls=1))
    messages[1]["content"][1:1] = [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}, {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}]

    assert leaving(conversations.write(tmp_path / "m.json", messages, "json"))[2] == "a tool of the provider ran in it"


def test_answers_side_by_side_leave_together(tmp_path):
    """Anthropic's neighbours of one role are one turn."""
    messages = conversations.anthropic(chain(0, calls=1))
    messages.insert(1, {"role": "assistant", "content": "First of all"})

    assert leaving(conversations.write(tmp_path / "m.json", messages, "json")) == ([1, 2, 3], 1, "")


def parallel():
    """Two calls of one response; the first one's result hangs beside the thread, as the client writes it."""
    turns = [("user", "Go"), ("says", None, [("a", "ls"), ("b", "pwd")]), ("result", "b", "two"), ("says", "Done", []), ("result", "a", "one")]
    rows = conversations.claude_code(turns)
    rows[-1] |= {"parentUuid": rows[1]["uuid"], "timestamp": rows[2]["timestamp"]}
    rows.insert(3, rows.pop())
    return rows


def test_results_beside_the_thread_leave_with_their_response(tmp_path):
    """All records of one response are one unit, on the path or beside it."""
    assert leaving(conversations.write(tmp_path / "s.jsonl", parallel())) == ([1, 2, 3, 4], 2, "")


def test_another_branch_keeps_the_chain_that_it_hangs_on(tmp_path):
    """A user who went back and asked something else went back to these records."""
    rows = conversations.claude_code([*chain(0), ("user", "Other"), ("says", "Well", [])])
    end = rows.pop(), rows.pop()
    for row, parent in zip(reversed(end), (rows[2]["uuid"], end[1]["uuid"]), strict=True):
        row["parentUuid"] = parent
        row["timestamp"] = "2026-11-01T09:00:00.000Z"  # older, so that the thread is the other one
        rows.append(row)

    assert leaving(conversations.write(tmp_path / "s.jsonl", rows))[2] == "another branch begins at it"


def test_a_record_that_is_there_twice_keeps_its_chain(tmp_path):
    """The copy would take its place."""
    rows = conversations.claude_code(chain(0))

    assert leaving(conversations.write(tmp_path / "s.jsonl", [*rows[:3], rows[2], *rows[3:]]))[2] == "a record of it is in the file twice"


def test_what_stands_in_a_compaction_stays(tmp_path):
    """A replacement history is the client's own."""
    rows = conversations.codex(chain(0))
    history = [row["payload"] for row in rows[1:8] if row["type"] == "response_item"]
    compacted = {"timestamp": conversations.stamp(9), "type": "compacted", "payload": {"message": "", "replacement_history": history}}

    assert leaving(conversations.write(tmp_path / "s.jsonl", [*rows[:8], compacted, *rows[8:]]))[2] == "a compaction keeps it"
