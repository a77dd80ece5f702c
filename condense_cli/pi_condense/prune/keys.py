"""Occurrence keys: a tool call id alone, or with the time of its result. Ids are used again; keys are not."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from condense_cli.jsonbytes.javascript import MAX_SAFE, UNDEFINED, is_number, string

_DIGITS = re.compile(r"[0-9]+")


class WouldThrowError(Exception):
    """The original fails on this input and leaves the messages as they are; `problem` says on what."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class Key(NamedTuple):
    """A key taken apart; time is in milliseconds, None for a bare id."""

    id: str
    time: int | None


def occurrence_key(call_id: Any, time: Any) -> Any:
    """Return `id@time`, or the id alone when time is UNDEFINED. null is a time here, as it is in the original."""
    return call_id if time is UNDEFINED else f"{string(call_id)}@{string(time)}"


def narrow(time: Any) -> Any:
    """Return the time if it is a number, else UNDEFINED."""
    return time if is_number(time) else UNDEFINED


def parse(key: Any) -> Key:
    """Take a key apart at its last `@`; what does not end in ASCII digits is a bare id."""
    if not isinstance(key, str):
        raise WouldThrowError("a tool call id is not a string")
    at = key.rfind("@")
    if at <= 0 or not _DIGITS.fullmatch(key, at + 1):
        return Key(key, None)
    return Key(key[:at], int(key[at + 1 :]))


def bare(key: Any) -> str:
    """Return the id of a key."""
    return parse(key).id


def same(value: Any) -> Any:
    """Return something hashable that is equal exactly when two JavaScript values are the same in a Map or Set."""
    if type(value) is str:
        return value
    if isinstance(value, (dict, list)):
        return object()  # two objects are never the same one
    return (type(value) is bool, string(value))


def moment(time: Any) -> Any:
    """Return the same for a time as `same` does, but that a plain integer, as most are, is itself."""
    if type(time) in (int, float) and -MAX_SAFE <= time <= MAX_SAFE and time == int(time):
        return int(time)
    return same(time)
