"""The records of a chain are taken out, and a message takes their place."""

import json

import pytest
from condense_cli.cli import run
from tests import conversations
from tests.conversations import chain, chains
from tests.pi_condense.compact.test_leaving import parallel


@pytest.fixture
def compacted(tmp_path):
    def compact(rows, *, suffix="jsonl"):
        session, new = tmp_path / f"session.{suffix}", tmp_path / f"new.{suffix}"
        conversations.write(session, rows, suffix)
        assert run(["-q", "compact", str(session), "--window", "0", "-o", str(new), "--now", "1"]) == 0
        text = new.read_text()
        return [json.loads(line) for line in text.splitlines()] if suffix == "jsonl" else json.loads(text)

    return compact


def said(row):
    content = row["message"]["content"]
    return content if isinstance(content, str) else content[0].get("text")


def test_a_prompt_of_claude_code_hangs_between_question_and_answer(compacted):
    """It is marked as not typed, has an id of its own that is the same each time, and a time between its neighbours'."""
    rows = conversations.claude_code(chain(0))

    question, message, answer = made = compacted(rows)

    assert (question, said(answer)) == (rows[0], "Answer 0")
    assert said(message).startswith('<compressed-chain id="b1" tools="t1,t2">') and message["isMeta"] is True
    assert (message["parentUuid"], answer["parentUuid"]) == (question["uuid"], message["uuid"])
    assert question["timestamp"] <= message["timestamp"] <= answer["timestamp"]
    assert {**answer, "parentUuid": rows[-1]["parentUuid"]} == rows[-1]
    assert message["sessionId"] == conversations.SESSION and compacted(rows) == made


def test_what_stays_in_between_keeps_its_order(compacted):
    """Records that are no part of the calls hang on the message, or on each other as before."""
    rows = conversations.claude_code(chain(0))
    for place in (3, 6):
        note = {"parentUuid": rows[place - 1]["uuid"], "uuid": f"{place:08x}-0000-4000-8000-00000000000a", "type": "attachment", "isSidechain": False, "sessionId": conversations.SESSION, "timestamp": rows[place - 1]["timestamp"], "attachment": {"type": "hook_success"}}
        rows[place]["parentUuid"] = note["uuid"]
        rows.insert(place, note)

    made = compacted(rows)

    assert [row["type"] for row in made] == ["user", "user", "attachment", "attachment", "assistant"]
    assert [row["parentUuid"] for row in made] == [None, *(row["uuid"] for row in made[:-1])]


def test_results_beside_the_thread_go_too(compacted):
    """Nothing of the response is left."""
    question, message, answer = compacted(parallel())

    assert [said(question), said(answer)] == ["Go", "Done"] and answer["parentUuid"] == message["uuid"]


def test_references_to_what_left_name_what_stands_before_it(compacted):
    """A hint at the end of the thread follows; a snapshot of a record that is gone is gone."""
    rows = conversations.claude_code(chain(0))
    rows.append({"type": "last-prompt", "lastPrompt": "x", "leafUuid": rows[4]["uuid"], "sessionId": conversations.SESSION})
    rows.append({"type": "file-history-snapshot", "messageId": rows[2]["uuid"], "snapshot": {"messageId": rows[2]["uuid"]}, "isSnapshotUpdate": False})

    made = compacted(rows)

    assert [row["type"] for row in made] == ["user", "user", "assistant", "last-prompt"]
    assert made[-1]["leafUuid"] == rows[0]["uuid"]


def test_codex_gets_an_item_and_the_event_that_shows_it(compacted):
    """Both stand where the calls stood, at the time of the first of them."""
    rows = conversations.codex(chain(0))

    made = compacted(rows)

    item, event = made[3:5]
    assert (made[:3], made[5:]) == (rows[:3], rows[-1:])
    assert [item["type"], event["type"], event["payload"]["type"]] == ["response_item", "event_msg", "user_message"]
    assert item["payload"]["content"][0]["text"] == event["payload"]["message"] and item["timestamp"] == rows[3]["timestamp"]


@pytest.mark.parametrize("name", ["openai-chat", "anthropic"])
def test_the_bytes_of_all_other_messages_stay(name, tmp_path):
    """Indentation, key order and escapes of an array are as they were."""
    session = conversations.written(tmp_path, name, chains(3))
    text = session.read_text().replace('"Answer 0"', '"\\u0041nswer 0"')
    session.write_text(text)

    run(["-q", "compact", str(session), "--window", "0", "-o", str(tmp_path / "new.json")])

    made = (tmp_path / "new.json").read_text()
    assert '"\\u0041nswer 0"' in made and made.startswith("[\n {\n") and made.endswith("\n }\n]\n")
    before, after = text.splitlines(), made.splitlines()
    assert sorted(set(after) - set(before)) == sorted(line for line in after if "compressed-chain" in line)
