"""Prints the decisions per second of the vector environment: of a duel without a board, and of the scenarios of the books.

    pip install './python[env]'
    python python/examples/speed.py [SECONDS]
"""

from __future__ import annotations

import sys
import time

import grognard
import numpy as np

DUEL = """ruleset example/duel

kind Side { state won : 0..9 = 0 }

kind Fighter {
  owner side
  link  side : Side
  state life : 0..9 = 9
}

phase Exchange(a: Fighter, b: Fighter) {
  do strike(a, b)
  do strike(b, a)
}

proc strike(a: Fighter, b: Fighter) {
  choose blow by a {
    steady => {
      roll mine by a = 2 of d6
      set b.life -= count mine >= 5
    }
    bold => {
      roll mine by a = d6
      if mine >= 4 { set b.life -= 2 } else { set a.life -= 1 }
    }
  }
}
"""

TABLE = """rules = "example/duel"
start = "Exchange(one, two)"
repeat = "until one.life == 0 or two.life == 0"
players = { red = "prefer", blue = "random" }
Side = { red = {}, blue = {} }
Fighter = { one = { side = "red" }, two = { side = "blue" } }
report = { mean = "one.life - two.life" }
"""

BOOKS = (
    "warstrike/scenarios/firefight.toml",
    "edits/scenarios/across-the-road.toml",
    "recoil/scenarios/skirmish-to-the-end.toml",
    "alternate/scenarios/fight-to-the-end.toml",
)


def speed(scenario: grognard.Scenario, runs: int, seconds: float, threads: int | None) -> tuple[float, float]:
    """Returns the decisions that `step` takes in a second of the clock, and in a second of one processor."""
    env = grognard.env.vector(scenario, "red", runs, threads=threads, copy=False)
    chance = np.random.default_rng(1)
    _, infos = env.reset(seed=1)
    over = np.zeros(runs, bool)
    decisions, inside, work, began = 0, 0.0, 0.0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        masks = infos["action_mask"]
        actions = (chance.random(masks.shape, dtype=np.float32) * masks).argmax(1)
        decisions += runs - int(over.sum())
        before, cpu = time.perf_counter(), time.process_time()
        _, _, terminated, truncated, infos = env.step(actions)
        inside += time.perf_counter() - before
        work += time.process_time() - cpu
        over = terminated | truncated
    return decisions / inside, decisions / work


def main(arguments: list[str]) -> None:
    seconds = float(arguments[0]) if arguments else 2.0
    duel = grognard.Rules.from_text(DUEL).scenario_from_toml(TABLE)
    scenarios = {"a duel": duel} | {path.split("/")[-1]: grognard.Scenario.shipped(path) for path in BOOKS}
    for name, scenario in scenarios.items():
        for threads in (1, 2):
            runs = 1_000 if name == "a duel" else 200
            rate, each = speed(scenario, runs, seconds, threads)
            print(f"{name}, {threads} threads: {rate:,.0f} decisions a second, {each:,.0f} in a second of one processor")


if __name__ == "__main__":
    main(sys.argv[1:])
