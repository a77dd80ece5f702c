"""Which record a Claude Code record means by an id that several have."""

import json

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.claude_code.chain import Chain
from condense_cli.formats.read import read_document


def uuid(n):
    """An id."""
    return f"00000000-0000-4000-8000-{n:012x}"


def record(n, parent, text):
    """A user's record."""
    more = {"sessionId": uuid(99), "isSidechain": False, "version": "2.1.0", "timestamp": "2026-11-01T10:00:00.000Z"}
    value = {"parentUuid": parent and uuid(parent), "type": "user", "message": {"role": "user", "content": text}, "uuid": uuid(n), **more}
    return json.dumps(value).encode() + b"\n"


def test_of_several_owners_the_nearest_one_above_is_meant():
    """Above all of them it is the last one; a copy, byte for byte, is none."""
    lines = [record(3, 1, "before"), record(1, None, "a"), record(1, None, "b"), record(4, 1, "x"), record(1, None, "a"), record(1, None, "c"), record(5, 1, "y"), record(1, None, "b")]
    document = read_document("s.jsonl", BytesInMemory(b"".join(lines)), "claude-code")
    chain = Chain(document)
    parents = {child: chain.parent(document.records[child]) for child in (0, 3, 6)}

    assert [twin.line for twin in chain.same_id[uuid(1)]] == [2, 3, 6]
    assert {child: parent.line for child, parent in parents.items()} == {0: 6, 3: 3, 6: 6}
    assert len(chain.records) == len(lines) - 2


def test_the_bytes_of_many_records_with_one_id_are_read_once_each(monkeypatch):
    """Each is compared with all before it at once."""
    document = read_document("s.jsonl", BytesInMemory(b"".join(record(1, None, f"text {n}") for n in range(50))), "claude-code")
    asked = []
    raw = document.raw
    monkeypatch.setattr(document, "raw", lambda one: asked.append(one) or raw(one))
    Chain(document)

    assert len(asked) == 50


@pytest.mark.parametrize("parents", [[], [None], [None, 1, 2, 3], [None, 1, 1, 3], [None, None, 2, 3], [6, 1, 2], [2, 1, 2]], ids=str)
@pytest.mark.parametrize("others", [[], [1], [2, 3]], ids=str)
def test_a_chain_without_branches_is_known_as_one(parents, others):
    """Its leaf, path and ends are those that a walk from record to record finds, whatever other records are in it."""
    lines = [record(n, parent, "x") for n, parent in enumerate(parents, 1)]
    for n in (n for n in others if n < len(lines)):
        lines[n] = lines[n].replace(b'"type": "user", "message"', b'"type": "progress", "data"')
    document = read_document("s.jsonl", BytesInMemory(b"".join([record(90, None, "first"), *lines])), "claude-code")
    document.records[:1] = []
    quick, walked = Chain(document), Chain(document)
    walked._straight = False

    assert quick._straight is (parents in ([None], [None, 1, 2, 3]))
    assert quick.leaf() is walked.leaf()
    assert quick.path(quick.leaf()) == walked.path(quick.leaf())
    assert quick.ends(sidechain=False) == walked.ends(sidechain=False)
    assert quick.ends(sidechain=True) == walked.ends(sidechain=True)
