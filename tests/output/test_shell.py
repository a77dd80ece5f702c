"""Commands that a user can paste."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from condense_cli.output.plain import one_line
from condense_cli.output.shell import command, path_word

WORDS = [
    "plain",
    "a b",
    "it's",
    "$HOME `id` \\",
    "",
    "new\nline\ttab",
    "esc\x1b[31m'\\\x7f",
    "bidi\u202ex",
    "bytes\udcff\udc80",
    "ü\u200b9",
]


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_a_shell_reads_what_was_meant():
    """A shell takes the command apart into exactly the words that went in, bytes that are no UTF-8 included."""
    run = subprocess.run(
        [b"bash", b"-c", os.fsencode(command("printf", "%s\\0", *WORDS))], capture_output=True, check=True
    )

    assert run.stdout.split(b"\0")[:-1] == [os.fsencode(word) for word in WORDS]


def test_commands_are_printable():
    """A command is one line without anything that steers a terminal."""
    text = command(*WORDS, "lone\ud800")

    assert one_line(text) == text


@pytest.mark.parametrize(("path", "word"), [("-x", "./-x"), ("-", "-"), ("a/-x", "a/-x")])
def test_a_path_is_no_option(path, word):
    """A path that begins with a dash gets a folder in front; standard input does not."""
    assert path_word(path) == word
