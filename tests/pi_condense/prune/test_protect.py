"""The globs of protected paths."""

import pytest
from condense_cli.pi_condense.prune.protect import glob_pattern


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
    assert bool(glob_pattern(glob).fullmatch(path)) is matches
