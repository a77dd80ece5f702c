"""Parts of a data set: what is counted, found and written."""

import json

import pytest
from condense_cli.dataset.task import Work, run
from condense_cli.storage.rows import parts_of
from tests.dataset.rows import GOOD, asks, call, chat, lines, result

BROKEN = chat(asks(call("c1")))


PLAIN = Work()


def outcomes(path, work=PLAIN, size=1 << 20):
    """The outcomes of all parts of a file."""
    return [run(part, work) for part in parts_of(str(path), size)]


def test_every_row_is_in_one_part(tmp_path):
    """However a file is cut, its lines are read once each, and in order."""
    path = tmp_path / "rows.jsonl"
    rows = [{"id": n, "messages": BROKEN if n % 3 == 0 else GOOD} for n in range(50)]
    path.write_bytes(lines(*rows).replace(b"\n", b"\n\n", 3))
    for size in (1, 7, 100, 333, 1000, 1 << 20):
        found = outcomes(path, Work(findings=True), size)
        assert sum(o.rows for o in found) == 50
        assert [f.id for o in found for f in o.found] == [str(n) for n in range(0, 50, 3)]


def test_rows_are_counted(tmp_path):
    """Conversations, broken ones, and rows that are not understood."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(lines({"messages": GOOD}, {"messages": BROKEN}, {"text": "x"}) + b"{torn\n")
    (found,) = outcomes(path)

    assert (found.rows, found.broken, found.unreadable, found.rules) == (4, 1, 2, {"unanswered-call": 1})


@pytest.mark.parametrize("drop", [False, True])
def test_rows_are_written_as_they_were_but_for_broken_ones(tmp_path, drop):
    """Sound rows keep their bytes, odd ones too; of a broken row only the array of turns changes."""
    path = tmp_path / "rows.jsonl"
    odd = b'{ "text" : "x\\u0041" }\n'
    good = b'{"messages": %s ,  "score":1.50}\n' % json.dumps(GOOD).encode()
    path.write_bytes(good + odd + b'{"id": 7, "messages": %s, "score": 2.50}\n' % json.dumps(BROKEN).encode())
    (found,) = outcomes(path, Work(fix=True, drop=drop))

    if drop:
        assert b"".join(found.written) == good
        return
    assert found.written[:2] == (good, odd)
    new = found.written[2]
    assert new.startswith(b'{"id": 7, "messages": [{"role": "user", "content": "List the files."}, ')
    assert new.endswith(b'], "score": 2.50}\n')
    assert len(json.loads(new)["messages"]) == len(BROKEN) + 1


def test_a_document_may_be_one_conversation_or_a_list_of_rows(tmp_path):
    """An array of messages is one row, an array of objects that hold messages is one row each."""
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"messages": GOOD}, {"messages": BROKEN}], indent=1))
    assert [(o.rows, o.broken) for o in outcomes(path)] == [(2, 1)]
    path.write_text(json.dumps(GOOD))
    assert [(o.rows, o.broken) for o in outcomes(path)] == [(1, 0)]


def test_a_result_in_a_json_string_is_repaired_in_its_string(tmp_path):
    """A column that holds JSON text holds JSON text afterwards."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(lines({"messages": json.dumps(chat(result("c9")))}))
    (found,) = outcomes(path, Work(fix=True))

    assert json.loads(json.loads(found.written[0])["messages"]) == chat()
