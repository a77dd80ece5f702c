"""What the options of `diff` choose from."""

from __future__ import annotations

from enum import StrEnum


class Between(StrEnum):
    """Which difference is shown."""

    REPAIRED = "repaired"
    RENDERED = "rendered"
