"""Every shipped scenario gives the same bytes as on the command line."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grognard
import pytest
from conftest import ROOT

FOLDERS = [(ROOT / "docs", "first/*.toml"), (ROOT / "rulesets", "*/scenarios/**/*.toml")]
SCENARIOS = [(folder, path.relative_to(folder).as_posix()) for folder, form in FOLDERS for path in sorted(folder.glob(form))]

STATES = 1000
RUNS = 50
SEED = 7


def ask(program: Path, folder: Path, *args: object) -> tuple[bool, str]:
    """Returns whether the command line has an answer, and its output."""
    command = [str(program), *map(str, args)]
    quiet = dict(os.environ, GROGNARD_PROJECT="", NO_COLOR="1")
    done = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, env=quiet, check=False)
    return bool(done.stdout.strip()), done.stdout.decode()


def compared(program: Path, folder: Path, path: str) -> list[str]:
    """Returns what differs, and what both refuse."""
    scenario = grognard.Scenario.load(folder, path)
    questions = {
        "odds": (
            lambda: scenario.odds(budget=STATES).json() + "\n",
            ["odds", path, "--budget", STATES, "--format", "json"],
        ),
        "simulate": (
            lambda: scenario.simulate(RUNS, seed=SEED).json() + "\n",
            ["simulate", path, "--runs", RUNS, "--seed", SEED, "--format", "json"],
        ),
        "run": (
            lambda: scenario.run(seed=SEED, run=3).trace.jsonl(),
            ["run", path, "--seed", SEED, "--run", 3, "--format", "jsonl"],
        ),
    }
    found = []
    for name, (answer, args) in questions.items():
        answered, expected = ask(program, folder, *args)
        try:
            own = answer()
        except grognard.GrognardError as error:
            trace = error.trace
            if trace is not None and name == "run":
                found.append(f"{name} fails" if trace.jsonl() == expected else f"{name} of {path}: other trace\n{error}")
            else:
                found.append(f"{name} refused" if not answered else f"{name} of {path}: {error}")
            continue
        found.append(f"{name} same" if own == expected else f"{name} of {path}:\n{own[:600]}\n{expected[:600]}")
    return found


def test_every_scenario_is_answered_as_on_the_command_line(program: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = [one for each in pool.map(lambda one: compared(program, *one), SCENARIOS) for one in each]
    wrong = [one for one in found if one.split(" ", 1)[1] not in ("same", "fails", "refused")]
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:20])
    # most scenarios are single runs without measures: both refuse odds and samples of them
    same = {name: found.count(f"{name} same") for name in ("odds", "simulate", "run")}
    assert same["run"] > 200 and same["odds"] >= 5 and same["simulate"] >= 5, same


def test_comparisons_are_the_same(program: Path) -> None:
    volley = grognard.Scenario.load(ROOT / "docs", "first/volley.toml")
    own = volley.compare(volley.with_(hit_on=5)).csv()
    answered, expected = ask(program, ROOT / "docs", "compare", ":hit_on=5", "first/volley.toml", "--format", "csv")
    assert answered and own == expected


def test_sweeps_are_the_same(program: Path) -> None:
    volley = grognard.Scenario.load(ROOT / "docs", "first/volley.toml")
    own = volley.sweep({"hit_on": [3, 4, 5], "save_on": None}, mode="auto")
    args = ["sweep", "first/volley.toml", "--over", "hit_on=3,4,5", "--over", "save_on", "--mode", "auto", "--format"]
    assert own.json() + "\n" == ask(program, ROOT / "docs", *args, "json")[1]
    assert own.jsonl() == ask(program, ROOT / "docs", *args, "jsonl")[1]


@pytest.mark.parametrize("path", ["warstrike/scenarios/exchange-of-fire.toml"])
def test_readings_are_the_same(program: Path, path: str) -> None:
    scenario = grognard.Scenario.load(ROOT / "rulesets", path)
    own = scenario.readings(runs=500, seed=3).json() + "\n"
    args = ["readings", path, "--runs", 500, "--seed", 3, "--format", "json"]
    assert own == ask(program, ROOT / "rulesets", *args)[1]


def test_odds_of_a_call_and_of_dice_are_the_same(program: Path) -> None:
    text = "total(highest(3, 4 of d6))"
    assert grognard.odds(text).json() + "\n" == ask(program, ROOT, "odds", text, "--format", "json")[1]
    rules = grognard.Rules.load(ROOT / "docs", "first/volley")
    args = ["odds", "first/volley.rules", "2d6 + hit_on", "--set", "hit_on=5", "--format", "json"]
    assert rules.odds("2d6 + hit_on", set={"hit_on": 5}).json() + "\n" == ask(program, ROOT / "docs", *args)[1]
