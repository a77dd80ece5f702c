"""JavaScript's view of a value: JSON.stringify, String(), .length, trim() and Date, as they show in outputs.

Numbers are doubles, integer-like keys come first, lengths count UTF-16 units, halves of surrogate pairs
are written as escapes. A value on which orjson provably agrees takes the fast path.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator

WHITE_SPACE: Final = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"  # noqa: E501 - a sentence is one text
MAX_SAFE: Final = 2**53
_MAX_DATE: Final = 8_640_000_000_000_000
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - its text has no zone
_FIRST_YEAR, _LAST_YEAR = -62_135_596_800_000, 253_402_300_800_000  # milliseconds: what fits into a datetime
_HALF = re.compile("[\ud800-\udfff]")


class Undefined:
    """What a member that is not there reads as; it vanishes from JSON."""

    def __repr__(self) -> str:
        return "undefined"

    def __bool__(self) -> bool:
        return False


UNDEFINED: Final = Undefined()


def is_number(value: Any) -> bool:
    """Say whether typeof is "number": a boolean is none."""
    return type(value) is int or type(value) is float


def truthy(value: Any) -> bool:
    """Say whether a condition on the value holds; empty arrays and objects are true."""
    if value is None or value is UNDEFINED or value is False or value == "":
        return False
    return not (is_number(value) and (value == 0 or math.isnan(value)))


def double(value: float) -> float:
    """Return the number as the double that a JavaScript reader sees; too large ones are infinite."""
    if type(value) is int and -MAX_SAFE <= value <= MAX_SAFE:
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def number_text(value: float) -> str:  # noqa: PLR0911 - one answer for each kind
    """Write a number as String() does: plain digits from 1e-6 to below 1e21, else with an exponent."""
    value = double(value)
    if type(value) is int:
        return str(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    tail = f".{digits[1:]}" if count > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if power > 0 else '-'}{abs(power)}"


def string(value: Any) -> str:  # noqa: PLR0911 - one answer for each kind
    """Return String(value), as a template literal would put it into a text."""
    if type(value) is str:
        return value
    if type(value) is int and -MAX_SAFE <= value <= MAX_SAFE:
        return str(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, list):
        return ",".join(_leaves(value))
    return number_text(value) if is_number(value) else "undefined" if value is UNDEFINED else "[object Object]"


def _leaves(value: list[Any]) -> Iterator[str]:
    # Not recursive: a session may nest deeper than Python's stack. An empty list is an empty text, as null is.
    todo: list[Any] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, list) and item:
            todo.extend(reversed(item))
        else:
            yield "" if item is None or item == [] else string(item)


def number(value: Any) -> float:  # noqa: PLR0911 - one answer for each kind
    """Return Number(value) as comparisons see it; what is no number is NaN."""
    if is_number(value):
        return double(value)
    if value is None or value is False or value is True:
        return float(bool(value))
    if isinstance(value, list):
        return number(string(value))
    if isinstance(value, str):
        text = trim(value)
        if not text:
            return 0
        if re.fullmatch(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", text, re.ASCII):
            return float(text)
        if re.fullmatch(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+", text):
            return double(int(text, 0))
        if re.fullmatch(r"[+-]?Infinity", text):
            return float(text)
    return math.nan


def less(left: Any, right: Any) -> bool:
    """Return left < right; with what is no number it is false."""
    return number(left) < number(right)


def trim(text: str) -> str:
    """Strip JavaScript's white space from both ends."""
    return text.strip(WHITE_SPACE)


def utf16_length(text: str) -> int:
    """Return .length: the number of UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_length_of_bytes(data: bytes) -> int:
    """Return .length of UTF-8 text."""
    return len(data) if data.isascii() else len(data.decode().encode("utf-16-le")) // 2


def whole_pairs(text: str) -> str:
    """Join halves that stand side by side, as they would in a JavaScript string."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def replaced_halves(text: str) -> bytes:
    """Encode text as UTF-8 the way a file is written: halves of surrogate pairs become U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _HALF.sub("\ufffd", whole_pairs(text)).encode()


# JSON


def stringify(value: Any) -> bytes:
    """Return JSON.stringify(value) as UTF-8; UNDEFINED members vanish, numbers that are not finite are null."""
    if agrees(value):
        try:
            return orjson.dumps(value)
        except TypeError:  # half of a surrogate pair, or too deep
            pass
    return "".join(_write(value, "")).encode()


def stringify_pretty(value: Any) -> str:
    """Return JSON.stringify(value, null, 2)."""
    return "".join(_write(value, "  "))


def json_length(value: Any) -> int:
    """Return JSON.stringify(value).length in UTF-16 units."""
    return utf16_length_of_bytes(stringify(value))


def agrees(value: Any) -> bool:  # noqa: C901 - the kinds that are told apart are read best side by side
    """Say whether orjson certainly writes the value as JSON.stringify does; strings are left to orjson to refuse."""
    todo: list[Any] = [value]
    while todo:
        item = todo.pop()
        kind = type(item)
        if kind is dict:
            for key in item:
                # Everything that sorts below ":" is a digit or rarer.
                if key < ":" and _is_index(key):
                    return False
            inside = item.values()
        elif kind is list:
            inside = item
        else:
            inside = (item,)
        for part in inside:
            part_kind = type(part)
            if part_kind is str or part_kind is bool or part is None:
                continue
            if part_kind is int:
                if not -MAX_SAFE <= part <= MAX_SAFE:
                    return False
            elif part_kind is dict or part_kind is list:
                todo.append(part)
            elif part_kind is not float or part == part // 1 or not 1e-4 <= abs(part) < 1e15:  # noqa: PLR2004 - the limits of the language
                return False
    return True


def _is_index(key: str) -> bool:
    if not (key.isascii() and key.isdigit()):
        return False
    return key == "0" or (key[0] != "0" and len(key) <= 10 and int(key) < 2**32 - 1)


def members(value: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the defined members in JavaScript's order: integer-like keys ascending, then as they came."""
    pairs = [(key, item) for key, item in value.items() if item is not UNDEFINED]
    if any(key < ":" and _is_index(key) for key, _ in pairs):
        numbered = sorted((pair for pair in pairs if _is_index(pair[0])), key=lambda pair: int(pair[0]))
        pairs = numbered + [pair for pair in pairs if not _is_index(pair[0])]
    return pairs


def _quote(text: str) -> str:
    text = whole_pairs(text)
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", encode_basestring(text))


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _quote(value)
    if value is None or value is UNDEFINED:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    return number_text(value) if math.isfinite(double(value)) else "null"


def _write(value: Any, step: str) -> Iterator[str]:
    # Not recursive: a session may nest deeper than Python's stack.
    colon = ": " if step else ":"
    open_ones: list[tuple[Iterator[Any], str]] = []
    current = value
    while True:
        if isinstance(current, dict) and (pairs := members(current)):
            yield "{"
            open_ones.append((iter(pairs), "}"))
            first = True
        elif isinstance(current, list) and current:
            yield "["
            open_ones.append((iter(current), "]"))
            first = True
        else:
            yield "{}" if isinstance(current, dict) else "[]" if isinstance(current, list) else _scalar(current)
            first = False
        while open_ones:
            rest, closing = open_ones[-1]
            item = next(rest, rest)
            if item is rest:
                open_ones.pop()
                yield ("\n" + step * len(open_ones) if step else "") + closing
                first = False
                continue
            yield ("" if first else ",") + ("\n" + step * len(open_ones) if step else "")
            if closing == "}":
                key, current = item
                yield _quote(key) + colon
            else:
                current = item
            break
        else:
            return


# Dates

_ISO = re.compile(
    r"(?P<year>[+-]\d{6}|\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?"
    r"(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d+))?)?(?P<zone>Z|[+-]\d\d:?\d\d)?)?",  # noqa: E501 - a sentence is one text
    re.ASCII | re.IGNORECASE,
)


def milliseconds(value: Any) -> float:
    """Return new Date(value).getTime() in milliseconds; NaN if it cannot be read. Without a zone a time is local."""
    if not isinstance(value, str):
        time = number(value)
        return math.trunc(time) if abs(time) <= _MAX_DATE else math.nan
    match = _ISO.fullmatch(trim(value))
    if not match or match["year"] == "-000000":
        return math.nan
    month, day = int(match["month"] or 1), int(match["day"] or 1)
    hour, minute, second = int(match["hour"] or 0), int(match["minute"] or 0), int(match["second"] or 0)
    millis = int(((match["fraction"] or "") + "000")[:3])
    # A day up to 31 is taken in every month and runs over into the next one.
    if not (1 <= month <= 12 and 1 <= day <= 31 and minute < 60 and second < 60):
        return math.nan
    if hour > 24 or (hour == 24 and (minute or second or millis)):
        return math.nan
    days = _days(int(match["year"]), month) + day - 1
    time = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + millis
    zone = match["zone"]
    if zone and zone not in "Zz":
        offset = int(zone[1:3]) * 60 + int(zone[-2:])
        time -= offset * 60_000 * (1 if zone[0] == "+" else -1)
    elif not zone and match["hour"]:
        time -= _local_offset(time)
    return time if abs(time) <= _MAX_DATE else math.nan


def _days(year: int, month: int) -> int:
    """Count the days from 1970-01-01 to the first of the month, in the proleptic Gregorian calendar."""
    cycles, year = divmod(year, 400)
    return datetime(year + 400, month, 1, tzinfo=UTC).toordinal() - 719_163 + (cycles - 1) * 146_097


def _local_offset(time: int) -> int:
    try:
        moment = (datetime(1970, 1, 1) + timedelta(milliseconds=time)).astimezone()  # noqa: DTZ001 - local on purpose
        offset = moment.utcoffset()
    except (OverflowError, ValueError, OSError):
        return 0
    return round(offset.total_seconds() * 1000) if offset else 0


def iso(time: float) -> str:
    """Return new Date(time).toISOString(); raise ValueError for a time that is no date. time is in milliseconds."""
    if not abs(time) <= _MAX_DATE:  # NaN is not, either
        raise ValueError("not a date")
    if _FIRST_YEAR <= time < _LAST_YEAR:
        return (_EPOCH + timedelta(milliseconds=math.trunc(time))).isoformat(timespec="milliseconds") + "Z"
    days, rest = divmod(math.trunc(time), 86_400_000)
    cycles, day = divmod(days + 719_162, 146_097)
    moment = datetime(1, 1, 1, tzinfo=UTC) + timedelta(days=day, milliseconds=rest)
    year = moment.year + cycles * 400
    sign = "" if 0 <= year <= 9999 else "+" if year > 0 else "-"
    return f"{sign}{abs(year):0{6 if sign else 4}d}-{moment:%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
