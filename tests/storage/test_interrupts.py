"""Signals that wait."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from condense_cli.storage.interrupts import deferred


def test_ctrl_c_comes_after_the_block():
    """The block is not cut in two, and the signal is not lost."""
    before = signal.getsignal(signal.SIGINT)
    done = []
    with pytest.raises(KeyboardInterrupt), deferred() as pending:
        os.kill(os.getpid(), signal.SIGINT)
        done.append(list(pending.signals))
    assert done == [[signal.SIGINT]]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_block_can_stop_itself_where_nothing_is_half_done():
    """stop() raises only after a signal."""
    with pytest.raises(KeyboardInterrupt), deferred() as pending:
        pending.stop()
        os.kill(os.getpid(), signal.SIGINT)
        pending.stop()
        raise AssertionError


def test_another_thread_defers_nothing():
    """Only the main thread gets signals; another one may write as well."""
    seen = []

    def work():
        with deferred() as pending:
            seen.append(pending.signals)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [[]]
