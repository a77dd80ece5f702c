"""What --since names: a time ago, or a day."""

from __future__ import annotations

import re
import time
from datetime import datetime

from condense_cli.errors import UsageError

_AGO = re.compile(r"([0-9]{1,6})\s*([mhdw])")
_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def since(word: str | None, now: float | None = None) -> float:
    """Return the moment in seconds that `90m`, `12h`, `7d`, `2w` or `2026-11-30` means; raise UsageError."""
    if word is None:
        return 0.0
    match = _AGO.fullmatch(word.strip())
    if match:
        return (time.time() if now is None else now) - int(match[1]) * _SECONDS[match[2]]
    try:
        return datetime.fromisoformat(word.strip()).timestamp()
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"--since {word}: no time", "7d, 12h, 90m, 2w, or a day as 2026-11-30") from None
