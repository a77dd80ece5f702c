"""The tables say what Node prints."""

import json
import shutil
import subprocess

import pytest
from condense_cli.jsonbytes import javascript
from condense_cli.jsonbytes.javascript import UNDEFINED
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (2150.5, "2150.5"),
        (1e21, "1e+21"),
        (123e18, "123000000000000000000"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.25e-9, "1.25e-9"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (2**53 + 1, "9007199254740992"),
        (12345678901234567890, "12345678901234567000"),
        (10**400, "Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_numbers_are_written_like_string_does(value, text):
    """A number is a double and is written with plain digits from 1e-6 to below 1e21."""
    assert javascript.number_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "2": 0, "a": 2, "10": 0, "1": 0}, '{"1":0,"2":0,"10":0,"b":1,"a":2}'),
        ({"01": 1, "4294967295": 2, "4294967294": 3, "-1": 4}, '{"4294967294":3,"01":1,"4294967295":2,"-1":4}'),
        ([1.0, -0.0, 1e21, 1e-7, 12345678901234567890], "[1,0,1e+21,1e-7,12345678901234567000]"),
        ([float("inf"), float("nan"), None, True, False], "[null,null,null,true,false]"),
        ('"\\/\b\f\n\r\t\x00\x1f\x7f\u2028\u00e9\U0001f600', '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\u2028\u00e9\U0001f600"'),
        ("a\ud83d", '"a\\ud83d"'),
        ("\ude00\ud83d", '"\\ude00\\ud83d"'),
        ("\ud83d\ude00", '"\U0001f600"'),
        ({"gone": UNDEFINED, "stays": None}, '{"stays":null}'),
        ([UNDEFINED], "[null]"),
        ({}, "{}"),
        ([[], {}], "[[],{}]"),
    ],
)
def test_json_is_what_stringify_gives(value, text):
    """Key order, numbers, escapes and halves of surrogate pairs come out as JSON.stringify writes them."""
    assert javascript.stringify(value).decode("utf-8") == text


def test_pretty_json_has_empty_containers_on_one_line():
    """Two blanks per level, a blank behind the colon, `{}` and `[]` unbroken."""
    value = {"a": [], "b": {"c": [1, {"d": {}}]}}

    assert javascript.stringify_pretty(value) == json.dumps(value, indent=2).replace("[\n    ]", "[]")
    assert javascript.stringify_pretty([]) == "[]"


def test_deep_values_are_written():
    """Nesting beyond orjson's and Python's own limits is written all the same."""
    value = []
    for _ in range(3000):
        value = [value]

    assert javascript.stringify(value) == b"[" * 3001 + b"]" * 3001


NUMBERS = st.integers() | st.floats() | st.floats(min_value=-1e-3, max_value=1e-3)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3) | st.integers(0, 30).map(str), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_the_fast_path_gives_the_same_bytes(value):
    """Where orjson is trusted, the slow writer agrees with it byte for byte."""
    assert javascript.stringify(value) == "".join(javascript._write(value, "")).encode()


@given(VALUES)
def test_lengths_are_utf16_units(value):
    """The length taken from UTF-8 bytes is that of the UTF-16 text."""
    text = javascript.stringify(value).decode()

    assert javascript.json_length(value) == len(text.encode("utf-16-le")) // 2 == javascript.utf16_length(text)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_node_agrees():
    """A real JavaScript engine reads our numbers and dates the same way."""
    numbers = [1.1 * 10**n for n in range(-12, 25)] + [3 * 10.0**n for n in range(-12, 25)] + [2**60 + 3, 0.1 + 0.2]
    dates = ["2026-08-12T02:40:02.210Z", "2026-08-12", "2026-02-30T00:00:00Z", "2026-13-01", "x", "+012026-01-01T00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T10:00:00.1239+02:00", "2026"]
    script = (
        "const [n, d] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify([n.map(String), d.map(t => new Date(t).getTime()), [0, -1, 1e13, -62198755200001].map(t => new Date(t).toISOString())]))"
    )
    out = subprocess.run(["node", "-e", script], input=json.dumps([numbers, dates]), capture_output=True, text=True, check=True).stdout

    ours = [
        [javascript.number_text(n) for n in numbers],
        [None if t != t else t for t in map(javascript.milliseconds, dates)],
        [javascript.iso(t) for t in (0, -1, 1e13, -62198755200001)],
    ]
    assert json.loads(out) == ours


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1970-01-01T00:00:00.000Z", 0),
        ("2026-08-12T02:40:02.210Z", 1786502402210),
        ("2026-08-12T04:40:02.2109+02:00", 1786502402210),
        ("2026-08-12", 1786492800000),
        ("2026-02-30T00:00:00Z", 1772409600000),
        (1786502402210.9, 1786502402210),
    ],
)
def test_times_are_read_in_milliseconds(text, time):
    """An ISO time, a date or a number becomes epoch milliseconds."""
    assert javascript.milliseconds(text) == time


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-01-32", "2026-01-01T25:00:00Z", UNDEFINED, {}])
def test_what_is_no_time_is_nan(text):
    """Text that cannot be read as a time gives NaN."""
    assert javascript.milliseconds(text) != javascript.milliseconds(text)


@given(st.integers(-8_640_000_000_000_000, 8_640_000_000_000_000))
def test_a_date_comes_back_from_its_text(time):
    """Reading toISOString's text gives the same millisecond, in all years."""
    assert javascript.milliseconds(javascript.iso(time)) == time


def test_trim_knows_javascripts_white_space():
    """The byte order mark and no-break spaces go; U+001C and U+0085, which Python strips, stay."""
    assert javascript.trim("\ufeff\u00a0 \tx\u2029") == "x"
    assert javascript.trim("\x1cx\x85") == "\x1cx\x85"


@pytest.mark.parametrize(
    ("left", "right", "is_less"),
    [(1, 2, True), (2, 2, False), (1, UNDEFINED, False), (1, "2", True), (1, None, False), (-1, None, True), (1, {}, False), (1, "", False)],
)
def test_comparisons_convert_their_sides(left, right, is_less):
    """What is no number is NaN, and no comparison with it holds."""
    assert javascript.less(left, right) is is_less


def test_an_array_is_written_with_commas_however_deep_it_is():
    """String() of nested arrays joins all their leaves; null and an empty array are empty."""
    assert javascript.string([1, [2, [None, []], "x"], [], True]) == "1,2,,,x,,true"
    assert javascript.string([]) == ""
    deep = []
    for _ in range(5000):
        deep = [deep]
    assert javascript.string(deep) == ""


def test_a_number_of_400_digits_is_no_date():
    """It has no float: looking for one raised OverflowError, and `render` ended as a bug."""
    for huge in (10**400, -(10**400)):
        with pytest.raises(ValueError, match="date"):
            javascript.iso(huge)
