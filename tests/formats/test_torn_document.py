"""Documents that break off: what is kept, wherever the cut is, and who may be read so."""

import json
from pathlib import Path

import pytest
from condense_cli.cli import run
from condense_cli.document.memory import BytesInMemory
from condense_cli.errors import UnreadableError
from condense_cli.formats.read import read_document
from condense_cli.formats.torn_document import beginning
from condense_cli.model.plan import apply
from condense_cli.repair.engine import Choice, make_plan
from tests.strategies import condense

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
STORE = (SESSIONS / "cline" / "healthy.json").read_bytes()
TASK = (SESSIONS / "roo" / "healthy.json").read_bytes()


def shapes():
    """A document and a list, on one line and indented."""
    for data in (STORE, TASK):
        value = json.loads(data)
        yield json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        yield json.dumps(value, ensure_ascii=False, indent=2).encode()


SHAPES = list(shapes())


def repaired(data, name="auto"):
    document = read_document("session.json", BytesInMemory(data), name)
    plan = make_plan(document, Choice())
    return b"".join(apply(plan.segments, document.source)), plan


def messages(value):
    return value["messages"] if isinstance(value, dict) else value


@pytest.mark.parametrize("whole", SHAPES)
def test_every_whole_message_before_the_cut_is_kept(whole):
    """Wherever a file breaks off: the messages before the cut, byte for byte, and nothing that was not there."""
    wanted = messages(json.loads(whole))
    kept = set()
    for cut in range(0, len(whole) - 1, 61):
        found = beginning(whole[:cut], 0)
        listed = messages(found.value) if found is not None and (isinstance(found.value, list) or "messages" in found.value) else []
        kept.add(len(listed))
        assert listed == wanted[: len(listed)]
        if found is not None:
            assert whole.startswith(whole[: found.end])
            assert json.loads(whole[: found.end] + found.closing) == found.value
        if len(listed) < len(wanted):
            assert json.dumps(wanted[len(listed)], ensure_ascii=False, separators=(",", ":")).encode() not in whole[:cut]
    assert kept == set(range(len(wanted) + isinstance(json.loads(whole), dict))) | {0}


@pytest.mark.parametrize("whole", SHAPES)
@pytest.mark.parametrize("part", [0.45, 0.6, 0.75, 0.99])
def test_a_repair_closes_the_document(whole, part):
    """One finding and one edit, and a second repair has nothing to do."""
    data = whole[: int(len(whole) * part)]

    new, plan = repaired(data)

    assert [finding.rule for finding in plan.findings if str(finding.severity) == "error"] == ["torn-tail"]
    assert messages(json.loads(new)) == messages(json.loads(whole))[: len(messages(json.loads(new)))]
    assert len(messages(json.loads(new))) >= 2
    assert repaired(new)[1].changes is False


@pytest.mark.parametrize("rest", [b"\0" * 40, b'"}]}', b"]\n}", b"{", b"\0\0\n\0"])
@pytest.mark.parametrize("whole", SHAPES)
def test_what_comes_after_a_whole_document_goes(whole, rest):
    """NULs of a power cut, or the end of a longer session that was there before."""
    new, plan = repaired(whole + rest)

    assert new == whole
    assert [finding.rule for finding in plan.findings] == ["nul-bytes" if not rest.strip(b"\0\n") else "torn-tail"]


@pytest.mark.parametrize("data", [STORE[:400], b'{"version":1,"sessionId":"a","updated_at":"x","mess', b"[", b"[{", b""])
def test_without_a_whole_message_nothing_is_read(data):
    """There is nothing to keep: the file is refused as any other that breaks off."""
    with pytest.raises(UnreadableError):
        read_document("session.json", BytesInMemory(data))


def test_only_these_clients_are_read_so():
    """A torn array of an API is refused as before, whatever is asked for."""
    array = (SESSIONS / "anthropic" / "healthy.json").read_bytes()
    for name in ("auto", "anthropic", "openai-chat"):
        with pytest.raises(UnreadableError):
            read_document("session.json", BytesInMemory(array[:-200]), name)
    with pytest.raises(UnreadableError):
        read_document("session.json", BytesInMemory(STORE[:-200]), "anthropic")
    assert read_document("session.json", BytesInMemory(STORE[:-200]), "cline").torn is not None


def test_damage_in_the_middle_is_not_cut_off():
    """A document that ends as it should and is none in between is refused: cutting it there would lose what follows."""
    with pytest.raises(UnreadableError):
        read_document("session.json", BytesInMemory(STORE.replace(b'"role": "assistant",', b'"role" "assistant",', 1)))


def test_in_place_with_undo(tmp_path, monkeypatch, capsys):
    """The file is replaced, the command that goes on is named, and `undo` brings every byte back."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "1793527200000_shop1"
    folder.mkdir()
    path = folder / "1793527200000_shop1.messages.json"
    torn = STORE[: STORE.index(b"Still 14.")]
    path.write_bytes(torn)

    assert run(["check", str(path)]) == 1
    assert run(["repair", "-i", "--force", str(path)]) == 0
    assert "cline --id 1793527200000_shop1" in capsys.readouterr().err
    assert len(json.loads(path.read_bytes())["messages"]) == 8
    assert run(["undo", "--last", "--force"]) == 0
    assert path.read_bytes() == torn


def test_whoever_ignores_the_rule_keeps_the_bytes(tmp_path):
    """`--ignore torn-tail` repairs what is whole and leaves the end as it is."""
    path = tmp_path / "a.json"
    value = json.loads(STORE)
    value["messages"].insert(5, {"id": "x", "role": "user", "content": [{"type": "tool_result", "tool_use_id": "no", "name": "a", "content": "b"}]})
    whole = json.dumps(value, indent=2, ensure_ascii=False).encode()
    path.write_bytes(whole[:-300])

    assert condense("repair", "--ignore", "torn-tail", path, "-o", tmp_path / "new").code == 0
    new = (tmp_path / "new").read_bytes()
    assert new.endswith(whole[-600:-300])
    assert b'"no"' not in new
