"""The same parts on a Ray cluster of two nodes."""

import json
import os
import signal

import pytest
from condense_cli.dataset import local
from condense_cli.dataset.task import Work, run
from condense_cli.storage.rows import parts_of
from tests.dataset.rows import GOOD, asks, call, chat, lines

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
ray = pytest.importorskip("ray")
WORK = Work(findings=True)


@pytest.fixture
def cluster(monkeypatch):
    """A cluster of two nodes on this machine."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def once(part, work, mark):
    """Judge a part; the first worker that comes to part 3 is killed."""
    if part.start == mark[0] and not os.path.exists(mark[1]):
        open(mark[1], "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return run(part, work)


def test_a_cluster_finds_the_same_and_survives_a_killed_worker(cluster, tmp_path):
    """Counts and findings are those of one machine, in the same order."""
    from functools import partial

    from condense_cli.dataset import ray_engine

    path = tmp_path / "rows.jsonl"
    path.write_bytes(lines(*({"id": n, "messages": chat(asks(call("c1"))) if n % 7 == 0 else GOOD} for n in range(200))))
    parts = parts_of(str(path), 4000)
    here = list(local.run_parts(parts, WORK, 1, run))
    judge = partial(once, mark=(parts[3].start, str(tmp_path / "killed")))
    there = list(ray_engine.run_parts(parts, WORK, judge))

    assert (tmp_path / "killed").exists()
    assert json.dumps(there) == json.dumps(here)
