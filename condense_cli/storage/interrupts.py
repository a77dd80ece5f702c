"""Ctrl-C, SIGTERM and SIGHUP wait while a change is made that must not be cut in two."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Pending:
    """The signals that arrived and were not delivered yet."""

    def __init__(self) -> None:
        self.signals: list[int] = []

    def receive(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of a handler
        """Remember a signal."""
        self.signals.append(number)

    def stop(self) -> None:
        """Raise KeyboardInterrupt if a signal arrived; to be called where stopping leaves nothing half done."""
        if self.signals:
            raise KeyboardInterrupt


@contextlib.contextmanager
def deferred() -> Iterator[Pending]:
    """Deliver the signals that end a process only after the block; outside the main thread there are none."""
    pending = Pending()
    if threading.current_thread() is not threading.main_thread():
        yield pending
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        for number in _SIGNALS:
            signal.signal(number, pending.receive)
        yield pending
    finally:
        for number in reversed(_SIGNALS):
            signal.signal(number, before[number] or signal.SIG_DFL)
        for number in dict.fromkeys(pending.signals):
            signal.raise_signal(number)
