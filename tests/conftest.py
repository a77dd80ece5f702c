"""What holds for every test."""

from __future__ import annotations

import os
import signal

import pytest


@pytest.fixture(autouse=True, scope="session")
def the_cache_is_a_tests_own(tmp_path_factory):
    """Nobody's real cache is read or written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True, scope="session")
def no_test_waits_for_a_disk():
    """Confirm nothing to the disk: hundreds of calls of fsync take minutes on a busy one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


def pytest_configure():
    """Take signals as usual where a shell started the tests with some of them ignored: children inherit that."""
    usual = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL, "SIGTERM": signal.SIG_DFL}
    for name, handler in usual.items():
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
