"""The order of names."""

import random

from condense_cli.pi_condense.compact.collation import collation_key

OBSERVED = [
    "_x", "-x", "+x", "~x", "$x", "0day", "a b", "a1", "a10", "a2", "mcp__gh__get", "mcp_gh", "MCP_gh",
    "read", "Read", "READ", "read_file", "read-file", "read.file", "read/file", "readFile",
]  # fmt: skip


def test_names_stand_in_the_observed_order():
    """Punctuation before digits before letters; case decides last, lower first; a prefix is smaller."""
    shuffled = OBSERVED[:]
    random.Random(3).shuffle(shuffled)

    assert sorted(shuffled, key=collation_key) == OBSERVED


def test_control_characters_do_not_count():
    """They weigh nothing, so such names are equal."""
    assert collation_key("re\x07ad") == collation_key("read")
