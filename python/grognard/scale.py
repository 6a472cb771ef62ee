"""Work on many processes or machines: samples, comparisons and sweeps in units that any executor runs.

A unit takes about two seconds. It is a pure function of the question and a range of runs, pairs or points, and its
result is whole numbers. The results are merged in the order of runs, so neither the executor, nor the sizes of units, nor
lost and repeated units change a result: it has the bytes that one process gives.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import math
import os
import queue
import socket
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal, cast
from urllib.parse import quote

from grognard import _progress
from grognard._errors import GrognardError, InputError, Interrupted
from grognard._grognard import Comparison, Sample, Scenario, Sweep, __version__, _Gatherer, _Job
from grognard._store import Journal, Part, ScaleWarning, folder

__all__ = ["ConflictError", "Ray", "ScaleWarning", "Swept", "compare", "simulate", "sweep"]

TRIES = 4
"""How often a unit is tried if its worker is lost."""

POINTS_IN_A_FILE = 10_000
"""The points of one file of a sweep."""

_Where = str | os.PathLike[str]
_log = logging.getLogger("grognard.scale")


class ConflictError(GrognardError):
    """Two processes gave different results for the same unit: another version, or a fault of a machine."""


def simulate(
    scenario: Scenario,
    runs: int | None = None,
    *,
    of: str | Sequence[str] | None = None,
    given: str | None = None,
    seed: int | None = None,
    until: str | float | None = None,
    level: str | float | None = None,
    executor: Executor | None = None,
    unit_seconds: float = 2.0,
    journal: _Where | None = None,
    progress: Any = None,
) -> Sample:
    """Plays many runs on an executor, and estimates the measures, as `Scenario.simulate` does.

    `runs` is at most 1,000,000,000,000. `executor` is any `concurrent.futures.Executor`; without one, a process runs on
    each processor. `journal` is a folder, or an fsspec URL, from which the same call continues.
    """
    job = _Job.simulate(scenario, runs, of, given, seed, until, level)
    return cast(Sample, _Driver([job], executor, unit_seconds, journal, progress, "simulate").run()[0])


def compare(
    a: Scenario,
    b: Scenario,
    *,
    of: str | Sequence[str] | None = None,
    within: str | float | None = None,
    runs: int | None = None,
    mode: Literal["auto", "exact", "sampled"] = "auto",
    budget: int | None = None,
    every: bool = False,
    unpaired: bool = False,
    seed: int | None = None,
    executor: Executor | None = None,
    unit_seconds: float = 2.0,
    journal: _Where | None = None,
    progress: Any = None,
) -> Comparison:
    """Compares two versions, as `Scenario.compare` does. Pairs of runs are played on an executor.

    An exact answer does not split, so this process computes it, if the mode demands one.
    """
    begun = _Job.compare(a, b, of, within, runs, mode, budget, every, unpaired, seed)
    if begun.exact is not None:
        return begun.exact
    assert begun.job is not None
    return cast(Comparison, _Driver([begun.job], executor, unit_seconds, journal, progress, "compare").run()[0])


def sweep(
    scenario: Scenario | Iterable[Scenario],
    over: Mapping[str, Iterable[Any] | None] | None = None,
    *,
    measures: str | Sequence[str] | None = None,
    mode: Literal["auto", "exact", "sampled"] | None = None,
    runs: int | None = None,
    budget: int | None = None,
    seed: int | None = None,
    level: str | float | None = None,
    executor: Executor | None = None,
    unit_seconds: float = 2.0,
    journal: _Where | None = None,
    out: _Where | None = None,
    progress: Any = None,
) -> Swept:
    """Measures one or more scenarios at each point of a grid, as `Scenario.sweep` does. Points run on an executor.

    Small points share a unit. `out` is a folder, or an fsspec URL, for the rows as Parquet, partitioned by scenario.
    """
    scenarios = [scenario] if isinstance(scenario, Scenario) else list(scenario)
    if not scenarios:
        raise InputError("there is no scenario to measure\n  help: pass a scenario, or a list of them")
    values = {name: None if some is None else list(some) for name, some in over.items()} if over is not None else None
    of = measures
    jobs = [_Job.sweep(one, values, of, mode, runs, budget, seed, level) for one in scenarios]
    driver = _Driver(jobs, executor, unit_seconds, journal, progress, "sweep")
    done = Swept(_names(jobs), cast(list[Sweep], driver.run()), driver.facts)
    if out is not None:
        _write(out, done, driver.key)
    return done


def _names(jobs: list[_Job]) -> list[str]:
    """Returns the path of the scenario of each job, with a number if it recurs."""
    names: list[str] = []
    for job in jobs:
        path = str(json.loads(job.text)["scenario"]["path"])
        numbered = (path if n == 1 else f"{path}#{n}" for n in itertools.count(1))
        names.append(next(name for name in numbered if name not in names))
    return names


@dataclass
class _Facts:
    """Numbers about the work. They are not part of a result."""

    units: int = 0
    resumed: int = 0
    repeated: int = 0
    retried: int = 0


class Swept(Mapping[str, Sweep]):
    """The sweeps of one or more scenarios, by the path of the scenario."""

    def __init__(self, names: list[str], sweeps: list[Sweep], facts: _Facts) -> None:
        self._sweeps = dict(zip(names, sweeps, strict=True))
        self._facts = facts

    def __getitem__(self, name: str) -> Sweep:
        return self._sweeps[name]

    def __iter__(self) -> Any:
        return iter(self._sweeps)

    def __len__(self) -> int:
        return len(self._sweeps)

    @property
    def first(self) -> Sweep:
        """The sweep of the first scenario."""
        return next(iter(self._sweeps.values()))

    def summary(self) -> str:
        """Returns what was done, as a line of text."""
        all_of = self._sweeps.values()
        done, points, facts = sum(s.finished for s in all_of), sum(s.points for s in all_of), self._facts
        return (
            f"{done:,} of {points:,} points, {facts.units:,} units, {facts.resumed:,} parts from the journal, "
            f"{facts.repeated:,} repeated, {facts.retried:,} tried again"
        )

    def __repr__(self) -> str:
        return f"<Swept: {self.summary()}>"


def _write(out: _Where, done: Swept, key: str) -> None:
    """Writes the rows as Parquet, each file under a temporary name first, and `_done.json` last."""
    try:
        import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]
        import pyarrow.compute  # type: ignore[import-untyped,import-not-found,unused-ignore]
        import pyarrow.parquet  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError as error:
        raise ImportError("Parquet needs the package PyArrow: pip install pyarrow") from error
    target = folder(out)
    if "_done.json" in target.names() and json.loads(target.read("_done.json")).get("key") != key:
        raise InputError(f"{os.fspath(out)} has the results of another question\n  help: use another folder")
    files = []
    for name, one in done.items():
        table = pyarrow.table(one)
        for part, first in enumerate(range(0, one.points, POINTS_IN_A_FILE)):
            point = table["point"]
            inside = pyarrow.compute.and_(
                pyarrow.compute.greater_equal(point, first), pyarrow.compute.less(point, first + POINTS_IN_A_FILE)
            )
            data = pyarrow.BufferOutputStream()
            pyarrow.parquet.write_table(table.filter(inside), data)
            files.append(f"scenario={quote(name, safe='')}/part-{part:05}.parquet")
            target.write(files[-1], data.getvalue().to_pybytes())
    facts = {"grognard": __version__, "key": key, "points": sum(s.points for s in done.values()), "files": files}
    facts["finished"] = sum(s.finished for s in done.values())
    target.write("_done.json", (json.dumps(facts, indent=1) + "\n").encode())


_jobs: dict[str, _Job] = {}
"""The last jobs of this worker."""


def _job(text: str) -> _Job:
    """Builds the job of a text once in each worker."""
    found = _jobs.get(text) or _Job.read(text)
    _jobs[text] = found
    while len(_jobs) > 16:
        _jobs.pop(next(iter(_jobs)), None)
    return found


def _work(text: str, first: int, last: int) -> tuple[list[tuple[int, int, str]], float, str]:
    """Computes a unit in a worker. Returns its parts, the seconds, and the process."""
    job = _job(text)
    began = time.perf_counter()
    parts = job.unit(first, last)
    return parts, time.perf_counter() - began, f"{socket.gethostname()}:{os.getpid()}"


class _Track:
    """The progress of one job."""

    def __init__(self, index: int, job: _Job, facts: _Facts) -> None:
        self.index, self.job, self.facts = index, job, facts
        self.text, self.size = job.text, job.size
        self.gatherer: _Gatherer = job.gatherer()
        self.planned = 0
        self.stored: dict[int, Part] = {}
        self.held: dict[int, Part] = {}
        self.known: dict[tuple[int, int], tuple[bytes, str]] = {}
        self.count = self.seconds = 0.0
        self.largest = 1 if job.is_sweep else 16

    @property
    def done(self) -> bool:
        return self.gatherer.done

    def store(self, part: Part) -> None:
        """Adds a part of the journal. Of parts that begin together, the longest is used."""
        if self.is_new(part) and (part.first not in self.stored or self.stored[part.first].last < part.last):
            self.stored[part.first] = part

    def is_new(self, part: Part) -> bool:
        """Returns whether the part was not seen before. A part that was seen must have the same counts."""
        key, sum_of = (part.first, part.last), hashlib.sha256(part.text.encode()).digest()
        if key not in self.known:
            self.known[key] = (sum_of, sys.intern(part.by))
            return True
        before, by = self.known[key]
        if before != sum_of:
            what = "points" if self.job.is_sweep else "runs"
            raise ConflictError(
                f"{by} and {part.by} have different results for {what} {part.first} to {part.last - 1}\n"
                "  help: use one version of this package on all machines, and check their memory"
            )
        self.facts.repeated += 1
        return False

    def take(self, part: Part) -> bool:
        """Adds a part to the result, as soon as all parts before it are there. Returns whether it is new."""
        if not self.is_new(part):
            return False
        self.merge(part)
        return True

    def merge(self, part: Part) -> None:
        # another driver can have units of other sizes, which overlap
        if part.first >= self.gatherer.reached:
            self.held[part.first] = part
        while not self.done and (next_one := self.held.pop(self.gatherer.reached, None)) is not None:
            self.gatherer.add(next_one.first, next_one.last, next_one.text)
        if self.done:
            self.held.clear()

    def next(self, seconds: float, slots: int) -> tuple[int, int] | None:
        """Returns the next unit, or `None` if none is needed now. Parts of the journal are used first."""
        while not self.done and (part := self.stored.pop(self.planned, None)) is not None:
            self.planned = part.last
            self.facts.resumed += 1
            self.merge(part)
        # parts that wait for an earlier one fill the memory
        full = not self.job.is_sweep and len(self.held) > 8 * slots + 64
        if self.done or self.planned >= self.size or full:
            return None
        first, left = self.planned, self.size - self.planned
        many = self.largest
        if self.seconds > 0:
            in_time = self.count / self.seconds * seconds
            fair = max(left / slots, in_time / 20)
            many = max(1, int(min(in_time, fair, 8 * self.largest)))
        last = min([first + min(many, left), *(other for other in self.stored if other > first)])
        self.planned = last
        return first, last

    def measured(self, many: int, seconds: float) -> None:
        """Notes the seconds of a unit. Later units count more."""
        self.count, self.seconds = self.count * 0.8 + many, self.seconds * 0.8 + max(seconds, 1e-6)
        self.largest = max(self.largest, many)


@dataclass
class _Now:
    """The progress, as `grognard.Progress` has it."""

    runs: int
    points: int
    total: int | None
    doing: str
    seconds: float


@dataclass
class _Unit:
    track: _Track
    first: int
    last: int
    tries: int = 0
    executor: Executor | None = field(default=None, repr=False)


class _Driver:
    """Submits units, takes their parts, and keeps the journal."""

    def __init__(
        self,
        jobs: list[_Job],
        executor: Executor | None,
        unit_seconds: float,
        journal: _Where | None,
        progress: Any,
        what: str,
    ) -> None:
        if not (unit_seconds > 0 and math.isfinite(unit_seconds)):
            raise InputError(f"unit_seconds: expected a number above 0, found {unit_seconds}\n  help: use about 2")
        self.facts = _Facts()
        self.tracks = [_Track(index, job, self.facts) for index, job in enumerate(jobs)]
        self.unit_seconds, self.progress, self.what = unit_seconds, progress, what
        self.executor, self.own = executor, executor is None
        keys = [job.key for job in jobs]
        self.key = keys[0] if len(keys) == 1 else hashlib.sha256("\n".join(keys).encode()).hexdigest()
        self.journal = Journal(journal, self.key) if journal is not None else None
        self.running: dict[Future[Any], _Unit] = {}
        self.again: list[_Unit] = []
        self.came: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()

    def run(self) -> list[Sample | Comparison | Sweep]:
        """Returns the result of each job."""
        for part in self.journal.parts() if self.journal else ():
            if part.job < len(self.tracks):
                self.tracks[part.job].store(part)
        report = _progress.reporter(self.progress, self.what)
        if self.executor is None:
            self.executor = ProcessPoolExecutor()
        try:
            self._loop(report)
        except KeyboardInterrupt as error:
            raise Interrupted(self._partial()) from error
        finally:
            _progress.finish(report)
            for future in self.running:
                future.cancel()
            if self.own:
                self.executor.shutdown(wait=False, cancel_futures=True)
            if self.journal:
                self.journal.flush()
        return [track.gatherer.finish() for track in self.tracks]

    def _partial(self) -> Any:
        reached = [track for track in self.tracks if track.gatherer.reached > 0]
        return reached[0].gatherer.finish() if reached else None

    def _loop(self, report: Callable[[Any], object] | None) -> None:
        began = reported = time.monotonic()
        while True:
            self._submit()
            if not self.running:
                return
            try:
                self._arrived(self.came.get(timeout=0.1))
                while True:
                    self._arrived(self.came.get_nowait())
            except queue.Empty:
                pass
            if all(track.done for track in self.tracks):
                return
            now = time.monotonic()
            if report and now - reported >= 0.2:
                reported = now
                if report(cast(Any, self._now(now - began))) is False:
                    return

    def _now(self, seconds: float) -> _Now:
        reached = sum(track.gatherer.reached for track in self.tracks)
        sweep = self.tracks[0].job.is_sweep
        total = sum(track.size for track in self.tracks)
        return _Now(0 if sweep else reached, reached if sweep else 0, None if sweep else total, "", seconds)

    def _slots(self) -> int:
        """Returns the number of units that are submitted at a time: two for each worker, so that none waits."""
        own = getattr(self.executor, "in_flight", None)
        workers = getattr(self.executor, "_max_workers", None) or os.cpu_count() or 1
        return max(1, int(own if own is not None else 2 * workers))

    def _submit(self) -> None:
        slots = self._slots()
        while len(self.running) < slots:
            unit = self.again.pop() if self.again else self._next(slots)
            if unit is None:
                return
            if unit.track.done:
                continue
            assert self.executor is not None
            try:
                future = self.executor.submit(_work, unit.track.text, unit.first, unit.last)
            except BrokenExecutor as error:
                self._renew(self.executor, error)
                self.again.append(unit)
                continue
            unit.executor = self.executor
            self.running[future] = unit
            future.add_done_callback(self.came.put)

    def _next(self, slots: int) -> _Unit | None:
        for track in self.tracks:
            found = track.next(self.unit_seconds, slots)
            if found is not None:
                return _Unit(track, *found)
        return None

    def _arrived(self, future: Future[Any]) -> None:
        unit = self.running.pop(future)
        error = future.exception()
        if error is not None:
            self._lost(unit, error)
            return
        parts, seconds, by = future.result()
        self.facts.units += 1
        unit.track.measured(unit.last - unit.first, seconds)
        for first, last, text in parts:
            part = Part(unit.track.index, first, last, text, by)
            if unit.track.take(part) and self.journal:
                self.journal.add(part)

    def _lost(self, unit: _Unit, error: BaseException) -> None:
        """Tries a unit again whose worker was lost. An error of the question is raised."""
        if isinstance(error, (GrognardError, KeyboardInterrupt)):
            raise error
        if isinstance(error, BrokenExecutor) and unit.executor is self.executor and self.executor is not None:
            self._renew(self.executor, error)
        unit.tries += 1
        _log.warning("the unit %d..%d is tried again: %s: %s", unit.first, unit.last, type(error).__name__, error)
        if unit.tries >= TRIES:
            raise error
        self.facts.retried += 1
        self.again.append(unit)

    def _renew(self, broken: Executor, error: BaseException) -> None:
        """Replaces a pool of processes whose worker was killed. Its arguments are only in private fields."""
        if type(broken) is not ProcessPoolExecutor:
            raise error
        old = cast(Any, broken)
        if self.own:
            broken.shutdown(wait=False)
        self.executor = ProcessPoolExecutor(old._max_workers, old._mp_context, old._initializer, old._initargs)
        self.own = True


class Ray(Executor):
    """An executor on a Ray cluster, which `ray.init` has connected. Ray tries a task again whose worker or node is lost.

    The package must be installed on every node. `in_flight_per_cpu` is the number of units for each processor of the
    cluster that are submitted at a time; nodes that join later count.
    """

    def __init__(self, *, in_flight_per_cpu: int = 4, max_retries: int = 3) -> None:
        try:
            import ray  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ImportError as error:
            raise ImportError("scale.Ray needs the package Ray: pip install ray") from error
        if not ray.is_initialized():
            ray.init()
        self._ray: Any = ray
        self._per_cpu = in_flight_per_cpu
        self._task = ray.remote(num_cpus=1, max_retries=max_retries)(_call)
        self._texts: dict[str, Any] = {}
        self._open: set[Any] = set()
        self._cpus, self._looked = 1.0, -math.inf

    @property
    def in_flight(self) -> int:
        """The number of tasks that are submitted at a time."""
        now = time.monotonic()
        if now - self._looked > 2:
            self._cpus, self._looked = self._ray.cluster_resources().get("CPU", 1.0), now
        return max(2, int(self._per_cpu * self._cpus))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submits a task. Long texts are stored in the cluster once. Waits if too many tasks are open."""
        while len(self._open) >= self.in_flight:
            self._ray.wait(list(self._open), num_returns=1, timeout=1.0)
        ref = self._task.remote(fn, *(self._stored(arg) for arg in args), **kwargs)
        self._open.add(ref)
        future: Future[Any] = ref.future()
        future.add_done_callback(lambda _: self._open.discard(ref))
        return future

    def _stored(self, arg: Any) -> Any:
        if not isinstance(arg, str) or len(arg) < 10_000:
            return arg
        if arg not in self._texts:
            self._texts[arg] = self._ray.put(arg)
        return self._texts[arg]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Forgets the tasks. The cluster stays connected."""
        refs = list(self._open)
        for ref in refs if cancel_futures else ():
            self._ray.cancel(ref)
        if wait and refs and not cancel_futures:
            self._ray.wait(refs, num_returns=len(refs))


def _call(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return fn(*args, **kwargs)
