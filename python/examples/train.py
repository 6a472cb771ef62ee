"""Trains a player with scikit-learn until it beats the scripted policy of a shipped scenario, and says by how much.

    pip install './python[env]' scikit-learn
    python python/examples/train.py

The method is the cross-entropy method (Rubinstein 1999): play many runs at once, keep the best of them, and teach the network the
decisions of those. The learner and the policy are then compared on the same dice, which are new to both.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from typing import Any

import grognard
import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

SCENARIO = "warstrike/scenarios/firefight.toml"
PLAYER = "red"
GOAL = "size(laans.present) - size(raiders.present)"


class Learner:
    """A network that gives a chance to each action of the mask."""

    def __init__(self, env: Any, seed: int) -> None:
        self.network = MLPClassifier((64,), learning_rate_init=3e-3, random_state=seed)
        self.actions = np.arange(env.single_action_space.n)
        self.low, high = (np.array([entry[side] for entry in env.layout], float) for side in (3, 4))
        self.span = np.minimum(high - self.low, 40_000)
        self.chance = np.random.default_rng(seed)
        self.taught = False

    def inputs(self, observations: NDArray[np.int64]) -> NDArray[np.float32]:
        # a wide range starts far below its values
        near = np.where(self.span < 40_000, observations - self.low, observations)
        return np.clip(near / self.span, -1, 1).astype(np.float32)

    def chances(self, observations: NDArray[np.int64], masks: NDArray[np.int8]) -> NDArray[np.float64]:
        if not self.taught:
            return masks / masks.sum(1, keepdims=True)
        chances = (self.network.predict_proba(self.inputs(observations)) + 1e-6) * masks
        return chances / chances.sum(1, keepdims=True)

    def choose(self, observations: NDArray[np.int64], masks: NDArray[np.int8], best: bool) -> NDArray[np.int64]:
        chances = self.chances(observations, masks)
        if best:
            return chances.argmax(1)
        return (chances.cumsum(1) > self.chance.random((len(chances), 1))).argmax(1)

    def teach(self, observations: NDArray[np.int64], actions: NDArray[np.int64], rounds: int = 4) -> None:
        inputs = self.inputs(observations)
        for _ in range(rounds):
            order = self.chance.permutation(len(actions))
            self.network.partial_fit(inputs[order], actions[order], classes=self.actions)
        self.taught = True


def play(env: Any, learner: Learner, seed: int, first: int, best: bool) -> tuple[NDArray[Any], ...]:
    """Plays one run at each table. Returns the total reward of each run, and all decisions with the index of their run."""
    observations, infos = env.reset(seed=seed, options={"run": first})
    total = np.zeros(env.num_envs)
    over = np.zeros(env.num_envs, bool)
    seen = []
    while not over.all():
        open_ = np.flatnonzero(~over)
        actions = np.zeros(env.num_envs, np.int64)
        actions[open_] = learner.choose(observations[open_], infos["action_mask"][open_], best)
        seen.append((observations[open_].copy(), actions[open_], open_))
        observations, rewards, terminated, truncated, infos = env.step(actions)
        total[open_] += rewards[open_]
        over |= terminated | truncated
    return total, *(np.concatenate(part) for part in zip(*seen, strict=True))


def compare(scenario: grognard.Scenario, env: Any, learner: Learner, seed: int, runs: int) -> tuple[float, float, float, float]:
    """Returns the means of the learner and of the policy on the same dice, and the 95% interval of the difference."""
    measured = scenario.measuring(GOAL)
    learned, scripted = [], []
    for first in range(0, runs, env.num_envs):
        play(env, learner, seed, first, best=True)
        for n in range(env.num_envs):
            learned.append(float(env.runs.tables.measures(n)[GOAL]))
            scripted.append(float(measured.run(seed=seed, run=first + n, trace=False).measures[GOAL]))
    difference = np.array(learned) - np.array(scripted)
    half = 1.96 * difference.std(ddof=1) / len(difference) ** 0.5
    mean = difference.mean()
    return float(np.mean(learned)), float(np.mean(scripted)), mean - half, mean + half


def main(arguments: list[str]) -> int:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    options.add_argument("--rounds", type=int, default=30, help="rounds of learning at most")
    options.add_argument("--tables", type=int, default=1_000, help="runs in each round")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args(arguments)
    warnings.simplefilter("ignore", ConvergenceWarning)

    scenario = grognard.Scenario.shipped(SCENARIO)
    env = grognard.env.vector(scenario, PLAYER, given.tables, reward=GOAL, again=False)
    learner = Learner(env, given.seed)
    began = time.monotonic()
    for number in range(given.rounds):
        total, observations, actions, runs = play(env, learner, given.seed, number * given.tables, best=False)
        elite = total >= np.quantile(total, 0.8)
        kept = elite[runs]
        learner.teach(observations[kept], actions[kept])
        print(f"round {number + 1}: mean {total.mean():+.3f}, best fifth {total[elite].mean():+.3f}, {len(actions)} decisions")
        if number % 5 == 4 or number + 1 == given.rounds:
            learned, scripted, low, high = compare(scenario, env, learner, given.seed + 1, given.tables)
            print(f"{GOAL}: learner {learned:+.3f}, policy {scripted:+.3f}, difference {low:+.3f} to {high:+.3f} (95%)")
            if low > 0:
                # the round was chosen by this result, so new dice decide
                learned, scripted, low, high = compare(scenario, env, learner, given.seed + 2, 2 * given.tables)
                print(f"on new dice: learner {learned:+.3f}, policy {scripted:+.3f}, difference {low:+.3f} to {high:+.3f} (95%)")
                if low > 0:
                    print(f"the learner beats the policy after {time.monotonic() - began:.0f} s")
                    return 0
    print("the learner does not beat the policy")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
