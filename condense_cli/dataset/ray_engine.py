"""Parts on a Ray cluster: the same function as on one machine, as a Ray Data pipeline (extra `ray`).

Ray schedules, retries parts whose worker died, and shows progress; nothing of that is written here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from condense_cli.dataset.task import Outcome, Work
from condense_cli.errors import UsageError
from condense_cli.storage.rows import Part


def run_parts(parts: Sequence[Part], work: Work, judge: Callable[[Part, Work], Outcome]) -> Iterator[Outcome]:
    """Yield the outcome of each part, in the order of the parts.

    The cluster is that of RAY_ADDRESS, else a local one.
    """
    try:
        import ray
    except ModuleNotFoundError:
        raise UsageError("--engine ray needs the extra `ray`", "pip install 'condense-cli[ray]'") from None
    if not ray.is_initialized():
        ray.init(address=os.environ.get("RAY_ADDRESS") or None, log_to_driver=False)
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    rows = ray.data.from_items([{"part": tuple(part)} for part in parts], override_num_blocks=len(parts))
    for row in rows.map(partial(_judge, work=tuple(work), judge=judge)).iter_rows():
        yield row["outcome"]


def _judge(row: dict[str, Any], work: tuple[Any, ...], judge: Callable[[Part, Work], Outcome]) -> dict[str, Any]:
    return {"outcome": judge(Part(*row["part"]), Work(*work))}
