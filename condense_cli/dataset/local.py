"""Parts on the processors of this machine. Outcomes come in the order of the parts."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor

from condense_cli.dataset.task import Outcome, Work
from condense_cli.storage.rows import Part

Judge = Callable[[Part, Work], Outcome]


def run_parts(parts: Sequence[Part], work: Work, workers: int, judge: Judge) -> Iterator[Outcome]:
    """Yield the outcome of each part, with at most two parts for each worker on their way: memory does not grow with
    the data.
    """
    if workers < 2 or len(parts) < 2:
        for part in parts:
            yield judge(part, work)
        return
    with ProcessPoolExecutor(workers, initializer=_ignore_interrupt) as pool:
        waiting: list[Future[Outcome]] = []
        try:
            for part in parts:
                waiting.append(pool.submit(judge, part, work))
                if len(waiting) >= 2 * workers:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _ignore_interrupt() -> None:
    """Leave Ctrl-C to the process that was started: a worker would only print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
