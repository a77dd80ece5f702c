"""Times in ISO 8601, as clients write them."""

from __future__ import annotations

from datetime import datetime, timedelta


def shifted(time: str, milliseconds: int) -> str:
    """Add milliseconds to an ISO time; what is no time stays as it is."""
    try:
        moved = datetime.fromisoformat(time) + timedelta(milliseconds=milliseconds)
    except (ValueError, OverflowError):
        return time
    zone = "Z" if time.endswith("Z") else moved.isoformat()[len(moved.replace(tzinfo=None).isoformat()) :]
    return moved.replace(tzinfo=None).isoformat(timespec="milliseconds") + zone
