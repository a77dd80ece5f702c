"""The exit codes, and the errors that a user can run into and repair."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process says when it ends; of several files the highest counts."""

    FINE = 0
    FOUND = 1  # findings at --fail-on, differences, a reference not found
    USAGE = 2
    UNREADABLE = 3  # input unreadable, not recognised, or nothing to check
    REFUSED = 4  # live, changed meanwhile, or the proof failed
    BUG = 70
    INTERRUPTED = 130


class CondenseError(Exception):
    """Something a user can act on: what is wrong and where, then what to do next."""

    exit_code = ExitCode.UNREADABLE

    def __init__(self, problem: str, advice: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice


class UnreadableError(CondenseError):
    """The input cannot be read, or is no session."""


class UsageError(CondenseError):
    """The options contradict each other or name nothing."""

    exit_code = ExitCode.USAGE


class RefusedError(CondenseError):
    """Writing was refused: the session is live, changed meanwhile, or the proof failed."""

    exit_code = ExitCode.REFUSED
