"""Faults at a chosen step of writing, up to the death of the process."""

from __future__ import annotations

import contextlib
import os
import signal

# The functions of os that change something on disk.
STEPS = ("write", "fsync", "replace", "rename", "link", "unlink", "mkdir", "rmdir", "fchmod", "utime", "open")


@contextlib.contextmanager
def faults(act, steps=STEPS):
    """Call act(step, number, do) instead of each function of os that changes something on disk."""
    real = {step: getattr(os, step) for step in steps}
    count = 0

    def stand_in(step):
        def call(*args, **kwargs):
            nonlocal count
            if step == "open" and not args[1] & os.O_CREAT:
                return real[step](*args, **kwargs)
            count += 1
            return act(step, count, lambda *other: real[step](*(other or args), **kwargs), args)

        return call

    try:
        for step in steps:
            setattr(os, step, stand_in(step))
        yield
    finally:
        for step in steps:
            setattr(os, step, real[step])


def killed_at(number, work, steps=STEPS):
    """Run work in a child that kills itself at its n-th step, in the middle of it if that is a write; say whether it did."""
    child = os.fork()
    if child == 0:

        def act(step, count, do, args):
            if count < number:
                return do()
            if step == "write":
                do(args[0], args[1][: len(args[1]) // 2])
            return os.kill(os.getpid(), signal.SIGKILL)

        try:
            with faults(act, steps):
                work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
