"""Which words of `condense query` are references, and which one is the session."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from condense_cli.errors import UsageError
from condense_cli.session.named import names_session

_REF = re.compile(r"[tL][0-9]+|.*[*?\[#].*|[^@]+@.*", re.DOTALL)
"""What is a reference by its form: t5, L120, a pattern, an id with its time or number."""


def parted(words: Sequence[str] | None, session: str | None) -> tuple[list[str], str | None]:
    """Return the references, and the session: the option, else the last word where it names one and is no reference.

    Raises UsageError where both the option and the last word name one by a path.
    """
    refs = list(words or ())
    if not refs or (_REF.fullmatch(refs[-1]) and not os.path.lexists(refs[-1])):
        return refs, session
    if session is not None:
        if os.path.isfile(refs[-1]):
            raise UsageError(f"--session {session} and {refs[-1]}: two sessions", "name one of them")
        return refs, session
    if names_session(refs[-1], os.environ):
        return refs[:-1], refs[-1]
    return refs, None
