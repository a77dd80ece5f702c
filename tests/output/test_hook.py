"""The sentence of the hook."""

import io
import json

from condense_cli.output.hook import answer, sentence, write_difference
from condense_cli.storage.looks import Sight

ORPHAN = Sight("orphan-result", 5, "error", True, "k1")
CUT = Sight("trailing-call", 9, "info", True, "k2")
READ_ONLY = Sight("unreadable-line", 2, "warning", False, "k3")


def test_nothing_is_said_of_a_sound_session():
    """An empty answer."""
    assert answer("/s.jsonl", (), "trailing-call") == ""


def test_one_sentence_and_the_command():
    """Numbers, rules, lines, and what to run."""
    said = json.loads(answer("/a b.jsonl", (ORPHAN, ORPHAN._replace(line=7)), "trailing-call"))["systemMessage"]
    assert said == "condense: this session has 2 errors (orphan-result in line 5). To repair it, leave this session and run: condense repair -i --wait '/a b.jsonl'"


def test_a_call_that_was_cut_off_is_answered():
    """The policy that repairs it is in the command."""
    assert "1 warning (trailing-call in line 9)" in sentence("/s.jsonl", (CUT,), "trailing-call")
    assert sentence("/s.jsonl", (CUT, ORPHAN), "trailing-call").endswith("condense repair -i --wait --trailing answer /s.jsonl")


def test_what_cannot_be_repaired_is_shown_by_check():
    """No command that would do nothing."""
    assert sentence("/s.jsonl", (READ_ONLY,), "trailing-call").endswith("condense check /s.jsonl")


def test_a_difference_of_settings():
    """Unified, with /dev/null for a file that is missing, and nothing that steers a terminal."""
    out = io.StringIO()
    write_difference("s.json", None, b'{"a": "\x1b[31m"}\n', out)
    assert out.getvalue().splitlines()[:2] == ["--- /dev/null", "+++ s.json"]
    assert "\x1b" not in out.getvalue()
