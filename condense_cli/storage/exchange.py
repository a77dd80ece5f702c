"""Two files exchange their names in one step, where the system can do that (Linux 3.15, most local file systems)."""

from __future__ import annotations

import errno
import os
import sys

_HERE = -100  # AT_FDCWD: relative names are below the working folder
_EXCHANGE = 2  # RENAME_EXCHANGE
_UNABLE = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})


def exchange(one: str, other: str) -> bool:
    """Exchange two names of one file system; False where the system cannot, and nothing has happened then.

    Raises OSError when it can and did not. Source: renameat2(2).
    """
    code = rename_exchange(os.fsencode(one), os.fsencode(other))
    if code in _UNABLE:
        return False
    if code:
        raise OSError(code, os.strerror(code), other)
    return True


def rename_exchange(one: bytes, other: bytes) -> int:
    """Call the system; return 0, or the number of the error."""
    if sys.platform != "linux":
        return errno.ENOSYS
    import ctypes

    function = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if function is None:
        return errno.ENOSYS
    return 0 if function(_HERE, one, _HERE, other, _EXCHANGE) == 0 else ctypes.get_errno()
