"""The smallest file: the same finding, never larger, nothing of the session's words."""

import json
from pathlib import Path

import pytest
from condense_cli.errors import UsageError
from condense_cli.minimize.run import minimize
from condense_cli.minimize.target import findings, mark_of, worst
from condense_cli.minimize.vocabulary import vocabulary
from condense_cli.session.opened import open_session
from tests.conversations import FORMATS, chains, written

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
ABOUT_STRINGS = frozenset({"invalid-image", "oversized-media", "media-type-mismatch", "too-many-media", "invalid-document", "hidden-history"})
OF_A_MODEL = frozenset({"unsigned-thinking"})  # Bedrock's models mind different things: the model's name stays
SECRET = "Hunter2Tango"


def cases():
    """The broken sessions that are at hand: those of the fixtures, and the shared ones where they are."""
    found = [*(ROOT / "fixtures").rglob("*.jsonl"), *(ROOT / "fixtures").rglob("*.json")]
    for name in ("cases", "field"):
        found += [path for path in sorted((SHARED / name).glob("*.json*")) if not path.name.startswith(("EXPECT", "none"))]
    return [path for path in found if 0 < path.stat().st_size < 60_000 and _worst(path)]


def _worst(path):
    try:
        with open_session(str(path)) as session:
            return worst(findings(session.document, session.format.contract), None)
    except Exception:  # noqa: BLE001 - no session
        return None


def made_of(path, **options):
    with open_session(str(path)) as session:
        return minimize(session.document, path.read_bytes(), str(path), **options)


CASES = cases()


SOME = [case if n % 4 == 0 else pytest.param(case, marks=pytest.mark.slow) for n, case in enumerate(CASES)]


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.name)
def test_the_same_finding_in_a_smaller_file(path, tmp_path):
    """The same rule, variant and answers, as a check of the written file finds them; not one byte more."""
    made = made_of(path)
    assert len(made.data) <= path.stat().st_size
    new = tmp_path / path.name
    new.write_bytes(made.data)
    with open_session(str(path)) as session:
        contract = session.format.contract
        wanted = mark_of(worst(findings(session.document, contract), None), contract)
    with open_session(str(new)) as session:
        assert wanted in [mark_of(finding, contract) for finding in findings(session.document, contract)]
    assert made.stayed == 0 or made.finding.rule in ABOUT_STRINGS | OF_A_MODEL


def test_there_are_cases():
    """The test above has something to do."""
    assert len(CASES) > 5


def planted(value, inside=""):
    """Put the secret into every text that is no word of the format, and into names of fields of arguments."""
    if isinstance(value, dict):
        return {key: planted(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [planted(item, inside) for item in value]
    if isinstance(value, str) and value.startswith("{"):
        return value.replace("cat", f"cat {SECRET}")
    if isinstance(value, str) and value not in vocabulary() and not inside.lower().endswith(("id", "timestamp")):
        return f"{value} {SECRET}" if " " in value or inside in ("text", "content", "cwd", "command") else value + SECRET
    return value


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_planted_secret_is_gone(tmp_path, name):
    """From every field, in a session with a finding that stays."""
    path = written(tmp_path, name, [*chains(2), ("says", None, [("call_x", "cat secret")]), ("user", "go on"), ("says", "done", [])])
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_bytes().splitlines()]
        path.write_text("".join(json.dumps(planted(row)) + "\n" for row in rows))
    else:
        path.write_text(json.dumps(planted(json.loads(path.read_bytes()))))
    assert SECRET in path.read_text()
    made = made_of(path)
    assert SECRET.lower() not in made.data.decode().lower()
    assert made.finding.rule == "unanswered-call"
    assert made.records[1] < made.records[0]
    for word in ("secret", "Question", "Looking", "Answer", "shop", "cat"):
        assert word not in made.data.decode()


def test_secrets_in_torn_lines_are_gone(tmp_path):
    """Where a record is cut off inside a text, and where lines are joined."""
    path = written(tmp_path, "claude-code", chains(2))
    lines = path.read_bytes().splitlines(keepends=True)
    cut = next(line for line in lines if b"output 0 0" in line).replace(b"output 0 0", SECRET.encode())
    path.write_bytes(b"".join(lines[:2]) + cut[: cut.index(SECRET.encode()) + 20] + b"".join(lines[3:]) + lines[4][:-30].replace(b"Looking", SECRET.encode()))
    made = made_of(path)
    assert SECRET.lower().encode() not in made.data.lower()


def test_a_sound_session_has_nothing_to_show(tmp_path):
    """Nor a rule that is not broken."""
    path = written(tmp_path, "claude-code", chains(2))
    with pytest.raises(UsageError, match="no finding"):
        made_of(path)
    with pytest.raises(UsageError, match="no finding of bom"):
        made_of(path, rule="bom")


def test_the_same_file_twice_gives_the_same_bytes(tmp_path):
    """Nothing is left to chance."""
    path = written(tmp_path, "claude-code", chains(3))
    path.write_bytes(path.read_bytes()[:-50])
    assert made_of(path).data == made_of(path).data
