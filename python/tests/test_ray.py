"""A Ray cluster whose workers, nodes and drivers are lost, and to which a node is added: the bytes of one process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grognard
import pytest
from conftest import LONG
from grognard import scale

pytestmark = pytest.mark.ray

RUNS = 20_000
"""Some seconds of work: a test has time to kill something."""


def table() -> grognard.Scenario:
    rules = grognard.Rules.from_text(LONG)
    return rules.table().thing("Side", "a", hits=0).call("fight", "a", 20000).mean("a.hits").chance("a.hits > 700000").build()


@pytest.fixture(scope="module")
def expected() -> str:
    return table().simulate(RUNS, seed=8).json()


@pytest.fixture(scope="module")
def environment() -> Iterator[None]:
    # a cluster of the tests needs no token, no statistics, and a folder that must exist
    os.environ.update(RAY_AUTH_MODE="disabled", RAY_USAGE_STATS_ENABLED="0", RAY_DEDUP_LOGS="0")
    os.makedirs("/tmp/ray", exist_ok=True)
    yield


@pytest.fixture
def cluster(environment: None) -> Iterator[Any]:
    """A head without processors, and two nodes with one each."""
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    yield found
    import ray

    ray.shutdown()
    found.shutdown()


def connect(cluster: Any, nodes: int) -> list[Any]:
    import ray

    added = [cluster.add_node(num_cpus=1) for _ in range(nodes)]
    ray.init(address=cluster.address, log_to_driver=False)
    cluster.wait_for_nodes()
    return added


class Watched(scale.Ray):
    """An executor that notes the processes of finished units, and calls a function after some of them."""

    def __init__(self, after: int, then: Any) -> None:
        super().__init__(in_flight_per_cpu=2)
        self.by: list[str] = []
        self.after, self.then = after, then

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        # in the thread of the driver, which a node of the tests needs
        if self.then and len(self.by) >= self.after:
            then, self.then = self.then, None
            then(self)
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self.note)
        return future

    def note(self, future: Any) -> None:
        if not future.cancelled() and future.exception() is None:
            self.by.append(future.result()[2])


def simulate(executor: Any, **more: Any) -> str:
    return scale.simulate(table(), RUNS, seed=8, executor=executor, unit_seconds=0.15, **more).json()


def test_a_worker_is_killed(cluster: Any, expected: str) -> None:
    connect(cluster, 2)
    killed: list[int] = []

    def kill(executor: Watched) -> None:
        killed.append(int(executor.by[-1].split(":")[1]))
        os.kill(killed[0], signal.SIGKILL)

    executor = Watched(4, kill)
    assert simulate(executor) == expected
    assert killed and len(set(executor.by)) > 2, "another worker took over"
    # other questions on the same cluster
    volley = grognard.Scenario.shipped("warstrike/scenarios/firefight.toml")
    own = scale.compare(volley, volley.with_(hit_on=3), mode="sampled", runs=40_000, seed=1, executor=scale.Ray())
    assert own.json() == volley.compare(volley.with_(hit_on=3), mode="sampled", runs=40_000, seed=1).json()
    swept = scale.sweep(volley, {"hit_on": [3, 4, 5]}, mode="sampled", runs=2_000, seed=1, executor=scale.Ray())
    assert swept.first.json() == volley.sweep({"hit_on": [3, 4, 5]}, mode="sampled", runs=2_000, seed=1).json()


def test_a_node_is_killed(cluster: Any, expected: str) -> None:
    nodes = connect(cluster, 2)
    executor = Watched(4, lambda _: cluster.remove_node(nodes[1], allow_graceful=False))
    assert simulate(executor) == expected


def test_a_node_is_added_late(cluster: Any, expected: str) -> None:
    connect(cluster, 1)
    executor = Watched(2, lambda _: cluster.add_node(num_cpus=1))
    assert simulate(executor) == expected
    assert len(set(executor.by)) > 1, "the second node took units"


DRIVER = """
import sys
sys.path.insert(0, {tests!r})
import ray
ray.init(address=sys.argv[1], log_to_driver=False)
from grognard import _store, scale
import test_ray
_store.EVERY = 0.2
print("begins", flush=True)
print(test_ray.simulate(scale.Ray(in_flight_per_cpu=2), journal=sys.argv[2]))
"""


def test_the_driver_is_killed_and_another_continues(cluster: Any, expected: str, tmp_path: Path) -> None:
    cluster.add_node(num_cpus=1)
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    code = DRIVER.format(tests=str(Path(__file__).parent))
    command = [sys.executable, "-c", code, cluster.address, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdout.readline() == "begins\n"
        ends = time.monotonic() + 60
        while len(list(tmp_path.glob("*.jsonl"))) < 2 and time.monotonic() < ends:
            time.sleep(0.05)
        child.send_signal(signal.SIGKILL)
    segments = len(list(tmp_path.glob("*.jsonl")))
    assert child.returncode == -signal.SIGKILL and segments > 0
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=200)
    assert done.stdout == f"begins\n{expected}\n"
    assert len(list(tmp_path.glob("*.jsonl"))) > segments
