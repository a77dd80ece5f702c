"""The globs of protected paths."""

import re
import time

import pytest
from condense_cli.pi_condense.prune.protect import glob_matches, split_glob
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("**/skills/**/*.md", "skills/a.md", True),
        ("**/skills/**/*.md", "/x/skills/b/c.md", True),
        ("**/skills/**/*.md", "myskills/x.md", False),
        ("*.md", "a/b.md", False),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("/a/**", "/a/b/c", True),
        ("/a/**", "/a/b\nc", False),
        ("[ab].md", "a.md", False),
        ("{a,b}.md", "{a,b}.md", True),
        ("A.md", "a.md", False),
    ],
)
def test_a_glob_matches_whole_paths(glob, path, matches):
    """`**/` is any number of folders, `*` and `?` stay inside a name, nothing else is special."""
    assert glob_matches(split_glob(glob), path) is matches


MEANS = {"**/": "(?:[^/]*/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def by_expression(glob, path):
    return re.fullmatch("".join(MEANS.get(part) or re.escape(part) for part in split_glob(glob)), path) is not None


@given(st.text("ab/*?", max_size=8), st.text("ab/\n", max_size=8))
def test_a_glob_matches_what_its_expression_matches(glob, path):
    """The meaning is that of the regular expression that pi-condense makes of it."""
    assert glob_matches(split_glob(glob), path) is by_expression(glob, path)


def test_a_path_of_twenty_thousand_characters_takes_no_minute():
    """A path of `skills/` again and again made the expression try every split."""
    start = time.process_time()
    assert not glob_matches(split_glob("**/skills/**/**/*/**/*.md"), "skills/" * 3000)
    assert time.process_time() - start < 2
