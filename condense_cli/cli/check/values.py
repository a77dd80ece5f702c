"""What the options of `check` and `check-orphans` choose from."""

from __future__ import annotations

from enum import StrEnum


class Output(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"


class FailOn(StrEnum):
    """From which severity on the exit code is 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    NEVER = "never"


class ViewName(StrEnum):
    """Which part of a session is looked at."""

    STORED = "stored"
    CONTEXT = "context"
    RENDERED = "rendered"


class Unknown(StrEnum):
    """What becomes of a file below a folder that is no session."""

    ERROR = "error"
    WARN = "warn"
    SKIP = "skip"
