"""What may be looked at from a folder, and what not."""

import os

import pytest
from condense_cli.errors import CondenseError, UnreadableError, UsageError
from condense_cli.lookup import scope as module
from condense_cli.lookup.scope import Scope
from condense_cli.storage.clients.claude_code import claude_folder
from tests.conversations import SESSION, chains, written


@pytest.fixture
def places(tmp_path):
    """A project with a file in it, its session in a store, another project's session, a file outside."""
    project, store = tmp_path / "project", tmp_path / "home" / ".claude" / "projects"
    for folder in (project / "sub", store / claude_folder(str(project)), store / "-other", tmp_path / "outside"):
        folder.mkdir(parents=True)
    made = {
        "file": written(project / "sub", "openai-chat", chains(1)),
        "own": written(store / claude_folder(str(project)), "claude-code", chains(1)).rename(store / claude_folder(str(project)) / f"{SESSION}.jsonl"),
        "other": written(store / "-other", "claude-code", chains(1)),
        "outside": written(tmp_path / "outside", "claude-code", chains(1)),
    }
    return Scope.of(str(project), {"HOME": str(tmp_path / "home")}), made, project


def test_files_below_the_folder_and_sessions_of_the_project(places):
    """By path from the folder, by absolute path, by id and its start, the newest."""
    scope, made, _ = places
    assert scope.path("sub/" + made["file"].name) == str(made["file"])
    for word in (None, "@last", SESSION, SESSION[:6].upper(), str(made["own"])):
        assert scope.path(word) == str(made["own"])
        with scope.open(word) as session:
            assert session.records


@pytest.mark.parametrize("which", ["other", "outside"])
def test_what_is_outside_is_refused(places, which):
    """By its path, by one that climbs, by its id, and through links to the file or a folder."""
    scope, made, project = places
    target = made[which]
    (project / "link.jsonl").symlink_to(target)
    (project / "folder").symlink_to(target.parent)
    (project / "hop").symlink_to("link.jsonl")
    words = [str(target), os.path.relpath(target, project), "link.jsonl", f"folder/{target.name}", "hop", f"sub/../../{target.relative_to(project.parent)}", "/proc/self/environ", "/etc/passwd"]
    said = set()
    for word in words:
        with pytest.raises(UsageError) as refused:
            scope.open(word)
        said.add(refused.value.problem)
        assert target.name not in refused.value.problem
    assert len(said) == 1


def test_a_missing_file_outside_is_refused_like_one_that_is_there(places):
    """Nothing is told of what there is outside."""
    scope, made, _ = places
    with pytest.raises(UsageError) as missing:
        scope.open(str(made["outside"]) + ".not")
    with pytest.raises(UsageError) as there:
        scope.open(str(made["outside"]))
    assert str(missing.value) == str(there.value)


def test_a_link_in_the_store_is_no_session_of_the_project(places):
    """Nor are outputs read through a link beside a session."""
    scope, made, project = places
    (made["own"].parent / "11111111-0000-4000-8000-000000000000.jsonl").symlink_to(made["outside"])
    with pytest.raises(UnreadableError):
        scope.open("11111111")
    (project / "sub" / (made["file"].name + ".condense")).symlink_to(made["outside"])
    with pytest.raises(UsageError):
        scope.open(str(made["file"]))


def test_one_that_is_exchanged_for_a_link_meanwhile_is_refused(places, monkeypatch):
    """What was opened is what counts."""
    scope, made, _ = places
    monkeypatch.setattr(Scope, "path", lambda *_: str(made["outside"]))
    with pytest.raises(UsageError):
        scope.open("x")


@pytest.mark.parametrize("word", ["", "\0", "a\0b", "x" * 5000, "nothing-has-this-id", "sub", "@first", "~root/x", "-"])
def test_odd_words_are_refused(places, word):
    """With an error that has advice."""
    with pytest.raises(CondenseError):
        places[0].open(word)


def test_a_huge_file_is_refused(places, monkeypatch):
    """Before it is read."""
    scope, made, _ = places
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    for word in (str(made["file"]), str(made["own"]), None):
        with pytest.raises(CondenseError):
            scope.open(word)
