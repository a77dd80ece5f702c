"""What the options of `scan` choose from."""

from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    """What runs the parts of a data set."""

    LOCAL = "local"
    RAY = "ray"
