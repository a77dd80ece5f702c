"""The message that stands for a chain."""

import json

import pytest
from condense_cli.jsonbytes.javascript import UNDEFINED
from condense_cli.pi_condense.compact.body import Brief
from condense_cli.pi_condense.compact.stand_in import is_stand_in, marks, stand_in_text
from condense_cli.session.opened import open_session

BRIEFS = [Brief("a", "bash", 1793527201000, {"command": "ls"}), Brief("b", "read", 1793527203500, {"path": "x"})]


def test_the_text_has_the_form_of_pi_condense():
    """A tag with block and references around seven lines; the first names the tool that gives outputs back."""
    assert stand_in_text("b2", ["t4", "t5"], BRIEFS).split("\n") == [
        '<compressed-chain id="b2" tools="t4,t5">',
        "These tool calls were compacted. Ask for their whole outputs by reference: tool `query` of the MCP server condense, or the command `condense query REF`.",
        "Calls: 2",
        "Tools: bash x1, read x1",
        "Span: 2026-11-01T10:00:01.000Z -> 2026-11-01T10:00:03.500Z (3s)",
        'First: bash {"command":"ls"}',
        'Last: read {"path":"x"}',
        "Refs: t4, t5",
        "</compressed-chain>",
    ]


def test_without_times_the_order_of_the_session_counts():
    """The line of the times says that they are unknown."""
    lines = stand_in_text("b1", ["t1", "t2"], [brief._replace(time=UNDEFINED) for brief in BRIEFS]).split("\n")

    assert lines[4:7] == ["Span: unknown", 'First: bash {"command":"ls"}', 'Last: read {"path":"x"}']


@pytest.fixture
def opened(tmp_path):
    sessions = []

    def open_messages(*contents):
        path = tmp_path / f"{len(sessions)}.json"
        messages = [{"role": "system", "content": "Be brief."}, *({"role": "user", "content": content} for content in contents)]
        path.write_text(json.dumps(messages))
        sessions.append(open_session(str(path)))
        return sessions[-1].document

    yield open_messages
    for session in sessions:
        session.close()


def test_stand_ins_are_found_again(opened):
    """By their bytes, with the numbers of block and references; a number that is none does not stop the search."""
    document = opened("hello", stand_in_text("b2", ["t4", "t5"], BRIEFS), 'compressed-chain id="b99999999999999999999" tools="t1"', 'x compressed-chain id="b7" tools="t' + "9" * 5000 + '"')

    assert [(document.index(mark.record), mark.block, mark.refs) for mark in marks(document)] == [(2, 2, (4, 5)), (4, 7, ())]


@pytest.mark.parametrize(("text", "found"), [("<compressed-chain id=", True), (" \n<compressed-chain", True), ("see <compressed-chain", False), ("", False)])
def test_only_the_beginning_of_a_message_makes_it_a_stand_in(opened, text, found):
    """White space in front does not count; a text that mentions one is none."""
    document = opened(text)

    assert is_stand_in(document, document.records[1].message) is found
