"""Units on any executor give the bytes of one process, also after workers and drivers are lost."""

import json
import logging
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grognard
import pytest
from conftest import LONG, ROOT
from grognard import _store, scale
from grognard._grognard import _Job

FIREFIGHT = "warstrike/scenarios/firefight.toml"
FAULTY = """ruleset game/faulty

param die = 6

kind Squad { state men : 0..20 = 10; state luck : 0..6 = 1 }

proc volley(s: Squad) {
  roll aim = d6
  set s.men -= aim
  set s.luck = 6 / (die - aim) rounded down
}
"""
OVER = {"hit_on": [2, 3, 4, 5, 6], "save_on": [3, 4, 5]}


@pytest.fixture(scope="module")
def firefight() -> grognard.Scenario:
    return grognard.Scenario.shipped(FIREFIGHT)


@pytest.fixture(scope="module")
def slow() -> grognard.Scenario:
    """A scenario of which a run takes some milliseconds."""
    rules = grognard.Rules.from_text(LONG)
    return rules.table().thing("Side", "a", hits=0).call("fight", "a", 20000).mean("a.hits").chance("a.hits > 700000").build()


def executors() -> list[Any]:
    threads = [pytest.param(lambda n=n: ThreadPoolExecutor(n), id=f"{n} threads") for n in (1, 2, 8)]
    return threads + [pytest.param(lambda n=n: ProcessPoolExecutor(n), id=f"{n} processes") for n in (1, 2, 8)]


@pytest.fixture(params=executors())
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with request.param() as pool:
        yield pool


def test_a_sample_has_the_bytes_of_one_process(executor: Executor, firefight: grognard.Scenario) -> None:
    expected = firefight.simulate(6_000, seed=5).json()
    for seconds in (0.1, 2.0):
        own = scale.simulate(firefight, 6_000, seed=5, executor=executor, unit_seconds=seconds)
        assert isinstance(own, grognard.Sample) and own.json() == expected


def test_a_sample_ends_at_the_same_run(executor: Executor, firefight: grognard.Scenario) -> None:
    for of, until, most in [("laans.gone", "2%", 40_000), ("size(laans.present)", 0.000_1, 4_000)]:
        expected = firefight.simulate(most, of=of, until=until, seed=2)
        own = scale.simulate(firefight, most, of=of, until=until, seed=2, executor=executor, unit_seconds=0.2)
        assert own.json() == expected.json() and (own.runs < most) == (until == "2%")


def test_a_comparison_has_the_bytes_of_one_process(executor: Executor, firefight: grognard.Scenario) -> None:
    cases: list[tuple[grognard.Scenario, dict[str, Any]]] = [
        (firefight.with_(hit_on=3), {"runs": 20_000}),
        (firefight, {"runs": 2_500, "every": True, "unpaired": True, "within": "0.1%"}),
    ]
    for other, more in cases:
        expected = firefight.compare(other, mode="sampled", seed=4, **more)
        own = scale.compare(firefight, other, mode="sampled", seed=4, executor=executor, unit_seconds=0.3, **more)
        assert own.json() == expected.json() and own.pairs == expected.pairs and own.left_out == expected.left_out
        assert (own.pairs == more["runs"]) == (other is firefight)


@pytest.mark.parametrize("mode", ["auto", "exact", "sampled", None])
def test_a_sweep_has_the_bytes_of_one_process(executor: Executor, volley: grognard.Scenario, mode: Any) -> None:
    own = scale.sweep(volley, OVER, mode=mode, runs=300, seed=3, executor=executor, unit_seconds=0.01)
    expected = volley.sweep(OVER, mode=mode, runs=300, seed=3)
    assert own.first.json() == expected.json() and own.first.jsonl() == expected.jsonl()
    assert list(own) == ["first/volley.toml"] and "15 of 15 points" in own.summary()


def test_without_an_executor_processes_run(volley: grognard.Scenario) -> None:
    assert scale.simulate(volley, 5_000, seed=1).json() == volley.simulate(5_000, seed=1).json()


def test_an_exact_comparison_is_not_split(volley: grognard.Scenario) -> None:
    class Never(Executor):
        def submit(self, *_: Any, **__: Any) -> Any:
            raise AssertionError("nothing is submitted")

    other = volley.with_(hit_on=5)
    assert scale.compare(volley, other, executor=Never()).json() == volley.compare(other).json()


def test_runs_that_fail_are_counted_once(executor: Executor) -> None:
    table = grognard.Rules.from_text(FAULTY).table().thing("Squad", "a").call("volley", "a")
    scenario = table.mean("a.men").hist("a.men").chance("a.men > 6").expect("a.men > 4").build()
    expected = scenario.simulate(5_000, seed=1)
    own = scale.simulate(scenario, 5_000, seed=1, executor=executor, unit_seconds=0.01)
    assert own.json() == expected.json() and own.faults == expected.faults > 500
    first, fault = own.first_fault or (0, None)
    other, same = expected.first_fault or (1, None)
    assert first == other and str(fault) == str(same) and fault is not None and fault.place is not None
    swept = scale.sweep(scenario, {"die": [6, 7]}, mode="sampled", runs=200, executor=executor)
    assert swept.first.json() == scenario.sweep({"die": [6, 7]}, mode="sampled", runs=200).json()


def test_errors_of_the_question_are_raised(executor: Executor, volley: grognard.Scenario) -> None:
    with pytest.raises(grognard.InputError, match="runs"):
        scale.simulate(volley, 10**13, executor=executor)
    with pytest.raises(grognard.GrognardError, match="raider"):
        scale.simulate(volley, 100, of="raider.men", executor=executor)
    table = grognard.Rules.from_text(FAULTY.replace("(die - aim)", "(die - die)")).table()
    with pytest.raises(grognard.RunError):
        scale.simulate(table.thing("Squad", "a").call("volley", "a").mean("a.men").build(), 5_000, executor=executor)


# ---- scenarios and rules in other processes


def test_scenarios_and_rules_are_pickled_with_their_changes(volley: grognard.Scenario) -> None:
    changed = volley.with_(hit_on=5).measuring("raiders.men <= 2")
    again = pickle.loads(pickle.dumps(changed))
    assert again.odds().json() == changed.odds().json() and again.text == changed.text
    assert pickle.dumps(again) == pickle.dumps(changed)
    rules = grognard.Rules.load(ROOT / "docs", "first/volley")
    copy = pickle.loads(pickle.dumps(rules))
    assert copy.path == rules.path and copy.odds("2d6 + hit_on").json() == rules.odds("2d6 + hit_on").json()


def test_shipped_scenarios_are_pickled() -> None:
    paths = sorted(path.relative_to(ROOT / "rulesets").as_posix() for path in (ROOT / "rulesets").glob("*/scenarios/**/*.toml"))
    assert len(paths) > 200
    for path in paths[::9]:
        scenario = grognard.Scenario.load(ROOT / "rulesets", path)
        text = pickle.dumps(scenario)
        again = pickle.loads(text)
        assert pickle.dumps(again) == text and again.measures == scenario.measures, path


def test_what_was_loaded_before_is_not_part_of_a_scenario() -> None:
    def key(*paths: str) -> str:
        rules = grognard.Rules.shipped("warstrike/action-phase")
        return [_Job.simulate(rules.scenario(path), 100, "1 == 1", None, 1, None, None).key for path in paths][-1]

    other = "warstrike/scenarios/orders-under-fire.toml"
    assert key(FIREFIGHT) == key(other, FIREFIGHT) != key(other)


# ---- lost workers, repeated units, wrong units


class Altered(Executor):
    """Runs units in this process, and changes what they return."""

    def __init__(self, change: Any) -> None:
        self.change, self.calls = change, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        future: Future[Any] = Future()
        try:
            future.set_result(self.change(self.calls, fn, args))
        except Exception as error:
            future.set_exception(error)
        return future


def test_a_unit_that_is_delivered_twice_counts_once(volley: grognard.Scenario) -> None:
    def twice(_: int, fn: Any, args: Any) -> Any:
        parts, seconds, by = fn(*args)
        return parts + parts, seconds, by

    own = scale.simulate(volley, 40_000, seed=1, executor=Altered(twice))
    assert own.json() == volley.simulate(40_000, seed=1).json()
    swept = scale.sweep(volley, OVER, seed=1, executor=Altered(twice))
    assert swept.first.json() == volley.sweep(OVER, seed=1).json() and "15 repeated" in swept.summary()


def test_a_unit_with_two_results_names_both_processes(volley: grognard.Scenario) -> None:
    def wrong(call: int, fn: Any, args: Any) -> Any:
        parts, seconds, _ = fn(*args)
        first, last, text = parts[0]
        if call < 2:
            return parts, seconds, "node-a:1"
        other = text.replace('"faults":0', '"faults":1')
        assert other != text
        return [(0, 16, other)] if first else [(first, last, other)], seconds, "node-b:2"

    def first_again(call: int, fn: Any, args: Any) -> Any:
        return wrong(call, fn, args if call < 2 else (args[0], 0, 16))

    with pytest.raises(scale.ConflictError, match=r"node-a:1 and node-b:2 .* runs 0 to 15"):
        scale.simulate(volley, 40_000, seed=1, executor=Altered(first_again))


@pytest.mark.parametrize("text", ["", "{}", '{"faults":0}', "[[]]"])
def test_a_result_of_another_form_is_refused(volley: grognard.Scenario, text: str) -> None:
    def broken(_: int, fn: Any, args: Any) -> Any:
        return [(args[1], args[2], text)], 0.1, "node:1"

    with pytest.raises(grognard.InputError, match="version"):
        scale.simulate(volley, 40_000, seed=1, executor=Altered(broken))


def test_a_lost_unit_is_tried_again(volley: grognard.Scenario, caplog: pytest.LogCaptureFixture) -> None:
    def lost(call: int, fn: Any, args: Any) -> Any:
        if call % 3 == 0:
            raise ConnectionError("the node is gone")
        return fn(*args)

    with caplog.at_level(logging.WARNING):
        own = scale.simulate(volley, 40_000, seed=1, executor=Altered(lost))
    assert own.json() == volley.simulate(40_000, seed=1).json() and "the node is gone" in caplog.text
    tries = Altered(lambda *_: (_ for _ in ()).throw(ConnectionError("always")))
    with pytest.raises(ConnectionError, match="always"):
        scale.simulate(volley, 40_000, executor=tries)


def die_once(mark: str) -> None:
    """Kills the worker that begins second."""
    with open(mark, "a") as file:
        file.write("x")
    if os.path.getsize(mark) == 2:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_of_a_pool_is_replaced(slow: grognard.Scenario, tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, initializer=die_once, initargs=(str(tmp_path / "mark"),)) as pool:
        own = scale.simulate(slow, 400, seed=1, executor=pool, unit_seconds=0.02)
    assert (tmp_path / "mark").stat().st_size > 2, "a worker was killed"
    assert own.json() == slow.simulate(400, seed=1).json()


# ---- journals


DRIVER = """
import sys
import grognard
from concurrent.futures import ThreadPoolExecutor
from grognard import _store, scale
_store.EVERY = 0.05
rules = grognard.Rules.from_text({rules!r})
table = rules.table().thing("Side", "a", hits=0).call("fight", "a", 20000).mean("a.hits").chance("a.hits > 700000").build()
print("begins", flush=True)
own = scale.simulate(table, 6000, seed=6, executor=ThreadPoolExecutor(1), unit_seconds=0.05, journal=sys.argv[1])
print(own.json())
"""


def driven(journal: Path) -> subprocess.Popen[str]:
    code = DRIVER.format(rules=LONG)
    return subprocess.Popen([sys.executable, "-c", code, str(journal)], stdout=subprocess.PIPE, text=True)


def killed(journal: Path) -> None:
    """Runs a driver until its journal has some segments, and kills it."""
    with driven(journal) as child:
        assert child.stdout is not None and child.stdout.readline() == "begins\n"
        ends = time.monotonic() + 60
        while len(list(journal.glob("*.jsonl"))) < 3 and time.monotonic() < ends:
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL


def parts(journal: Path) -> int:
    return sum(file.read_text().count("\n") - 1 for file in journal.glob("*.jsonl"))


def test_a_new_driver_continues_from_the_journal(slow: grognard.Scenario, tmp_path: Path) -> None:
    killed(tmp_path)
    before = parts(tmp_path)
    expected = slow.simulate(6_000, seed=6).json()
    with driven(tmp_path) as child:
        assert child.stdout is not None and child.stdout.read() == f"begins\n{expected}\n"
    assert parts(tmp_path) > before > 0
    calls = Altered(lambda *_: pytest.fail("everything is in the journal"))
    assert scale.simulate(slow, 6_000, seed=6, executor=calls, journal=tmp_path).json() == expected


@pytest.fixture
def kept(volley: grognard.Scenario, tmp_path: Path) -> Path:
    """The journal of a sweep."""
    scale.sweep(volley, OVER, seed=1, executor=ThreadPoolExecutor(1), journal=tmp_path)
    return tmp_path


def resumed(volley: grognard.Scenario, journal: Path) -> scale.Swept:
    own = scale.sweep(volley, OVER, seed=1, executor=ThreadPoolExecutor(1), journal=journal)
    assert own.first.json() == volley.sweep(OVER, seed=1).json()
    return own


def test_the_journal_has_sealed_lines(volley: grognard.Scenario, kept: Path) -> None:
    (segment,) = kept.iterdir()
    head, *lines = segment.read_text().splitlines()
    assert json.loads(head)["journal"] == 1 and len(lines) == 15
    assert all(json.loads(line)["counts"][0]["scenario"] == "first/volley.toml" for line in lines)
    assert "15 parts from the journal" in resumed(volley, kept).summary()


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_cut_segment_is_ignored_with_a_note(volley: grognard.Scenario, kept: Path, cut: int) -> None:
    (segment,) = kept.iterdir()
    segment.write_bytes(segment.read_bytes()[:-cut])
    with pytest.warns(scale.ScaleWarning, match="damaged line"):
        assert " 0 parts" not in resumed(volley, kept).summary()


def test_a_damaged_line_and_a_damaged_segment_are_ignored(volley: grognard.Scenario, kept: Path) -> None:
    (segment,) = kept.iterdir()
    whole = segment.read_text()
    segment.write_text(whole.replace('"point":3', '"point":4', 1))
    with pytest.warns(scale.ScaleWarning, match="1 damaged line "):
        assert "14 parts" in resumed(volley, kept).summary()
    (kept / "00000009-ab.jsonl").write_text(whole[5:])
    with pytest.warns(scale.ScaleWarning, match="a damaged segment"):
        resumed(volley, kept)


def test_a_journal_of_another_question_is_refused(volley: grognard.Scenario, kept: Path) -> None:
    with pytest.raises(grognard.InputError, match="another question"):
        scale.sweep(volley, OVER, seed=2, executor=ThreadPoolExecutor(1), journal=kept)
    with pytest.raises(grognard.InputError, match="another question"):
        scale.simulate(volley, 100, executor=ThreadPoolExecutor(1), journal=kept)


def test_segments_of_two_drivers_are_joined(volley: grognard.Scenario, kept: Path) -> None:
    (segment,) = kept.iterdir()
    copy = segment.with_name("00000000-cd.jsonl")
    copy.write_text(segment.read_text())
    assert "15 repeated" in resumed(volley, kept).summary()
    part = _store.Part(0, 3, 4, "[]", "node-b:2")
    journal = _store.Journal(kept, json.loads(segment.read_text().splitlines()[0])["key"])
    journal.add(part)
    journal.flush()
    with pytest.raises(scale.ConflictError, match="node-b:2.* have different results for points 3 to 3"):
        resumed(volley, kept)


def test_a_journal_can_be_at_a_url(volley: grognard.Scenario) -> None:
    first = scale.sweep(volley, OVER, seed=1, executor=ThreadPoolExecutor(1), journal="memory://kept/journal")
    again = scale.sweep(volley, OVER, seed=1, executor=ThreadPoolExecutor(1), journal="memory://kept/journal")
    assert "15 parts from the journal" in again.summary() and again.first.json() == first.first.json()


# ---- results as files, progress


@pytest.mark.parametrize("url", [False, True])
def test_results_are_parquet_partitioned_by_scenario(
    volley: grognard.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: bool
) -> None:
    import polars
    import pyarrow
    import pyarrow.dataset

    monkeypatch.setattr(scale, "POINTS_IN_A_FILE", 4)
    out = f"file://{tmp_path}/out" if url else str(tmp_path / "out")
    scenarios = [volley, volley.with_(hit_on=3)]
    done = scale.sweep(scenarios, {"save_on": range(2, 7)}, seed=1, executor=ThreadPoolExecutor(1), out=out)
    assert list(done) == ["first/volley.toml", "first/volley.toml#2"]
    written = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file())
    folders = ["scenario=first%2Fvolley.toml", "scenario=first%2Fvolley.toml%232"]
    assert written == sorted(["_done.json", *(f"{name}/part-0000{n}.parquet" for name in folders for n in (0, 1))])
    assert json.loads((tmp_path / "out/_done.json").read_text())["finished"] == 10
    table = pyarrow.dataset.dataset(tmp_path / "out" / folders[1]).to_table()
    assert table.sort_by("point").equals(pyarrow.table(done["first/volley.toml#2"]).sort_by("point"))
    assert polars.read_parquet(f"{tmp_path}/out/**/*.parquet").height == 2 * table.num_rows
    with pytest.raises(grognard.InputError, match="another question"):
        scale.sweep(volley, {"save_on": [3]}, executor=ThreadPoolExecutor(1), out=out)


def test_a_progress_function_sees_the_work_and_can_end_it(slow: grognard.Scenario) -> None:
    seen: list[Any] = []

    def look(progress: Any) -> bool:
        seen.append(progress)
        return progress.runs < 100

    with ThreadPoolExecutor(2) as pool:
        sample = scale.simulate(slow, 10**9, seed=1, executor=pool, unit_seconds=0.1, progress=look)
    assert sample.stopped and 100 <= seen[-1].runs <= sample.runs < 10**6 and seen[-1].total == 10**9
    assert sample.first.counted == sample.runs


def test_ctrl_c_ends_the_work_with_the_runs_so_far(slow: grognard.Scenario, tmp_path: Path) -> None:
    def look(progress: Any) -> None:
        if progress.runs > 50:
            os.kill(os.getpid(), signal.SIGINT)

    with ThreadPoolExecutor(1) as pool, pytest.raises(grognard.Interrupted) as caught:
        scale.simulate(slow, 10**9, executor=pool, unit_seconds=0.1, progress=look, journal=tmp_path)
    assert caught.value.partial.stopped and caught.value.partial.runs > 50
    assert parts(tmp_path) > 0


def test_few_units_wait_at_a_time(slow: grognard.Scenario) -> None:
    waiting: list[int] = []

    class Counted(ThreadPoolExecutor):
        def submit(self, *args: Any, **kwargs: Any) -> Any:
            waiting.append(self._work_queue.qsize())
            return super().submit(*args, **kwargs)

    with Counted(2) as pool:
        scale.simulate(slow, 1_000, seed=1, executor=pool, unit_seconds=0.01)
    assert len(waiting) > 10 and max(waiting) <= 4
