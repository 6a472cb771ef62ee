"""The environments of PettingZoo and Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped, unused-ignore]

from grognard._env import Others, Reward
from grognard._errors import InputError
from grognard._grognard import Scenario, Tables

__all__ = ["Entry", "Game", "Games", "PlayerGame"]

_MODES = ("svg", "ansi", "human")


class Entry(NamedTuple):
    """One number of an observation.

    `kind` is `int`, `flag`, `count`, `length` (thousandths of an inch), `angle` (hundredths of a degree), `thing` (an index of
    `things`), `word` (an index of the declared words) or `die` (a step of its chain). The value `low` means that there is none.
    """

    name: str
    offset: int
    kind: str
    low: int
    high: int


class Runs:
    """The runs of an environment with their spaces and arrays."""

    def __init__(
        self,
        scenario: Scenario,
        players: Sequence[str] | None,
        *,
        n: int = 1,
        threads: int | None = None,
        reward: Reward = None,
        others: Others = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        actions: int = 512,
        extra: int = 32,
        explore: int = 20_000,
    ) -> None:
        known = Tables.players(scenario)
        self.players = list(known if players is None else players)
        if not self.players:
            raise InputError("the scenario has no `[players]`\n  help: name the players")
        if render_mode is not None and render_mode not in _MODES:
            raise ValueError(f"render_mode: expected `svg`, `ansi` or `human`, found `{render_mode}`")
        for other in known:
            if other in self.players or others is None:
                continue
            source = others if isinstance(others, str) else others.get(other)
            if source in ("best", "worst"):
                raise ValueError(f"others: `{source}` needs exact odds; `grognard.env.spiel` has them")
            if source is not None:
                scenario = scenario.with_players(**{other: source})
        scenario, rewards = _rewards(scenario, self.players, known, reward)
        self.tables = Tables(
            scenario,
            self.players,
            rewards,
            runs=n,
            most=max_cycles,
            actions=actions,
            extra=extra,
            explore=explore,
            threads=1 if n == 1 else threads,
        )
        layout = self.tables.layout
        self.layout = tuple(Entry(name, at, kind, low, high) for at, (name, kind, low, high) in enumerate(layout))
        low, high = (np.array([entry[side] for entry in layout], np.int64) for side in (2, 3))
        self.observation_space = Box(low, high, dtype=np.int64)
        self.meanings = self.tables.meanings
        self.action_space = Discrete(len(self.meanings))
        self.seed: int | None = None
        self.number = 0
        self.begun = False

        def array(name: str) -> NDArray[Any]:
            return np.asarray(self.tables.memory(name))

        self.observations: NDArray[np.int64] = array("observations")
        self.masks: NDArray[np.int8] = array("masks")
        self.rewards: NDArray[np.float64] = array("rewards")
        self.agents: NDArray[np.int64] = array("agents")
        self.terminated: NDArray[np.bool_] = array("terminated")
        self.truncated: NDArray[np.bool_] = array("truncated")
        self.illegal: NDArray[np.bool_] = array("illegal")
        self.actions: NDArray[np.int64] = array("actions")

    def reset(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """Begins the given run of a seed; without a seed, the next run."""
        number = (options or {}).get("run")
        if seed is not None:
            self.seed, self.number = int(seed), 0
        elif self.begun:
            self.number = max(self.tables.run(n)[1] for n in range(len(self.agents))) + 1
        if number is not None:
            self.number = int(number)
        self.begun = True
        self.tables.reset(self.seed, self.number)

    def info(self, n: int = 0) -> dict[str, Any]:
        """Returns the dictionary that accompanies an observation."""
        info: dict[str, Any] = {"action_mask": self.masks[n].copy()}
        if self.illegal[n]:
            info["illegal"] = True
        if self.terminated[n] or self.truncated[n]:
            info["measures"] = self.tables.measures(n)
            fault = self.tables.fault(n)
            if fault is not None:
                info["fault"] = fault
        return info

    def meaning(self, action: int, n: int = 0) -> str:
        """Returns the text of an action; of a extra action only while it is on the menu."""
        return dict(self.tables.menu(n)).get(int(action)) or self.meanings[action]

    def render(self, mode: str | None, n: int = 0) -> str | None:
        """Returns the table as a picture or a text."""
        if mode is None:
            gymnasium.logger.warn("`render` has no effect without a `render_mode`")
            return None
        if mode == "svg":
            return self.tables.svg(n) or _page(self.tables.text(n))
        if mode == "ansi":
            return self.tables.text(n)
        print(self.tables.text(n))
        return None


def _rewards(
    scenario: Scenario, players: Sequence[str], known: Sequence[str], reward: Reward
) -> tuple[Scenario, list[tuple[int, float]]]:
    """Returns the measure of each player with its sign, and the scenario that reports them."""
    measures = scenario.measures
    if reward is None:
        if not measures:
            raise InputError("the scenario reports no measure\n  help: give an expression as `reward`")
        reward = measures[0]
    if isinstance(reward, str):
        texts = [reward] * len(players)
        signs = [1.0 if player == (*known, player)[0] else -1.0 for player in players]
    else:
        missing = [player for player in players if player not in reward]
        if missing:
            raise ValueError(f"reward: no expression for `{missing[0]}`")
        texts, signs = [reward[player] for player in players], [1.0] * len(players)
    new = [text for text in dict.fromkeys(texts) if text not in measures]
    if new:
        scenario = scenario.measuring(*measures, *new)
    order = list(scenario.measures)
    return scenario, [(order.index(text), sign) for text, sign in zip(texts, signs, strict=True)]


def _page(text: str) -> str:
    """Returns a text as a picture, for a scenario without a table."""
    lines = text.split("\n")
    size = f'width="800" height="{16 * len(lines) + 16}"'
    rows = "".join(f'<text x="8" y="{16 * n + 20}" xml:space="preserve">{escape(line)}</text>' for n, line in enumerate(lines))
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="12">{rows}</svg>'


class Game(AECEnv[str, NDArray[np.int64], int | None]):  # type: ignore[misc, unused-ignore]
    """A scenario as a PettingZoo environment: its agents are `red_0`, `blue_0`, and decide in the order of the rules.

    An action is an entry of a menu; `meaning` returns its text, and `infos[agent]["action_mask"]` has the entries of the pending
    decision. A set is asked one entry at a time. An action that is not on the mask is replaced by what the rules prefer, and
    `infos[agent]["illegal"]` is then true. An episode that ends in an error of the rules is truncated, and `infos[agent]["fault"]` has
    the diagnostic. `infos[agent]["measures"]` has the measures at the end.
    """

    metadata: dict[str, Any] = {
        "name": "grognard",
        "render_modes": list(_MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(self, scenario: Scenario, players: Sequence[str] | None = None, **options: Any) -> None:
        super().__init__()
        self.render_mode: str | None = options.get("render_mode")
        self.runs = Runs(scenario, players, **options)
        self.layout = self.runs.layout
        self.things = self.runs.tables.things
        self.possible_agents = [f"{player}_0" for player in self.runs.players]
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Box:
        """Returns the space of observations, which is the same for all agents."""
        return self.runs.observation_space

    def action_space(self, agent: str) -> Discrete:
        """Returns the space of actions, which is the same for all agents."""
        return self.runs.action_space

    def meaning(self, action: int) -> str:
        """Returns the text of an action, such as `action: Shoot(target: wolves)`."""
        return self.runs.meaning(action)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins the run `options["run"]` of a seed, by default 0; without a seed, the next run."""
        self.runs.reset(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._update()
        self.agent_selection = self.agents[max(int(self.runs.agents[0]), 0)]
        self._skip_agent_selection = None

    def _update(self) -> None:
        self.terminations = dict.fromkeys(self.agents, bool(self.runs.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(self.runs.truncated[0]))
        self.infos = {agent: self.runs.info() for agent in self.agents}

    def observe(self, agent: str) -> NDArray[np.int64]:
        """Returns the observation, which is the same for all agents: the rules hide nothing."""
        observation: NDArray[np.int64] = self.runs.observations[0].copy()
        return observation

    def step(self, action: int | None) -> None:
        """Takes the action of the agent who decides. An agent whose episode is over takes `None`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent in play needs an action")
        self._cumulative_rewards[agent] = 0.0
        self.runs.actions[0] = action
        self.runs.tables.step()
        self.rewards = {agent: float(reward) for agent, reward in zip(self.agents, self.runs.rewards[0], strict=True)}
        self._update()
        self._accumulate_rewards()
        if self.runs.terminated[0] or self.runs.truncated[0]:
            self._deads_step_first()
        else:
            self.agent_selection = self.agents[int(self.runs.agents[0])]

    def render(self) -> str | None:  # type: ignore[override, unused-ignore]
        """Returns the table as a picture (`svg`) or text (`ansi`), or prints it (`human`)."""
        return self.runs.render(self.render_mode)

    def close(self) -> None:
        """Does nothing."""


class PlayerGame(gymnasium.Env[NDArray[np.int64], np.int64]):
    """A scenario as a Gymnasium environment for one player. `Game` describes actions, observations and infos."""

    metadata: dict[str, Any] = {"render_modes": list(_MODES), "render_fps": 1}

    def __init__(self, scenario: Scenario, player: str, **options: Any) -> None:
        self.render_mode = options.get("render_mode")
        self.runs = Runs(scenario, [player], **options)
        self.layout = self.runs.layout
        self.things = self.runs.tables.things
        self.observation_space = self.runs.observation_space
        self.action_space = self.runs.action_space  # type: ignore[assignment, unused-ignore]

    def meaning(self, action: int) -> str:
        """Returns the text of an action, such as `action: Shoot(target: wolves)`."""
        return self.runs.meaning(action)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the mask of the pending decision, as sb3-contrib asks for it."""
        mask: NDArray[np.bool_] = self.runs.masks[0].astype(bool)
        return mask

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int64], dict[str, Any]]:
        """Begins the run `options["run"]` of a seed, by default 0; without a seed, the next run."""
        super().reset(seed=seed)
        self.runs.reset(seed, options)
        return self.runs.observations[0].copy(), self.runs.info()

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.int64], float, bool, bool, dict[str, Any]]:
        """Takes an action of the player, and plays to the next decision of the player."""
        runs = self.runs
        runs.actions[0] = action
        runs.tables.step()
        reward, over = float(runs.rewards[0, 0]), (bool(runs.terminated[0]), bool(runs.truncated[0]))
        return runs.observations[0].copy(), reward, *over, runs.info()

    def render(self) -> str | None:  # type: ignore[override, unused-ignore]
        """Returns the table as a picture (`svg`) or text (`ansi`), or prints it (`human`)."""
        return self.runs.render(self.render_mode)


class Games(VectorEnv[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]):
    """Many runs of a scenario for one player, which are stepped together. `Game` describes actions, observations and infos.

    Run `i` of `reset(seed=s)` is run `i` of the seed. A run that is over begins again in the next step, as run `i + n`, then
    `i + 2 n`. Without `again` it stays over, until all runs are reset.
    """

    metadata: dict[str, Any] = {
        "render_modes": list(_MODES),
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        scenario: Scenario,
        player: str,
        n: int,
        *,
        threads: int | None = None,
        copy: bool = True,
        again: bool = True,
        **options: Any,
    ) -> None:
        self.render_mode = options.get("render_mode")
        self.runs = Runs(scenario, [player], n=n, threads=threads, **options)
        self.layout = self.runs.layout
        self.things = self.runs.tables.things
        self.num_envs = n
        self.copy, self.again = copy, again
        if not again:
            self.metadata = {**self.metadata, "autoreset_mode": AutoresetMode.DISABLED}
        self.single_observation_space = self.runs.observation_space
        self.single_action_space = self.runs.action_space
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)

    def meaning(self, action: int) -> str:
        """Returns the text of an action, such as `action: Shoot(target: wolves)`."""
        return self.runs.meanings[action]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int64], dict[str, Any]]:
        """Begins all runs, from the run `options["run"]` of a seed, by default 0; without a seed, from the next run."""
        super().reset(seed=seed)
        self.runs.reset(seed, options)
        return self._own(self.runs.observations), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Takes an action in each run."""
        runs = self.runs
        runs.actions[:] = actions
        runs.tables.step(self.again)
        found = runs.observations, runs.rewards[:, 0], runs.terminated, runs.truncated
        observations, rewards, terminated, truncated = map(self._own, found)
        return observations, rewards, terminated, truncated, self._infos()

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": self._own(self.runs.masks), "_action_mask": np.ones(self.num_envs, bool)}
        if self.runs.truncated.any():
            faults = [self.runs.tables.fault(n) if over else None for n, over in enumerate(self.runs.truncated)]
            infos["fault"] = np.array(faults, dtype=object)
            infos["_fault"] = np.array([fault is not None for fault in faults])
        return infos

    def render(self) -> tuple[str | None, ...]:  # type: ignore[override, unused-ignore]
        """Returns each table as a picture (`svg`) or text (`ansi`)."""
        return tuple(self.runs.render(self.render_mode, n) for n in range(self.num_envs))
