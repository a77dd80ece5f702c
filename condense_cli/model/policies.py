"""What a user may decide about a repair."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Displaced(StrEnum):
    """What becomes of a result that is cut off from its call."""

    MOVE = "move"
    DROP = "drop"


class Unanswered(StrEnum):
    """What becomes of a call without a result in the middle of the thread."""

    ANSWER = "answer"
    DROP = "drop"
    KEEP = "keep"


class Trailing(StrEnum):
    """What becomes of a call of the last cycle without a result; auto: it is answered where its client never would."""

    AUTO = "auto"
    KEEP = "keep"
    ANSWER = "answer"
    DROP = "drop"


class Orphan(StrEnum):
    """What becomes of a result without a call."""

    DROP = "drop"
    NOTE = "note"


class Ids(StrEnum):
    """Whether reused ids get fresh ones."""

    AUTO = "auto"
    KEEP = "keep"
    RENAME = "rename"


class Method(StrEnum):
    """How a repair is written."""

    REWRITE = "rewrite"
    APPEND = "append"


class Policies(NamedTuple):
    """All of them, with the defaults of the command line."""

    displaced: Displaced = Displaced.MOVE
    unanswered: Unanswered = Unanswered.ANSWER
    trailing: Trailing = Trailing.AUTO
    orphan: Orphan = Orphan.DROP
    ids: Ids = Ids.AUTO
    shrink: bool = False  # images that are too large are made smaller, not replaced by a note
