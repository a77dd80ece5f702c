"""Words that name a session: a path, an id or the start of one, @last."""

import os

import pytest
from condense_cli.errors import UnreadableError, UsageError
from condense_cli.session import named
from condense_cli.storage.clients.claude_code import claude_folder
from condense_cli.storage.clients.pi import pi_folder

ONE, TWO = "3f2a0b1c-0000-4000-8000-000000000001", "3f2b0b1c-0000-4000-8000-000000000002"
THREE = "0199b0b1-0000-7000-8000-000000000003"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with two sessions of Claude Code and one of pi, the last one the newest."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    claude = tmp_path / ".claude" / "projects" / claude_folder(str(work))
    pi = tmp_path / ".pi" / "agent" / "sessions" / pi_folder(str(work))
    for place in (claude, pi):
        place.mkdir(parents=True)
    paths = [claude / f"{ONE}.jsonl", claude / f"{TWO}.jsonl", pi / "2026-01-01T00-00-00-000Z_5e551011.jsonl"]
    for number, path in enumerate(paths):
        path.write_text("{}\n")
        os.utime(path, (1000 + number, 1000 + number))
    return {"HOME": str(tmp_path)}, str(work), [str(path) for path in paths]


@pytest.mark.parametrize(("word", "number"), [("3f2a", 0), ("3F2B0b", 1), (TWO, 1), ("5e55", 2), ("@last", 2), ("2026-01-01T00-00-00-000Z_5e551011", 2)])
def test_an_id_and_its_start_name_a_session(home, word, number):
    """Wherever the client keeps it, in any case of letters."""
    environment, work, paths = home
    found = named.find(word, work, environment)

    assert found.path == paths[number]
    assert found.client == ("pi" if number == 2 else "claude-code")
    assert found.how


def test_a_start_of_several_ids_lists_them(home):
    """It is a usage error that names each of them with its client."""
    environment, work, _ = home
    with pytest.raises(UsageError) as problem:
        named.find("3f2", work, environment)

    assert "2 sessions" in problem.value.problem
    assert all(one in problem.value.advice for one in (ONE, TWO, "claude-code"))


def test_an_id_that_starts_another_one_is_itself(home):
    """The whole id wins over ids that only start with it."""
    environment, work, paths = home
    for name in ("main", "main-2"):
        with open(paths[0].replace(ONE, name), "w", encoding="utf-8") as file:
            file.write("{}\n")

    assert named.find("main", work, environment).path == paths[0].replace(ONE, "main")
    with pytest.raises(UsageError):
        named.find("mai", work, environment)


@pytest.mark.parametrize("word", ["./3f2a", "a/b", "3f2a.jsonl", "-", "a b", "*.jsonl"])
def test_everything_else_is_a_path(home, word):
    """What cannot be an id is left as it is."""
    environment, work, _ = home
    assert named.find(word, work, environment) == named.Named(word)


def test_a_file_comes_before_an_id(home):
    """A file of that name is meant."""
    environment, work, _ = home
    with open("3f2a", "w", encoding="utf-8") as file:
        file.write("{}\n")
    assert named.find("3f2a", work, environment) == named.Named("3f2a")


def test_nothing_found_is_unreadable(home):
    """An id that no session has, and a folder without sessions."""
    environment, work, _ = home
    for word, where in (("abcdef", work), ("@last", "/nowhere")):
        with pytest.raises(UnreadableError):
            named.find(word, where, environment)


def test_a_session_in_two_files_is_its_newest(home, tmp_path):
    """Codex goes on with a thread in another file: the id of the thread means the last one."""
    environment, work, _ = home
    day = tmp_path / ".codex" / "sessions" / "2026" / "01" / "02"
    day.mkdir(parents=True)
    paths = [day / f"rollout-2026-01-02T03-04-05-{THREE}.jsonl", day / f"rollout-2026-01-02T04-04-05-{THREE}_{TWO}.jsonl"]
    for number, path in enumerate(paths):
        path.write_text("{}\n")
        os.utime(path, (2000 + number, 2000 + number))

    assert named.find(THREE[:6], work, environment).path == str(paths[1])
