"""Whole compactions: what is appended, what it saves, and what it never does."""

import base64
import gzip
import json
from pathlib import Path

import pytest
from condense_cli.check.engine import check
from condense_cli.pi_condense.compact.run import Why
from condense_cli.pi_condense.prune.settings import Settings, settings_from
from condense_cli.pi_condense.prune.size import message_size
from condense_cli.pi_condense.prune.views import render
from condense_cli.rules.catalogue import PAIRING_RULES
from condense_cli.session.opened import open_session

GOLDEN = Path(__file__).parents[4] / "shared" / "golden-2.11" / "compact" / "random-visible.jsonl.gz"
LONG = "line of output\n" * 40


def rendered(path, settings=None):
    with open_session(str(path)) as session:
        return list(render(session.branch(), session.load, settings or Settings()).rendered())


def two_chains(chat):
    chat.user(100, "first").calls(110, "bash_1", "read_2").result(111, "bash_1", LONG).result(112, "read_2", "text").says(120)
    return chat.user(200, "second").cycle(210, "bash_1", LONG + "again").says(220)


def test_a_chain_gets_records_then_its_entry_and_the_run_a_snapshot(chat, make):
    """Index, chain, index, chain, stats: each hangs on the one before, the first on the leaf."""
    made = make(two_chains(chat))

    kinds = [entry["customType"].removeprefix("context-prune-") for entry in made.appended]
    assert kinds == ["index", "chain", "index", "chain", "stats"]
    assert [entry["parentId"] for entry in made.appended] == [chat.entries[-1]["id"], *(entry["id"] for entry in made.appended[:-1])]
    assert [chain["toolRefs"] for chain in made.of("chain")] == [["t1", "t2"], ["t3"]]
    assert made.of("stats")[0]["chainsCompressed"] == 2


def test_nothing_before_the_new_entries_changes(chat, make):
    """The old bytes stand first; a last line without an end is ended."""
    data = two_chains(chat).data()

    assert make(data).data.startswith(data)
    assert make(data.removesuffix(b"\n")).data == make(data).data


def test_running_it_twice_appends_nothing(chat, make):
    """Compressed chains are known by their start, and the chains that were left alone are again."""
    made = make(two_chains(chat).user(300).calls(310, "bash_9").says(320))
    again = make(made.data)

    assert made.of("chain") and [(d.kind, d.key) for d in again.run.diagnostics] == [("backfill-empty", "300")]
    assert again.data == made.data


def test_every_output_comes_back_by_every_name(chat, make):
    """By short reference, by occurrence, and all occurrences by the bare id, from entries and from files."""
    made = make(two_chains(chat), Settings(spill_threshold=100))

    assert len(made.blobs) == 2
    assert [made.outputs(ref) for ref in ("t1", "t2", "t3")] == [[LONG], ["text"], [LONG + "again"]]
    assert [made.outputs(ref) for ref in ("bash_1@111", "bash_1@211")] == [[LONG], [LONG + "again"]]
    assert made.outputs("bash_1") == [LONG, LONG + "again"]


def test_two_spilled_occurrences_of_one_id_get_distinct_files(chat, make):
    """Neither hides the other, in the file system or in the index."""
    made = make(two_chains(chat), Settings(spill_threshold=100))

    assert sorted(made.blobs.values()) == sorted([LONG.encode(), (LONG + "again").encode()])
    records = [record for entry in made.of("index") for record in entry["toolCalls"] if record.get("spillPath")]
    assert len({record["spillPath"] for record in records}) == 2
    assert all(record["resultText"] == "" and record["spillBytes"] > 100 for record in records)


def test_turns_that_are_not_compressed_stay(chat, make):
    """With a window of one the last chain is rendered as it was, message by message."""
    made = make(two_chains(chat), window=1)
    before, after = rendered(made.folder / "session.jsonl"), rendered(made.path)

    assert after[-4:] == before[-4:]
    assert len(after) == 3 + 4


def test_a_chain_that_summaries_cover_gets_only_its_entry(chat, make):
    """Its text is looked up when it is rendered; no record is made for its other calls."""
    two_chains(chat).summary("what bash did", "t7", "bash_1", 111)

    made = make(chat)

    first, second = made.of("chain")
    assert "rangeSummaryText" not in first and first["toolRefs"] == ["t7"]
    assert second["toolRefs"] == ["t8"] and len(made.of("index")) == 1


def test_a_run_that_stopped_half_way_is_completed(chat, make):
    """The records are there, the chain entry is not: only that is appended."""
    whole = make(two_chains(chat), window=1)
    half = whole.data[: whole.data.index(b'{"type":"custom","customType":"context-prune-chain"')]

    assert [e["customType"] for e in make(half, window=1).appended] == ["context-prune-chain", "context-prune-stats"]
    assert make(half, window=1).of("chain") == whole.of("chain")


def test_protected_outputs_stay_in_view(chat, make):
    """They are moved into the message that stands for the chain, word for word."""
    chat.user(100).cycle(110, "todo_1", "PLAN").cycle(113, "bash_2", LONG).says(120)
    settings = Settings(protected_tools=["todo"])

    made = make(chat, settings)

    assert made.of("chain")[0]["protectedToolCallIds"] == ["todo_1"]
    assert "PLAN" in json.dumps(rendered(made.path, settings))


def test_a_fully_protected_chain_is_left_alone(chat, make):
    """It says why, and it is no diagnostic."""
    made = make(chat.user(100).cycle(110, "todo_1").says(120), Settings(protected_tools=["todo"]))

    assert (made.appended, made.run.diagnostics) == ([], ())
    assert made.run.rows[0].why is Why.NOTHING


@pytest.mark.parametrize("last", ["text", [None, {"type": "text", "text": "done"}]])
def test_a_chain_that_would_break_every_request_is_left_alone(chat, make, last):
    """pi-condense fails on a closing answer that is no list of blocks, and would send the session unpruned."""
    made = make(chat.user(100).cycle(110, "bash_1", LONG).message("assistant", 120, last, stopReason="stop"))

    assert made.appended == []
    assert made.run.rows[0].why is Why.UNSAFE


def test_a_chain_without_a_start_time_is_left_alone(chat, make):
    """It would be compressed again by every run."""
    assert make(chat.user(None).cycle(110, "bash_1", LONG).says(120)).appended == []


def test_a_chain_that_grows_says_so_or_is_left_alone(chat, make):
    """The original compresses it all the same; with only_gain the rest keeps its numbers without gaps."""
    chat.user(100).cycle(110, "bash_1", "x").says(120).user(200).cycle(210, "bash_2", LONG * 3).says(220)

    both, one = make(chat), make(chat, only_gain=True)

    assert both.gain.saved["b1"] < 0 < both.gain.saved["b2"]
    assert [row.why for row in one.run.rows] == [Why.NO_GAIN, None]
    assert one.of("chain")[0]["blockId"] == "b1" and one.of("chain")[0]["toolRefs"] == ["t1"]


def sessions():
    with gzip.open(GOLDEN, "rt", encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            yield case, base64.b64decode(case["session_b64"]) if "session_b64" in case else case["session"].encode()


@pytest.mark.slow
@pytest.mark.skipif(not GOLDEN.is_file(), reason="needs the recorded sessions")
def test_what_is_measured_is_what_is_rendered(make):
    """Sizes before and after are those of the rendered messages, and with only_gain they never grow."""
    for case, data in sessions():
        settings = settings_from({**(case["config"] or {}), "enabled": True})
        for only_gain in (False, True):
            made = make(data, settings, only_gain=only_gain)
            sizes = [sum(map(message_size, rendered(path, settings))) for path in (made.folder / "session.jsonl", made.path)]
            assert sizes == [made.gain.before, made.gain.after], case["name"]
            assert not only_gain or sizes[1] <= sizes[0], case["name"]


@pytest.mark.skipif(not GOLDEN.is_file(), reason="needs the recorded sessions")
def test_no_pairing_finding_is_created(make):
    """A check of the new file, by pi and by every API, finds what a check of the old one did; some sessions are damaged."""
    def findings(path):
        with open_session(str(path)) as session:
            contracts = ["pi", "anthropic", "openai-chat", "gemini"]
            return [(f.contract, f.rule, f.line, f.call_id) for f in check(session.document, contracts).findings if f.rule in PAIRING_RULES]

    found = 0
    for number, (case, data) in enumerate(sessions()):
        if number % 5 == 0:
            made = make(data, settings_from({**(case["config"] or {}), "enabled": True}))
            before = findings(made.folder / "session.jsonl")
            found += len(before)
            assert findings(made.path) == before, case["name"]
    assert found, "no session was damaged, so nothing was judged"
