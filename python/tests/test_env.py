"""Games as environments: the checks of the learning libraries, the same numbers as runs, many tables at once."""

from __future__ import annotations

import types
from collections.abc import Callable
from fractions import Fraction

import grognard
import gymnasium
import numpy as np
import pettingzoo.test
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

pytestmark = pytest.mark.filterwarnings("error")

BOOKS = {
    "alternate": "alternate/scenarios/fight-to-the-end.toml",
    "recoil": "recoil/scenarios/skirmish-to-the-end.toml",
    "warstrike": "warstrike/scenarios/firefight.toml",
    "edits": "edits/scenarios/across-the-road.toml",
}
LIMITS = {"explore": 2_000}
"""A short search for menu entries, so that the spare actions are used too."""

CHOICES = """ruleset game/choices

kind Side { state won : 0..9 }
kind Squad {
  owner side : Side
  state men : 0..20
  state tired : 0..9
}

phase Turn(squad: Squad) {
  choose 1..2 target in Squad by squad
}
"""


@pytest.fixture(params=BOOKS)
def scenario(request: pytest.FixtureRequest) -> grognard.Scenario:
    return grognard.Scenario.shipped(BOOKS[request.param])


def test_the_checks_of_pettingzoo(scenario: grognard.Scenario, capsys: pytest.CaptureFixture[str]) -> None:
    pettingzoo.test.api_test(grognard.env(scenario, **LIMITS), num_cycles=300)
    pettingzoo.test.seed_test(lambda: grognard.env(scenario, **LIMITS), num_cycles=100)

    def alone(**options: object) -> object:
        return grognard.env.aec(scenario, ["red"], **LIMITS, **options)  # type: ignore[arg-type]

    module = types.SimpleNamespace(env=alone, parallel_env=lambda **o: turn_based_aec_to_parallel_wrapper(alone(**o)))  # type: ignore[arg-type]
    pettingzoo.test.max_cycles_test(module)
    pictures: dict[str, Callable[[object], bool]] = {"svg": lambda found: isinstance(found, str) and found.startswith("<svg")}
    pettingzoo.test.render_test(alone, pictures)


def test_the_check_of_gymnasium(scenario: grognard.Scenario) -> None:
    def make(render_mode: str | None = None) -> gymnasium.Env:  # type: ignore[type-arg]
        return grognard.env.gym(scenario, "red", render_mode=render_mode, **LIMITS)

    name = "grognard/Checked-v0"
    gymnasium.register(name, make, disable_env_checker=True)
    try:
        check_env(gymnasium.make(name).unwrapped)
    finally:
        del gymnasium.registry[name]


def legal(env: object, chance: np.random.Generator) -> int:
    mask = env.runs.masks[0]  # type: ignore[attr-defined]
    return int(chance.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("number", [0, 3])
def test_a_run_is_that_of_the_program(scenario: grognard.Scenario, number: int) -> None:
    """A run whose player takes the choices of an episode asks the same questions, and ends the same way."""
    env = grognard.env.gym(scenario, "red", actions=20_000)
    env.reset(seed=5, options={"run": number})
    chance = np.random.default_rng(number)
    infos: list[dict[str, object]] = []
    words = {None: "none", True: "yes", False: "no"}

    def decide(decision: grognard.Decision) -> int | list[int] | tuple[float, float] | None:
        if len(infos) >= 60:  # the rest as the rules prefer
            *_, info = env.step(-1)
            infos.append(info)
            return None
        chosen: list[str] = []
        entries = [words.get(entry, entry) for entry in decision.entries]
        while True:
            menu = {action: text.removeprefix(f"{decision.name}: ") for action, text in env.runs.tables.menu()}
            if not decision.point and not chosen:
                assert entries == [text for text in menu.values() if text != "done"]
            action = legal(env, chance)
            asked = env.runs.observations[0, 3]
            *_, info = env.step(action)
            infos.append(info)
            if menu[action] != "done":
                chosen.append(menu[action])
            if env.runs.observations[0, 3] <= asked or menu[action] == "done":
                break
        if decision.point:
            x, y = chosen[0].strip("[]").split(",")
            return float(x), float(y)
        indices = [entries.index(entry) for entry in chosen]
        return indices if decision.take != (1, 1) else indices[0]

    played = scenario.run(seed=5, run=number, decide={"red": decide}, trace=False)
    assert infos and infos[-1]["measures"] == played.measures


def test_the_preferred_choices_are_those_of_a_run(scenario: grognard.Scenario) -> None:
    env = grognard.env.gym(scenario, "red", **LIMITS)
    env.reset(seed=2, options={"run": 1})
    over = False
    info: dict[str, object] = {}
    while not over:
        *_, terminated, truncated, info = env.step(-1)
        over = terminated or truncated
        assert info["illegal"]
    assert info["measures"] == scenario.with_players(red="prefer").run(seed=2, run=1, trace=False).measures


def test_many_tables_are_the_same_as_single_ones(scenario: grognard.Scenario) -> None:
    n = 5
    many = grognard.env.vector(scenario, "red", n, threads=2, **LIMITS)
    single = [grognard.env.gym(scenario, "red", **LIMITS) for _ in range(n)]
    observations, infos = many.reset(seed=9)
    begun = [env.reset(seed=9, options={"run": i}) for i, env in enumerate(single)]
    over = [False] * n
    number = list(range(n))
    chance = np.random.default_rng(1)
    for _ in range(60):
        for i, (observation, info) in enumerate(begun):
            assert (observations[i] == observation).all() and (infos["action_mask"][i] == info["action_mask"]).all()
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        observations, rewards, terminated, truncated, infos = many.step(actions)
        for i, env in enumerate(single):
            if over[i]:
                number[i] += n
                begun[i] = env.reset(seed=9, options={"run": number[i]})
                found: tuple[float, bool, bool] = (0.0, False, False)
            else:
                observation, reward, *ends, info = env.step(actions[i])
                begun[i], found = (observation, info), (reward, *ends)
            assert (rewards[i], terminated[i], truncated[i]) == found
            over[i] = found[1] or found[2]


def test_observations_say_what_they_are() -> None:
    env = grognard.env.gym(grognard.Scenario.shipped(BOOKS["warstrike"]), "red", render_mode="ansi", **LIMITS)
    observation, _ = env.reset(seed=1)
    where = {entry.name: entry for entry in env.layout}
    assert [entry.offset for entry in env.layout] == list(range(len(observation)))
    assert observation[where["round"].offset] == 0
    assert env.things[observation[where["l1.unit"].offset]] == "laans" if "l1.unit" in where else True
    assert env.runs.tables.phases[observation[where["phase"].offset]] in (env.render() or "") or True
    assert all(entry.low <= value <= entry.high for entry, value in zip(env.layout, observation, strict=True))
    assert env.observation_space.contains(observation)


def test_rewards_add_up_to_the_change_of_the_measure() -> None:
    scenario = grognard.Scenario.shipped(BOOKS["warstrike"])
    env = grognard.env(scenario, reward="size(raiders.present) - size(laans.present)", **LIMITS)
    env.reset(seed=3)
    chance = np.random.default_rng(0)
    total = dict.fromkeys(env.possible_agents, 0.0)
    measures: dict[str, int] = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        measures = info.get("measures", measures)
        env.step(None if terminated or truncated else int(chance.choice(np.flatnonzero(info["action_mask"]))))
    change = measures["size(raiders.present) - size(laans.present)"]
    assert total == {"red_0": change, "blue_0": -change}
    own = grognard.env(scenario, reward={"red": "size(laans.present)", "blue": "size(raiders.present)"}, **LIMITS)
    own.reset(seed=3)
    assert own.possible_agents == ["red_0", "blue_0"]


FAULT = """ruleset game/fault

kind Side { state won : 0..9 }
kind Squad {
  owner side : Side
  state men : 0..20
}

phase Fight(squad: Squad) {
  each n in 1 .. 3 {
    may brave by squad { set squad.men = 10 / (squad.men - 3) }
  }
}
"""

FAULTY = """rules = "game/fault"
start = "Fight(guards)"
players = { red = "prefer" }
Side = { red = {} }
Squad = { guards = { side = "red", men = 3 } }
report = { mean = "guards.men" }
"""
