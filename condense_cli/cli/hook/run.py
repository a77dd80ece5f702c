"""Run `condense hook`: answer an event, or change the settings of a client."""

from __future__ import annotations

import os
import signal
import sys
import threading

from condense_cli.cli.boundary import show_traceback
from condense_cli.errors import ExitCode, UsageError
from condense_cli.hook.event import MOST_BYTES, Event, read_event
from condense_cli.hook.look import CUT_OFF, news
from condense_cli.output.hook import answer

_STDIN_SECONDS = 0.8  # a client writes its event at once, or never
_SECONDS = 4.0  # of time: what is asked of a disk may never come
_CPU_SECONDS = 0.8


def run(install: str | None = None, uninstall: str | None = None, dry_run: bool = False) -> int:
    """Return 0 for an event, whatever it is; for settings as every command does."""
    if install is None and uninstall is None and not dry_run:
        _answer()
        return int(ExitCode.FINE)
    if (install is None) == (uninstall is None):
        raise UsageError("name one client", "`condense hook --install claude-code --dry-run` shows what would change")
    from condense_cli.cli.hook.settings import change_settings  # an event asks for no settings

    return change_settings(install, uninstall, dry_run=dry_run)


def _answer() -> None:
    """Answer one event in time; nothing that goes wrong is the client's business."""
    if sys.stdin is None or sys.stdin.isatty():
        print("condense hook reads what a client's hook says on stdin; --install CLIENT puts it there", file=sys.stderr)
        return
    _end_in_time()
    try:
        watch = _watch(_STDIN_SECONDS)
        data = sys.stdin.buffer.read(MOST_BYTES)
        watch.cancel()
        event = read_event(data)
        text = "" if event is None else _said(event)
        if text:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
    except (Exception, KeyboardInterrupt):  # noqa: BLE001 - a hook never makes its client fail
        show_traceback(sys.exception() or Exception())


def _said(event: Event) -> str:
    found = news(event)
    if not found:
        return ""
    return answer(event.path, found, CUT_OFF)


def _end_in_time() -> None:
    """End the process with 0 and without an answer when it takes too long."""
    _watch(_SECONDS)
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGPROF, lambda *_: os._exit(int(ExitCode.FINE)))
        signal.setitimer(signal.ITIMER_PROF, _CPU_SECONDS)


def _watch(seconds: float) -> threading.Timer:
    """End the process with 0 after so much time, unless the watch is cancelled."""
    watch = threading.Timer(seconds, os._exit, (int(ExitCode.FINE),))
    watch.daemon = True
    watch.start()
    return watch
