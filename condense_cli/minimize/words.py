"""Every word becomes other letters of the same length and shape; the same word becomes the same letters everywhere."""

from __future__ import annotations

import random
import re
import string

from condense_cli.minimize.vocabulary import PREFIXES, vocabulary

_UNIT = re.compile(
    rb"\\u[0-9a-fA-F]{4}|\\.|[A-Za-z0-9]+|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}",
    re.DOTALL,
)
_TIME = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?")
_ID = re.compile(rb"([A-Za-z]+)[_-][A-Za-z0-9_|:@.#-]*")
_KEPT = frozenset((b"true", b"false", b"null"))
_WIDE = {2: "é".encode(), 3: "中".encode(), 4: "𠀀".encode()}
_HEX = frozenset(b"0123456789abcdef")


class Words:
    """The other letters of each word. Words that begin alike begin alike afterwards, and different ones stay different.

    avoid: words that must not appear by chance, in small letters.
    """

    def __init__(self, avoid: frozenset[bytes] = frozenset()) -> None:
        self._next: dict[tuple[bool, bytes], bytes] = {}  # kind of word, beginning -> its last letter afterwards
        self._taken: dict[tuple[bool, bytes], set[int]] = {}
        self._avoid = avoid
        self._chance = random.Random(0)  # noqa: S311 - letters without meaning, the same for the same file

    def string(self, body: bytes, *, free: bool) -> bytes:
        """Return the body of a JSON string with other letters; a word of the format stays unless the string is free."""
        if _TIME.fullmatch(body) or (not free and body.decode("utf-8", "replace") in vocabulary()):
            return body
        match = _ID.fullmatch(body)
        head = match[1] if match is not None and not free and match[1].decode() in PREFIXES else b""
        return head + _UNIT.sub(lambda unit: self._unit(unit[0]), body[len(head) :])

    def _unit(self, unit: bytes) -> bytes:
        if unit[:1] == b"\\":
            char = chr(int(unit[-4:], 16)) if unit[1:2] == b"u" and len(unit) == 6 else ""
            return b"x" if char.isalnum() else unit
        if unit[0] < 0x80:
            return unit if unit in _KEPT else self._word(unit)
        return _WIDE[len(unit)] if unit.decode("utf-8", "replace").isalnum() else unit

    def _word(self, word: bytes) -> bytes:
        hexadecimal = len(word) >= 4 and _HEX.issuperset(word)
        made = b""
        for end in range(1, len(word) + 1):
            key = hexadecimal, word[:end]
            letter = self._next.get(key)
            if letter is None:
                letter = self._next[key] = self._letter(
                    word[end - 1],
                    made,
                    self._taken.setdefault((hexadecimal, word[: end - 1]), set()),
                    hexadecimal=hexadecimal,
                )
            made += letter
        return made

    def _letter(self, old: int, before: bytes, taken: set[int], *, hexadecimal: bool) -> bytes:
        """Return a letter of the same kind that no other word has here."""
        choices = list(_kind(chr(old), hexadecimal=hexadecimal).encode())
        self._chance.shuffle(choices)
        free = [new for new in choices if new not in taken] or choices
        good = [new for new in free if (before or new != old) and (before + bytes((new,))).lower() not in self._avoid]
        new = (good or free)[0]
        taken.add(new)
        return bytes((new,))


def words_of(data: bytes) -> frozenset[bytes]:
    """Return all words of a file, in small letters."""
    return frozenset(word.lower() for word in re.findall(rb"[A-Za-z0-9]{3,}", data))


def _kind(char: str, *, hexadecimal: bool) -> str:
    """Return the letters that may stand for one: a zero stays, so that a number stays one."""
    if char.isdigit():
        return "0" if char == "0" else "123456789"
    if hexadecimal:
        return "abcdef"
    return string.ascii_lowercase if char.islower() else string.ascii_uppercase
