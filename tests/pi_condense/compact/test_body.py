"""The text that stands for a chain."""

from condense_cli.pi_condense.compact.body import body_text, brief_of, has_dates, tools_of


def record(time, tool="bash", arguments=None, call_id="c"):
    return brief_of({"toolCallId": call_id, "toolName": tool, "args": arguments or {}, "timestamp": 9, "resultTimestamp": time})


def test_first_and_last_go_by_time():
    """The span is that of the outer results, seconds are rounded, the order of the list does not matter."""
    lines = body_text([record(2600, "read"), record(1000, "bash", {"n": 1})], ["t4", "t2"]).split("\n")

    assert lines[1:] == [
        "Calls: 2",
        "Tools: bash x1, read x1",
        "Span: 1970-01-01T00:00:01.000Z -> 1970-01-01T00:00:02.600Z (2s)",
        'First: bash {"n":1}',
        "Last: read {}",
        "Refs: t4, t2",
    ]


def test_without_references_the_ids_are_named():
    """Records of old sessions may have no reference: their bare ids are in the list."""
    assert body_text([record(1, call_id="a"), record(1, call_id="b")], []).endswith("Refs: a, b")


def test_long_arguments_are_cut_at_200_units():
    """A pair of surrogates may be cut in two, as JavaScript does."""
    line = body_text([record(1, arguments={"p": "x" * 193 + "😀😀"})], []).split("\n")[-3]

    assert line == 'First: bash {"p":"' + "x" * 193 + "\ud83d..."


def test_tools_go_by_count_then_name():
    """The most used first; equal counts in the order of the locale, not of code points."""
    assert tools_of(["b", "_x", "Read", "read", "a10", "a2", "b"]) == "b x2, _x x1, a10 x1, a2 x1, read x1, Read x1"


def test_a_time_that_is_no_date_is_noticed():
    """Such a chain is left alone: the original would fail in the middle of its work."""
    assert has_dates([record(8.64e15)])
    assert not has_dates([record(8.64e15 + 2)])
    assert not has_dates([record("soon")])
