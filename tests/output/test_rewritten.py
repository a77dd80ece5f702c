"""What compaction into a new file is told, for people and as JSON."""

import io
import json

from condense_cli.model.messages import Record, Result
from condense_cli.output import rewritten
from condense_cli.pi_condense.compact.chains import Standing
from condense_cli.pi_condense.compact.rewrite import ChainRewrite, Kept, Rewriting
from condense_cli.pi_condense.compact.run import Why

RECORD = Record(1, 0, 0)
KEPT = tuple(Kept(f"t{n}", Result(RECORD, 0, "x")) for n in (1, 2))
ROWS = (
    ChainRewrite(1, Standing.ELIGIBLE, "b1", calls=2, tools="bash x2", saved=120, kept=KEPT, gone=(RECORD, RECORD)),
    ChainRewrite(4, Standing.ELIGIBLE, "b2", calls=1, tools="a\x1b[31m x1", saved=-3, kept=(Kept("t3", KEPT[0].result),), gone=(RECORD,)),
    ChainRewrite(7, Standing.ELIGIBLE, why=Why.UNSAFE, detail="its outputs are protected", calls=1, tools="read x1"),
    ChainRewrite(9, Standing.TOOLLESS),
    ChainRewrite(11, Standing.COMPRESSED),
    ChainRewrite(13, Standing.RECENT, calls=1, tools="bash x1"),
)
DONE = Rewriting(ROWS, (), 1000, 883)


def table(rewriting):
    stream = io.StringIO()
    rewritten.write_rows(rewriting, stream)
    return stream.getvalue().splitlines()


def test_each_chain_with_calls_has_a_line():
    """What it saves with its references, or why it is left alone; nothing in a tool's name steers a terminal."""
    lines = table(DONE)

    assert [line.split()[:2] for line in lines[:-1]] == [["line", "chain"], ["1", "b1"], ["4", "b2"], ["7", "-"], ["11", "-"], ["13", "-"]]
    assert "+120  t1-t2" in lines[1] and lines[2].endswith("-3  t3; grows") and "\x1b" not in lines[2]
    assert lines[3].endswith("left alone: its outputs are protected") and lines[4].endswith("compressed before") and lines[5].endswith("too recent (--window)")
    assert lines[-1] == "2 chains compressed: 1000 -> 883 characters, 117 saved; 3 records leave the session"


def test_messages_of_an_array_are_numbered():
    """The first column then counts messages, from 0."""
    lines = table(DONE._replace(rows=tuple(row._replace(index=row.line - 1) for row in ROWS)))

    assert [line.split()[0] for line in lines[:2]] == ["message", "0"]


def test_the_object_names_lines_and_references():
    """All chains are in it, those without calls as well."""
    value = json.loads(rewritten.document(DONE, rewritten.Outcome("s.jsonl", "codex", True, "new.jsonl.condense")))

    assert [(c["line"], c["blockId"], c["standing"], c["reason"], c["savedChars"]) for c in value["chains"]] == [
        (1, "b1", "eligible", None, 120),
        (4, "b2", "eligible", None, -3),
        (7, None, "eligible", "unsafe", None),
        (9, None, "no-calls", None, None),
        (11, None, "already-compressed", None, None),
        (13, None, "window", None, None),
    ]
    assert (value["changes"], value["written"], value["sidecar"], value["removed"]) == (True, True, "new.jsonl.condense", 3)
