"""A property that is worked out when it is asked for, and then kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

_Value = TypeVar("_Value")


class CachedProperty(Generic[_Value]):
    """What `functools.cached_property` is, without the lock that it takes before Python 3.12 for each value."""

    def __init__(self, make: Callable[[Any], _Value]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, owner: Any, _: type | None = None) -> _Value:
        """Return the value; from then on it is an attribute of its owner."""
        value = owner.__dict__[self._name] = self._make(owner)
        return value
