"""The facts of a branch: the same whether they are taken while the file is read for the first time or loaded later."""

from pathlib import Path

import pytest
from condense_cli.pi_condense.compact.branch import MessageWatch, read
from condense_cli.pi_condense.prune.protect import protection
from condense_cli.pi_condense.prune.settings import Settings, read_settings
from condense_cli.session.opened import open_session

ROOT = Path(__file__).parents[3] / "fixtures" / "compact"


@pytest.mark.parametrize("case", sorted(p.name for p in ROOT.iterdir()))
def test_a_watch_takes_what_a_second_reading_finds(case):
    settings = ROOT / case / "settings.json"
    protected = protection(read_settings(str(settings)) if settings.exists() else Settings())
    watch = MessageWatch(protected)
    loaded = []

    def load(record):
        loaded.append(record.kind)
        return session.load(record)

    with open_session(str(ROOT / case / "session.jsonl"), watch=watch) as session:
        again = read(session.branch(), session.load, protected)
        taken = read(session.branch(), load, protected, watch.seen)

    assert (taken.branch.places, taken.said) == (again.branch.places, again.said)
    assert "message" not in loaded


@pytest.mark.parametrize(
    "arguments",
    [{"n": 1}, {"command": "x" * 600}, {"paths": ["a", "b"]}, {"options": {"deep": [1]}}, {f"k{n}": n for n in range(20)}, {"a": "x" * 300, "b": "y" * 300}],
    ids=["short", "long", "a list", "nested", "many", "long together"],
)
def test_arguments_come_whole_into_the_record(chat, make, arguments):
    """Only short ones are kept while the branch is read; the others are loaded."""
    chat.user(1).calls(2, "bash_1", arguments=arguments).result(3, "bash_1").says(4)

    assert make(chat).of("index")[0]["toolCalls"][0]["args"] == arguments


def test_a_version_2_session_is_not_taken_as_it_stands(tmp_path, chat):
    """What pi changes in memory when it migrates a file is not what the file holds."""
    chat.user(1).cycle(2, "bash_1").message("hookMessage", 4, "noted").says(5)
    chat.entries[0]["version"] = 2
    path = tmp_path / "s.jsonl"
    path.write_bytes(chat.data())

    with open_session(str(path)) as session:
        assert session.migrates
        assert [message.facts.role for message in read(session.branch(), session.load, protection(Settings())).said][-2] == "custom"
