"""Games as environments: the checks of the learning libraries, the same numbers as runs, many tables at once."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any
from fractions import Fraction

import grognard
import gymnasium
import numpy as np
import pettingzoo.test  # type: ignore[import-untyped, unused-ignore]
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.utils.conversions import (  # type: ignore[import-untyped, unused-ignore]
    turn_based_aec_to_parallel_wrapper,
)

pytestmark = pytest.mark.filterwarnings("error")

BOOKS = {
    "alternate": "alternate/scenarios/fight-to-the-end.toml",
    "recoil": "recoil/scenarios/skirmish-to-the-end.toml",
    "warstrike": "warstrike/scenarios/firefight.toml",
    "edits": "edits/scenarios/across-the-road.toml",
}
EXPLORE = 300
"""A short search for menu entries, so that the extra actions are used too."""

RULES = """ruleset game/small

kind Side { state won : 0..9 = 0 }
kind Squad {
  owner side
  link side : Side
  state men : 0..20
}

phase Turn(squad: Squad) {
  choose 1 .. 2 of targets by squad in all s in Squad where s != squad
  each t in targets { set t.men -= 1 }
}

phase Hunt(squad: Squad) {
  each n in 1 .. 3 {
    choose target by squad in all s in Squad where s.men < 2
    set target.men = 9
  }
}
"""


def small(start: str) -> grognard.Scenario:
    table = f'''rules = "game/small"
start = "{start}"
players = {{ red = "prefer" }}
Side = {{ red = {{}} }}
Squad = {{ a = {{ side = "red", men = 9 }}, b = {{ side = "red", men = 1 }}, c = {{ side = "red", men = 1 }}, d = {{ side = "red", men = 9 }} }}
report = {{ mean = "b.men + c.men" }}
'''
    return grognard.Rules.from_text(RULES).scenario_from_toml(table)


@pytest.fixture(params=BOOKS)
def scenario(request: pytest.FixtureRequest) -> grognard.Scenario:
    return grognard.Scenario.shipped(BOOKS[request.param])


def test_the_checks_of_pettingzoo(scenario: grognard.Scenario, capsys: pytest.CaptureFixture[str]) -> None:
    pettingzoo.test.api_test(grognard.env(scenario, explore=EXPLORE), num_cycles=300)
    pettingzoo.test.seed_test(lambda: grognard.env(scenario, explore=EXPLORE), num_cycles=100)

    def alone(render_mode: str | None = None, max_cycles: int | None = None) -> object:
        return grognard.env.aec(scenario, ["red"], render_mode=render_mode, max_cycles=max_cycles, explore=EXPLORE)

    module = types.SimpleNamespace(env=alone, parallel_env=lambda **o: turn_based_aec_to_parallel_wrapper(alone(**o)))
    pettingzoo.test.max_cycles_test(module)
    pictures: dict[str, Callable[[object], bool]] = {"svg": lambda found: isinstance(found, str) and found.startswith("<svg")}
    pettingzoo.test.render_test(alone, pictures)


def test_the_check_of_gymnasium(scenario: grognard.Scenario) -> None:
    def make(render_mode: str | None = None) -> gymnasium.Env[Any, Any]:
        return grognard.env.gym(scenario, "red", render_mode=render_mode, explore=EXPLORE)

    name = "grognard/Checked-v0"
    gymnasium.register(name, make, disable_env_checker=True)  # type: ignore[arg-type]
    try:
        check_env(gymnasium.make(name).unwrapped)
    finally:
        del gymnasium.registry[name]


def text(entry: Any) -> str:
    """The text of an entry of a decision."""
    if isinstance(entry, tuple):
        return f"[{', '.join(text(part) for part in entry)}]"
    words: dict[Any, str] = {None: "none", True: "yes", False: "no"}
    return f"{float(entry):g}" if isinstance(entry, Fraction) else words.get(entry, str(entry))


@pytest.mark.parametrize("number", [0, 3])
def test_a_run_is_that_of_the_program(scenario: grognard.Scenario, number: int) -> None:
    """A run whose player takes the choices of an episode asks the same questions, and ends the same way."""
    env = grognard.env.gym(scenario, "red", explore=300, extra=5_000)
    env.reset(seed=5, options={"run": number})
    chance = np.random.default_rng(number)
    infos: list[dict[str, object]] = []

    def decide(decision: grognard.Decision) -> int | list[int] | tuple[float, float]:
        chosen: list[str] = []
        entries = [text(entry) for entry in decision.entries]
        while True:
            menu = {action: entry.removeprefix(f"{decision.name}: ") for action, entry in env.runs.tables.menu()}
            if not decision.point and not chosen:
                assert entries == [entry for entry in menu.values() if entry != "done"]
            action = int(chance.choice(np.flatnonzero(env.action_masks())))
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
    env = grognard.env.gym(scenario, "red", explore=EXPLORE)
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
    many = grognard.env.vector(scenario, "red", n, threads=2, explore=EXPLORE)
    single = [grognard.env.gym(scenario, "red", explore=EXPLORE) for _ in range(n)]
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
                found: tuple[Any, ...] = (0.0, False, False)
            else:
                observation, reward, *ends, info = env.step(actions[i])
                begun[i], found = (observation, info), (reward, *ends)
            assert (rewards[i], terminated[i], truncated[i]) == found
            over[i] = bool(found[1] or found[2])


def test_observations_say_what_they_are() -> None:
    env = grognard.env.gym(grognard.Scenario.shipped(BOOKS["warstrike"]), "red", render_mode="ansi", explore=EXPLORE)
    observation, _ = env.reset(seed=1)
    where = {entry.name: entry for entry in env.layout}
    assert [entry.offset for entry in env.layout] == list(range(len(observation)))
    found = {name: int(observation[entry.offset]) for name, entry in where.items()}
    assert found["round"] == 0 and found["asked.agent"] == 0 and found["asked.chosen"] == 0
    assert env.runs.tables.phases[found["phase"]] in ("Activation", "GameTurn") and found["laans in play"] == 1
    assert env.things[found["asked.subject"]] == "laans"
    assert env.runs.tables.choices[found["asked.choice"]] == env.meaning(int(env.action_masks().argmax())).split(":")[0]
    assert found["l1.at.x"] == 20_000 and found["l1.at.y"] == 8_000
    assert all(entry.low <= value <= entry.high for entry, value in zip(env.layout, observation, strict=True))
    assert env.observation_space.contains(observation)


def test_rewards_add_up_to_the_change_of_the_measure() -> None:
    scenario = grognard.Scenario.shipped(BOOKS["warstrike"])
    env = grognard.env(scenario, reward="size(raiders.present) - size(laans.present)", explore=EXPLORE)
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
    own = grognard.env(scenario, reward={"red": "size(laans.present)", "blue": "size(raiders.present)"}, explore=EXPLORE)
    own.reset(seed=3)
    assert own.possible_agents == ["red_0", "blue_0"]




def test_a_set_is_asked_one_entry_at_a_time() -> None:
    env = grognard.env.gym(small("Turn(a)"), "red")
    env.reset()

    def menu() -> dict[str, int]:
        return {meaning: action for action, meaning in env.runs.tables.menu()}

    assert set(menu()) == {"targets: b", "targets: c", "targets: d"}
    *_, terminated, _, _ = env.step(menu()["targets: c"])
    assert not terminated and set(menu()) == {"targets: b", "targets: d", "targets: done"}
    _, reward, terminated, _, info = env.step(menu()["targets: done"])
    assert terminated and reward == -1 and info["measures"] == {"b.men + c.men": 1}
    env.reset()
    env.step(menu()["targets: b"])
    _, reward, terminated, _, info = env.step(menu()["targets: c"])
    assert terminated and reward == -2


def test_a_fault_of_the_rules_truncates() -> None:
    env = grognard.env.gym(small("Hunt(a)"), "red")
    _, info = env.reset()
    env.step(int(info["action_mask"].argmax()))
    *_, truncated, info = env.step(int(env.action_masks().argmax())) if not env.runs.terminated[0] else (False, info)
    fault = env.runs.tables.fault()
    assert fault is not None and env.runs.truncated[0]
    assert "target" in fault.message
    many = grognard.env.vector(small("Hunt(a)"), "red", 3)
    _, infos = many.reset()
    for _ in range(2):
        *_, ends, infos = many.step(infos["action_mask"].argmax(1))
        if ends.all():
            break
    assert ends.all() and all(infos["fault"] == fault) and infos["_fault"].all()


def test_wrong_arguments() -> None:
    scenario = small("Turn(a)")
    with pytest.raises(grognard.InputError, match="no player `green`"):
        grognard.env.gym(scenario, "green")
    with pytest.raises(ValueError, match="exact odds"):
        grognard.env.gym(grognard.Scenario.shipped(BOOKS["edits"]), "red", others="best")
    with pytest.raises(grognard.GrognardError, match="not a number"):
        grognard.env.gym(scenario, "red", reward="all s in Squad")
    with pytest.raises(ValueError, match="render_mode"):
        grognard.env.gym(scenario, "red", render_mode="rgb_array")
