"""Long work: Ctrl-C, progress, time, threads, processes."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grognard
import pytest
from conftest import LONG, ROOT

LATE = 0.7
"""The seconds within which work ends after a signal, on a busy machine."""


@pytest.fixture(scope="module")
def long() -> grognard.Scenario:
    """A scenario of which a run takes some milliseconds."""
    rules = grognard.Rules.from_text(LONG)
    return rules.table().thing("Side", "a", hits=0).call("fight", "a", 300).mean("a.hits").chance("a.hits > 10500").build()


def interrupted(work: object, after: float = 0.6) -> tuple[grognard.Interrupted, float]:
    """Returns the exception of work that gets a signal, and how long after the signal it came."""
    sent: list[float] = []
    # a shell ignores the signal in programs that it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        with pytest.raises(grognard.Interrupted) as caught:
            work()  # type: ignore[operator]
        return caught.value, time.monotonic() - sent[0]
    finally:
        timer.cancel()


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_sample_with_the_runs_so_far(long: grognard.Scenario, threads: int) -> None:
    error, late = interrupted(lambda: long.simulate(100_000_000, threads=threads, seed=1))
    assert late < LATE
    sample = error.partial
    assert isinstance(sample, grognard.Sample) and sample.stopped and 0 < sample.runs < 100_000_000
    low, high = sample["a.hits"].interval
    assert low <= 10_500 <= high
    assert isinstance(error.__cause__, KeyboardInterrupt)


def test_ctrl_c_ends_exact_work_with_bounds(hard: grognard.Scenario) -> None:
    error, late = interrupted(lambda: hard.odds(budget=100_000_000))
    assert late < LATE
    odds = error.partial
    assert isinstance(odds, grognard.Odds) and odds.stopped and not odds.exact
    low, high = odds.first.bounds
    assert 0 <= low < high <= 1


@pytest.fixture(scope="module")
def hard() -> grognard.Scenario:
    """Two squads that fire until one is gone, with a state for each history."""
    rules = grognard.Rules.from_text(
        "ruleset game/hard\n\nkind Squad { state men : 0..999999999 }\n\n"
        "proc fight(a: Squad, rounds: 0..1000) {\n  each i in 1 .. rounds {\n    roll x = d20\n    set a.men = remainder(a.men * 21 + x, 999999937)\n  }\n}\n"
    )
    return rules.table().thing("Squad", "a", men=1).call("fight", "a", 1000).chance("a.men > 500000000").build()


def test_ctrl_c_ends_comparisons_and_sweeps(long: grognard.Scenario) -> None:
    error, late = interrupted(lambda: long.compare(long.with_players(), mode="sampled", runs=100_000_000, every=True, within=1e-6))
    assert late < LATE and isinstance(error.partial, grognard.Comparison)
    volley = grognard.Scenario.load(ROOT / "docs", "first/volley.toml")
    over = {"hit_on": [2, 3, 4, 5, 6], "save_on": [2, 3, 4, 5, 6]}
    error, late = interrupted(lambda: volley.sweep(over, mode="sampled", runs=50_000_000))
    assert late < LATE and isinstance(error.partial, grognard.Sweep) and error.partial.stopped
    assert error.partial.finished < error.partial.points


def test_a_progress_function_sees_the_work_and_can_end_it(long: grognard.Scenario) -> None:
    seen: list[grognard.Progress] = []

    def look(progress: grognard.Progress) -> bool:
        seen.append(progress)
        return len(seen) < 3

    sample = long.simulate(100_000_000, progress=look)
    assert sample.stopped and len(seen) == 3
    assert seen[0].runs < seen[2].runs <= sample.runs and seen[2].total == 100_000_000 and seen[2].seconds > 0.3


def test_an_exception_of_a_progress_function_comes_out(long: grognard.Scenario) -> None:
    class Own(Exception):
        pass

    def look(_: grognard.Progress) -> None:
        raise Own("enough")

    with pytest.raises(Own, match="enough"):
        long.simulate(100_000_000, progress=look)


def test_time_ends_work_without_an_exception(long: grognard.Scenario, hard: grognard.Scenario) -> None:
    began = time.monotonic()
    assert long.simulate(100_000_000, time=0.3).stopped
    assert hard.odds(time=0.3).stopped
    assert time.monotonic() - began < 5


def test_progress_is_shown_on_request(long: grognard.Scenario, capsys: pytest.CaptureFixture[str]) -> None:
    long.simulate(100_000_000, time=1.6, progress=True)
    assert "simulate:" in capsys.readouterr().err
    long.simulate(100_000_000, time=1.3)
    assert capsys.readouterr().err == "", "nothing is shown where nobody looks"


def test_threads_share_one_object(volley: grognard.Scenario) -> None:
    expected = volley.odds().json()
    with ThreadPoolExecutor(8) as pool:
        odds = list(pool.map(lambda _: volley.odds().json(), range(40)))
        samples = {sample.json() for sample in pool.map(lambda _: volley.simulate(500, seed=3, threads=2), range(16))}
    assert set(odds) == {expected} and len(samples) == 1


def test_the_lock_is_free_during_work(long: grognard.Scenario) -> None:
    done = threading.Event()
    worker = threading.Thread(target=lambda: (long.simulate(100_000_000, time=1.0), done.set()))
    worker.start()
    count = 0
    while not done.is_set():
        time.sleep(0.001)
        count += 1
    worker.join()
    assert count > 100


def test_a_forked_child_works(volley: grognard.Scenario) -> None:
    volley.simulate(1000, threads=2)
    child = os.fork()
    if child == 0:
        found = volley.simulate(1000, seed=1, threads=2).runs == 1000 and volley.odds().exact
        os._exit(0 if found else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_program_that_is_interrupted_ends() -> None:
    code = (
        "import grognard\n"
        f"r = grognard.Rules.from_text({LONG!r})\n"
        "s = r.table().thing('Side', 'a', hits=0).call('fight', 'a', 300).mean('a.hits').build()\n"
        "print('begins', flush=True)\n"
        "s.simulate(100_000_000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stderr is not None
        assert child.stdout.readline() == "begins\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        assert child.wait(10) != 0
        assert "Interrupted" in child.stderr.read()
