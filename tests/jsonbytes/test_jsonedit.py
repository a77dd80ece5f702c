"""JSON as bytes: what is found, and that an edit changes one value and no other byte."""

import copy
import json

import pytest
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law

PRETTY = b'{\r\n  "a": [\r\n    1,\r\n    2.50\r\n  ],\r\n  "b": {"c": null}\r\n}\r\n'


# ---------------------------------------------------------------------- reading
@pytest.mark.parametrize(
    ("raw", "value", "fault"),
    [
        pytest.param(b'{"a":1}', {"a": 1}, "", id="plain"),
        pytest.param(b' {"a":1} \r\n', {"a": 1}, "", id="white space around it"),
        pytest.param(b'{"a":"\\ud83d"}', {"a": "\ud83d"}, "lone-surrogate", id="an escaped half"),
        pytest.param(b'{"\\udc00":1}', {"\udc00": 1}, "lone-surrogate", id="an escaped half in a key"),
        pytest.param(b'{"a":"\\ud83d\\ude00"}', {"a": "\U0001f600"}, "", id="a whole pair"),
        pytest.param(b'{"a":"\\\\ud83d"}', {"a": "\\ud83d"}, "", id="an escaped backslash"),
        pytest.param(b'{"a":"\xed\xa0\xbd"}', {"a": "\ud83d"}, "lone-surrogate", id="a raw half"),
        pytest.param(b'{"a":"\xff"}', {"a": "\ufffd"}, "invalid-utf8", id="not UTF-8"),
        pytest.param(b'{"a":"\\u0000"}', {"a": "\0"}, "", id="an escaped NUL"),
        pytest.param(b'{"a":123456789012345678901234567890}', {"a": 123456789012345678901234567890}, "", id="a long number"),
        pytest.param(b"[" * 100_000 + b"]" * 100_000, None, None, id="too deep"),
        pytest.param(b'{"a":NaN}', None, None, id="NaN"),
        pytest.param(b'\xef\xbb\xbf{"a":1}', None, None, id="a byte order mark"),
        pytest.param(b'{"a":1', None, None, id="cut"),
        pytest.param(b"", None, None, id="nothing"),
        pytest.param(b'{"a":1}{"b":2}', None, None, id="two values"),
        pytest.param(b'{"a":"\n"}', None, None, id="a raw line feed in a string"),
    ],
)
def test_parse(raw, value, fault):
    """What the clients' parsers read is read, with what had to be forgiven; what they refuse is None."""
    found = jsonread.parse(raw)

    if fault is None:
        assert found is None
        with pytest.raises(ValueError, match="not JSON"):
            jsonread.loads(raw)
    elif fault or "1234" not in str(raw):
        assert (found.value, found.fault) == (value, fault)
        assert jsonread.loads(raw) == value
    else:
        assert found.value["a"] == pytest.approx(value["a"])  # never written back, so a float will do


def test_strings_are_all_found():
    """Keys and values on every level, and a half of a pair in any of them."""
    value = {"a": ["b", {"c": ["d"]}], "e": 1}

    assert sorted(jsonread.strings(value)) == ["a", "b", "c", "d", "e"]
    assert not jsonread.holds_surrogate(value)
    assert jsonread.holds_surrogate([{"x\ud800": 1}])


# ---------------------------------------------------------------------- finding
@pytest.mark.parametrize(
    ("raw", "path", "text"),
    [
        (b' {"a": 1 , "b":[true ,"x"]}', ("a",), b"1"),
        (b' {"a": 1 , "b":[true ,"x"]}', ("b", 1), b'"x"'),
        (b' {"a": 1 , "b":[true ,"x"]}', ("b", -1), b'"x"'),
        (b' {"a": 1 , "b":[true ,"x"]}', (), b'{"a": 1 , "b":[true ,"x"]}'),
        (PRETTY, ("a", 1), b"2.50"),
        (PRETTY, ("b", "c"), b"null"),
        (PRETTY, ("b",), b'{"c": null}'),
        (b'{"a":1,"a":{"b":2}}', ("a", "b"), b"2"),
        (b'{"a":{"b":1},"a":2}', ("a", "b"), None),
        (b'{"\\u0061":1}', ("a",), b"1"),
        (b'{"a\\"b":1}', ('a"b',), b"1"),
        (b'{"\\ud800":1}', ("\ud800",), b"1"),
        (b'{"a":"]},{","b":1}', ("b",), b"1"),
        (b'{"a":"\\\\","b":"\\""}', ("b",), b'"\\""'),
        (b'{"a":1}', ("b",), None),
        (b'{"a":1}', (0,), None),
        (b"[1]", ("a",), None),
        (b"[1]", (1,), None),
        (b"[1]", (-2,), None),
        (b"[]", (0,), None),
        (b"{}", ("a",), None),
        (b"1", ("a",), None),
        (b"[-1.5e+3 ]", (0,), b"-1.5e+3"),
        (b"[[[]],{}]", (0, 0), b"[]"),
    ],
)
def test_span(raw, path, text):
    """A value's bytes are found by keys and indexes; of a repeated key the last counts, as for every parser."""
    found = jsonspan.span(raw, path)

    assert (raw[found[0] : found[1]] if found else None) == text


@pytest.mark.parametrize("raw", [b'"abc', b"{", b'{"a":[}', b"[1", b"]", b""])
def test_a_value_without_an_end_is_an_error(raw):
    """The end of a torn value is never guessed."""
    with pytest.raises(ValueError, match=r"end|no value"):
        jsonspan.value_end(raw, 0)


def test_members_and_elements():
    """Places are those of the whole text; what is no container has none."""
    raw = b'x{ "a" : 1, "b":[2 , 3]}'
    inside = jsonspan.members(raw, 1)

    assert [(m.key, raw[m.key_start : m.start], raw[m.start : m.end]) for m in inside] == [("a", b'"a" : ', b"1"), ("b", b'"b":', b"[2 , 3]")]
    assert [raw[a:b] for a, b in jsonspan.elements(raw, inside[1].start)] == [b"2", b"3"]
    assert jsonspan.members(raw, 0) == jsonspan.elements(raw, 1) == []


# ---------------------------------------------------------------------- changing
@pytest.mark.parametrize(
    ("raw", "path", "value", "expected"),
    [
        (b'{"a":1,"b":2}\r\n', ("a",), "x", b'{"a":"x","b":2}\r\n'),
        (b'{"a": 1, "b": 2}', ("a",), {"c": [1]}, b'{"a": {"c": [1]}, "b": 2}'),
        (b'{"a":1}', ("b",), 2, b'{"a":1,"b":2}'),
        (b'{"a": 1}', ("b",), 2, b'{"a": 1, "b": 2}'),
        (b'{"a":{}}', ("a", "b"), None, b'{"a":{"b":null}}'),
        (b'{"a": { }}', ("a", "b"), None, b'{"a": {"b": null }}'),
        (PRETTY, ("a", 0), 7, PRETTY.replace(b"1,", b"7,")),
        (PRETTY, ("b", "d"), 7, PRETTY.replace(b"null", b'null, "d": 7')),
        (b'{"a":1,"a":2}', ("a",), 3, b'{"a":1,"a":3}'),
        (b'{"a":1}', ("a",), b"1e400", b'{"a":1e400}'),
        (b'{"a":1}', ("a",), "\ud800x\0", '{"a":"\ufffdx\\u0000"}'.encode()),
        (b'{"a":1}', ("a",), "ü\u2028", '{"a":"ü\u2028"}'.encode()),
        (b'{"a":1}\n', (), [], b"[]\n"),
    ],
)
def test_replace(raw, path, value, expected):
    """One value changes, or a member is added at the end in the record's own style; all else stays as it is spelled."""
    assert jsonedit.replace(raw, path, value) == expected


@pytest.mark.parametrize(("raw", "path"), [(b"[]", (0,)), (b'{"a":1}', ("a", "b")), (b"{}", ("a", "b"))])
def test_replace_without_a_place(raw, path):
    """Where there is no object for a new member nothing is guessed."""
    with pytest.raises(ValueError, match="no object"):
        jsonedit.replace(raw, path, 1)


@pytest.mark.parametrize(
    ("raw", "path", "expected"),
    [
        (b'{"a":1,"b":2,"c":3}', ("a",), b'{"b":2,"c":3}'),
        (b'{"a":1,"b":2,"c":3}', ("b",), b'{"a":1,"c":3}'),
        (b'{"a":1,"b":2,"c":3}', ("c",), b'{"a":1,"b":2}'),
        (b'{ "a" : 1 }', ("a",), b"{  }"),
        (b"[1, 2 ,3]", (1,), b"[1, 3]"),
        (b"[1, 2 ,3]", (2,), b"[1, 2]"),
        (b"[1]", (0,), b"[]"),
        (PRETTY, ("a", 0), PRETTY.replace(b"1,\r\n    ", b"")),
        (PRETTY, ("a", 1), PRETTY.replace(b",\r\n    2.50", b"")),
        (PRETTY, ("b",), PRETTY.replace(b',\r\n  "b": {"c": null}', b"")),
        (b'{"a":1,"a":2}', ("a",), b"{}"),
        (b'{"a":1,"b":2,"a":3}', ("a",), b'{"b":2}'),
        (b'{"b":1,"a":2,"a":3}', ("a",), b'{"b":1}'),
        (b'{"a":1,"a":2,"a":3}', ("a",), b"{}"),
        (b'{"a":1,"a":2,"b":3}', ("a",), b'{"b":3}'),
        (b'{"a":1}', ("b",), b'{"a":1}'),
        (b"[1]", (1,), b"[1]"),
        (b"[1]", ("a",), b"[1]"),
        (b"{}", ("a", "b"), b"{}"),
    ],
)
def test_remove(raw, path, expected):
    """A member or element goes with its comma, a repeated key in all its copies; a place that is not there changes nothing."""
    assert jsonedit.remove(raw, path) == expected


@pytest.mark.parametrize(
    ("raw", "at", "expected"),
    [
        (b'{"a":[]}', 0, b'{"a":[9]}'),
        (b'{"a": [ ]}', 5, b'{"a": [9 ]}'),
        (b'{"a":[1]}', 0, b'{"a":[9,1]}'),
        (b'{"a":[1]}', 1, b'{"a":[1,9]}'),
        (b'{"a": [1]}', 1, b'{"a": [1, 9]}'),
        (b'{"a":[1 , 2]}', 1, b'{"a":[1 , 9 , 2]}'),
        (PRETTY, 0, PRETTY.replace(b"1,", b"9,\r\n    1,")),
        (PRETTY, 2, PRETTY.replace(b"2.50", b"2.50,\r\n    9")),
    ],
)
def test_insert(raw, at, expected):
    """A new element is set off as the others are."""
    assert jsonedit.insert(raw, ("a",), at, 9) == expected


@pytest.mark.parametrize("raw", [b"{}", b'{"a":{}}', b'{"a":1}'])
def test_insert_without_an_array(raw):
    """Where there is no array nothing is guessed."""
    with pytest.raises(ValueError, match="no array"):
        jsonedit.insert(raw, ("a",), 0, 9)


@pytest.mark.parametrize(
    ("raw", "order", "expected"),
    [
        (b'{"a":[1, 2 ,3]}', [2, 0, 1], b'{"a":[3, 1 ,2]}'),
        (b'{"a":[1, 2 ,3]}', [0, 1, 2], b'{"a":[1, 2 ,3]}'),
        (PRETTY, [1, 0], PRETTY.replace(b"1,", b"2.50,").replace(b"    2.50\r", b"    1\r")),
        (b'{"a":[1]}', [0], b'{"a":[1]}'),
        (b'{"a":[]}', [], b'{"a":[]}'),
        (b'{"b":[]}', [], b'{"b":[]}'),
    ],
)
def test_reorder(raw, order, expected):
    """Elements change places, and the text between them stays where it is."""
    assert jsonedit.reorder(raw, ("a",), order) == expected


# ---------------------------------------------------------------------- laws
KEYS = st.sampled_from(["a", "b", 'k"', "ü", "\\", "\0", ""])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**20) | st.text(st.sampled_from('a"\\/\n\0ü\u2028\U0001f600{}[],: '), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
SPACE = st.sampled_from([b"", b" ", b"\n  ", b"\r\n\t"])


@st.composite
def written(draw, value):
    """A value as bytes with white space anywhere and escapes as somebody might write them."""

    def text(item):
        if isinstance(item, dict):
            rows = [draw(SPACE) + text(k) + draw(SPACE) + b":" + draw(SPACE) + text(v) + draw(SPACE) for k, v in item.items()]
            return b"{" + (b",".join(rows) or draw(SPACE)) + b"}"
        if isinstance(item, list):
            return b"[" + (b",".join(draw(SPACE) + text(v) + draw(SPACE) for v in item) or draw(SPACE)) + b"]"
        return json.dumps(item, ensure_ascii=draw(st.booleans())).encode()

    return draw(SPACE) + text(value) + draw(SPACE)


def places(value, path=()):
    """All paths into a value, its own included."""
    yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from places(inner, (*path, step))


def at(value, path):
    """The value at a path."""
    for step in path:
        value = value[step]
    return value


@st.composite
def documents(draw, kinds=object):
    """A value, its bytes, and a path to something of these kinds in it."""
    value = draw(VALUES.filter(lambda v: any(isinstance(at(v, p), kinds) for p in places(v))))
    path = draw(st.sampled_from([p for p in places(value) if isinstance(at(value, p), kinds)]))
    return value, draw(written(value)), path


def parts(raw, path):
    """The bytes of each element or member of a container, white space and commas left out."""
    start = jsonspan.span(raw, path)[0]
    if raw[start : start + 1] == b"{":
        return [raw[m.key_start : m.end] for m in jsonspan.members(raw, start)]
    return [raw[a:b] for a, b in jsonspan.elements(raw, start)]


LAW = law(150)


@LAW
@given(documents(), VALUES)
def test_replacing_is_replacing(document, new):
    """The text then says the value with the other one in it, and in front and behind nothing changed."""
    value, raw, path = document
    start, end = jsonspan.span(raw, path)
    found = jsonedit.replace(raw, path, new)

    assert json.loads(raw[start:end]) == at(value, path)
    expected = copy.deepcopy(value)
    if path:
        at(expected, path[:-1])[path[-1]] = new
    else:
        expected = new
    assert json.loads(found) == expected
    assert found[:start] == raw[:start]
    assert found[len(found) - len(raw) + end :] == raw[end:]


@LAW
@given(documents(dict), VALUES)
def test_a_member_is_added_at_the_end(document, new):
    """The members that were there keep every byte, and so does what is around the object."""
    value, raw, path = document
    start, end = jsonspan.span(raw, path)
    found = jsonedit.replace(raw, (*path, "new"), new)

    expected = copy.deepcopy(value)
    at(expected, path)["new"] = new
    assert json.loads(found) == expected
    assert parts(found, path)[:-1] == parts(raw, path)
    assert found[:start] == raw[:start]
    assert found[len(found) - len(raw) + end :] == raw[end:]


@LAW
@given(documents((dict, list)), st.data())
def test_removing_is_removing(document, data):
    """The text then says the value without that part; the others keep every byte, and so does what is around them."""
    value, raw, path = document
    inner = at(value, path)
    steps = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
    if not steps:
        return
    step = data.draw(st.sampled_from(steps))
    start, end = jsonspan.span(raw, path)
    found = jsonedit.remove(raw, (*path, step))

    expected = copy.deepcopy(value)
    del at(expected, path)[step]
    assert json.loads(found) == expected
    old = parts(raw, path)
    del old[steps.index(step)]
    assert parts(found, path) == old
    assert found[: start + 1] == raw[: start + 1]
    assert found[len(found) - len(raw) + end - 1 :] == raw[end - 1 :]


@LAW
@given(documents(list), VALUES, st.integers(0, 4))
def test_inserting_is_inserting(document, new, place):
    """The text then says the list with one more element; the others keep every byte, and so does what is around them."""
    value, raw, path = document
    start, end = jsonspan.span(raw, path)
    found = jsonedit.insert(raw, path, place, new)

    expected = copy.deepcopy(value)
    at(expected, path).insert(place, new)
    assert json.loads(found) == expected
    got = parts(found, path)
    del got[min(place, len(got) - 1)]
    assert got == parts(raw, path)
    assert found[: start + 1] == raw[: start + 1]
    assert found[len(found) - len(raw) + end - 1 :] == raw[end - 1 :]


@LAW
@given(documents(list), st.randoms(use_true_random=False))
def test_reordering_is_reordering(document, random):
    """The text then says the list in the other order, with the same bytes in it."""
    value, raw, path = document
    order = list(range(len(at(value, path))))
    random.shuffle(order)
    found = jsonedit.reorder(raw, path, order)

    expected = copy.deepcopy(value)
    inner = at(expected, path)
    inner[:] = [inner[n] for n in order]
    assert json.loads(found) == expected
    assert len(found) == len(raw)
    old = parts(raw, path)
    assert parts(found, path) == [old[n] for n in order]


# ---------------------------------------------------------------------- texts
@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (rb'"\ud83d"', rb'"\ufffd"'),
        (rb'"\uD83D\uDE00"', rb'"\uD83D\uDE00"'),
        (rb'"\ude00\ud83d"', rb'"\ufffd\ufffd"'),
        (rb'"\ud83d\ud83d\ude00"', rb'"\ufffd\ud83d\ude00"'),
        (rb'"\\ud83d"', rb'"\\ud83d"'),
        (rb'"\\\ud83d"', rb'"\\\ufffd"'),
        (rb'"\u0041\u00fc"', rb'"\u0041\u00fc"'),
        (b'"a\xed\xa0\xbdb\xed\xb8\x80"', b'"a\xef\xbf\xbdb\xef\xbf\xbd"'),
        ('"\U0001f600\ud7ff"'.encode(), '"\U0001f600\ud7ff"'.encode()),
    ],
)
def test_halves_of_pairs(raw, expected):
    """Each lone half becomes U+FFFD, whole pairs and what only looks like a half stay."""
    assert jsonread.repair_surrogates(raw) == expected
    assert not jsonread.holds_surrogate(json.loads(expected))


@pytest.mark.parametrize(
    ("raw", "leave", "expected"),
    [
        (rb'{"a":"x\u0000y"}', set(), rb'{"a":"x\ufffdy"}'),
        (rb'{"a":"\\u0000"}', set(), rb'{"a":"\\u0000"}'),
        (rb'{"a":"\\\u0000\u0000"}', set(), rb'{"a":"\\\ufffd\ufffd"}'),
        (rb'{"a":"id\u0000","b":"\u0000"}', {"id\0"}, rb'{"a":"id\u0000","b":"\ufffd"}'),
        (rb'{"\u0000":1}', set(), rb'{"\ufffd":1}'),
    ],
)
def test_nul_characters(raw, leave, expected):
    """Each escaped U+0000 becomes U+FFFD, but not in the names that are left to other rules."""
    assert jsonedit.without_nul(raw, leave) == expected


@pytest.mark.parametrize(
    ("value", "spaced", "expected"),
    [
        ({"a": [1, "ü"]}, False, '{"a":[1,"ü"]}'),
        ({"a": [1, "ü"]}, True, '{"a": [1, "ü"]}'),
        ("\ud83d \U0001f600 \udc00", False, '"\ufffd \U0001f600 \ufffd"'),
        ({"\ud800": None}, False, '{"\ufffd":null}'),
    ],
)
def test_dump(value, spaced, expected):
    """A value is written in UTF-8, tight or with blanks, and never with half of a pair."""
    assert jsonedit.dump(value, spaced=spaced) == expected.encode()


@pytest.mark.parametrize(("raw", "spaced"), [(b'{"a": 1}', True), (b'{"a":1}', False), (b'{"a" : 1}', False), (b"{}", False), (b"", False)])
def test_is_spaced(raw, spaced):
    """The first key tells how a record was written."""
    assert jsonedit.is_spaced(raw) is spaced


@pytest.mark.parametrize(
    ("raw", "cut", "in_string"),
    [
        (b'{"a":1}', False, False),
        (b'{"a":1', True, False),
        (b'{"a":"x', True, True),
        (b'{"a":"x\\', True, True),
        (b'{"a":"x\\"', True, True),
        (b'{"a', True, True),
        (b"{", True, False),
        (b'  {"a":[{"b":"}"}', True, False),
        (b'[{"a":1}', False, False),
        (b"x", False, False),
        (b'"x', False, True),
        (b"", False, False),
    ],
)
def test_what_breaks_off(raw, cut, in_string):
    """A beginning of an object is told from a whole one and from what is none; so is a string without its end."""
    assert jsonspan.is_cut(raw) is cut
    assert jsonspan.cut_in_string(raw) is in_string


def test_what_orjson_reads_can_be_written():
    """A value nested as deep as orjson goes comes out again."""
    deep = b"[" * 1015 + b"]" * 1015

    assert jsonedit.dump(jsonread.loads(deep)) == deep
