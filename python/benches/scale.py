"""Figures of `grognard.scale` on this machine: `python python/benches/scale.py [--runs 1e9] [speedup overhead memory]`.

Each figure is next to a control in the same run, because other programs share the processors. Times of processors are of all
processes of a measurement, and do not depend on the load.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import grognard
from grognard import scale

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5


def w1() -> grognard.Scenario:
    """Six turns under fire, a workload of docs/performance.md."""
    rules = grognard.Rules.from_text((ROOT / "benches/ratios/rules/w1.rules").read_text())
    table = rules.table().thing("Squad", "squad").start("Battle(squad)")
    return table.mean("squad.models").chance("squad.destroyed").build()


def processor() -> float:
    """The processor time of this process and of the workers that have ended, in seconds."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in map(resource.getrusage, who))


def resident() -> float:
    """The memory of this process, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Returns the wall time and the processor time of work, in seconds."""
    wall, used = time.perf_counter(), processor()
    work()
    return time.perf_counter() - wall, processor() - used


def spin(steps: int) -> int:
    """Work of the control, without a result of the package."""
    found = 1
    for _ in range(steps):
        found = found * 1_103_515_245 + 12_345 & 0x7FFFFFFF
    return found


def control(workers: int) -> None:
    with ProcessPoolExecutor(workers) as pool:
        list(pool.map(spin, [2_000_000] * 40))


def speedup() -> None:
    """Two workers against one."""
    scenario, runs = w1(), 60_000_000
    times: dict[Any, list[float]] = {}

    def sampled(workers: int) -> None:
        with ProcessPoolExecutor(workers) as pool:
            scale.simulate(scenario, runs, seed=1, executor=pool, unit_seconds=0.5, progress=False)

    for _ in range(ROUNDS):
        for workers in (1, 2):
            for name, work in (("W1", sampled), ("control", control)):
                times.setdefault((name, workers), []).append(timed(lambda w=work, n=workers: w(n))[0])  # type: ignore[misc]
    print(f"two worker processes against one, medians of {ROUNDS} interleaved rounds; load {os.getloadavg()[0]:.1f}")
    ratios = {}
    for name in ("W1", "control"):
        one, two = (statistics.median(times[name, workers]) for workers in (1, 2))
        ratios[name] = one / two
        print(f"  {name:8} one {one:6.2f} s, two {two:6.2f} s, ratio {one / two:.2f}")
    print(f"  ratio of W1 against that of the control: {ratios['W1'] / ratios['control']:.2f}")


def overhead() -> None:
    """Packed points of 200 ms on one worker process, against the same sweep in this process."""
    scenario, points = w1(), 40
    began = time.process_time()
    scenario.simulate(1_000_000, seed=1, threads=1, progress=False)
    runs = int(1_000_000 * 0.2 / (time.process_time() - began))
    over: Any = {"fire": list(range(1, points + 1))}
    scenario = swept()
    alone, scaled, walls = [], [], []

    def work() -> None:
        with ProcessPoolExecutor(1) as pool:
            scale.sweep(scenario, over, mode="sampled", runs=runs, seed=1, executor=pool, progress=False)

    for _ in range(ROUNDS):
        wall, used = timed(lambda: scenario.sweep(over, mode="sampled", runs=runs, seed=1, threads=1, progress=False))
        alone.append(used)
        other, used = timed(work)
        scaled.append(used)
        walls.append(other / wall)
    one, two = statistics.median(alone), statistics.median(scaled)
    print(f"{points} points of {one / points * 1e3:.0f} ms, packed; medians of {ROUNDS} interleaved rounds")
    print(f"  processor time: {one:.2f} s in one process, {two:.2f} s with a worker: overhead {100 * (two / one - 1):.1f}%")
    print(f"  wall time: overhead {100 * (statistics.median(walls) - 1):.1f}%; load {os.getloadavg()[0]:.1f}")


def swept() -> grognard.Scenario:
    """W1 with a param that a sweep varies and that does not change the cost of a run."""
    text = (ROOT / "benches/ratios/rules/w1.rules").read_text()
    text = text.replace("kind Squad", "param fire = 1\n\nkind Squad", 1)
    table = grognard.Rules.from_text(text).table().thing("Squad", "squad").start("Battle(squad)")
    return table.mean("squad.models + fire").build()


def memory(runs: int) -> None:
    """Many runs of W1 in flat memory of the driver."""
    scenario = w1()
    seen: list[tuple[int, float]] = []
    with ProcessPoolExecutor(2) as pool:
        scale.simulate(scenario, 1_000_000, seed=2, executor=pool, progress=False)
        wall, used = timed(
            lambda: scale.simulate(scenario, runs, seed=1, executor=pool, progress=lambda p: seen.append((p.runs, resident())))
        )
    print(f"{runs:.0e} runs of W1 on two worker processes: {wall:.0f} s, {wall / runs * 1e9:.0f} ns of wall time a run; load {os.getloadavg()[0]:.1f}")
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        done, size = seen[min(int(share * len(seen)), len(seen) - 1)]
        print(f"  after {done:>13,} runs: {size:.1f} MB resident in the driver")
    print(f"  processor time of the driver: {used:.2f} s, {100 * used / (2 * wall):.2f}% of two processors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=[])
    parser.add_argument("--runs", type=float, default=1e9)
    args = parser.parse_args()
    parts = {"speedup": speedup, "overhead": overhead, "memory": lambda: memory(int(args.runs))}
    for name in args.what or parts:
        parts[name]()


if __name__ == "__main__":
    main()
