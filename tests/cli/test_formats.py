"""condense formats, from the command line."""

import json

import pytest
from condense_cli.document.format import Format
from condense_cli.document.views import Compacts
from condense_cli.formats import ABILITIES, BY_NAME
from tests.strategies import condense


def test_every_format_has_a_row():
    """The table and the registry name the same formats, in one order."""
    text = condense("formats").out.decode()
    rows = [line.split()[0] for line in text.split("\n\n")[0].splitlines()[1:]]

    assert rows == list(BY_NAME)
    assert "pi-condense 2.11.3" in text
    assert list(ABILITIES) == list(BY_NAME)


def test_json_says_the_same():
    """The JSON holds every ability and the contract that sessions are judged by."""
    value = json.loads(condense("formats", "--output-format", "json").out)

    assert [row["format"] for row in value["formats"]] == list(BY_NAME)
    assert {row["format"]: row["contract"] for row in value["formats"]}["kimi"] == "openai-chat"
    assert all(row["detect"] and row["check"] and row["render"] and row["query"] for row in value["formats"])


def test_what_is_compacted_is_what_compact_takes():
    """The column of compact is what that command accepts."""
    assert {name for name, ability in ABILITIES.items() if ability.compact} == {fmt.name for fmt in BY_NAME.values() if fmt.compaction is not Compacts.NONE}


@pytest.mark.parametrize("name", list(BY_NAME))
def test_what_is_not_repaired_is_refused(name):
    """A format without a repair refuses every file, and only such a format does."""
    assert ABILITIES[name].repair is (name != "opencode")
    assert (type(BY_NAME[name]).refuse_repair is not Format.refuse_repair) is (name in {"opencode", "opencode-db", "openclaw", "roo"})
