"""The games of OpenSpiel."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

from grognard._grognard import Scenario, Tables, game_tree

__all__ = ["SpielGame", "SpielState"]


class SpielGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A scenario as an OpenSpiel game with explicit chance nodes.

    A chance node is a split of the exact explorer, with exact weights: ten dice of which the rules count those that show 4 or
    more have 11 outcomes. `chance(node)` returns them as fractions. `players` are `best` and `worst` players, by default the
    first player under `[players]` against the others; `objective` is the value that they play for, by default the first measure.

    The whole game is explored at once. A game of more than `budget` states, with a cycle, with an error of the rules, or with a
    split of more than 10,000 outcomes raises `RunError`.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        players: Mapping[str, str] | None = None,
        objective: str | None = None,
        budget: int = 200_000,
    ) -> None:
        if players is None:
            known = Tables.players(scenario)
            players = {player: "worst" if n else "best" for n, player in enumerate(known)}
        scenario = scenario.with_players(**players)
        self.nodes: list[Any] = game_tree(scenario, objective, budget)
        decisions = [node for node in self.nodes if node[0] == "decision"]
        signs = {player: 1 if best else -1 for _, player, _, best, _ in decisions}
        self.players = [player for player in players if player in signs]
        self.players += sorted(signs.keys() - set(self.players))
        self.signs = [signs[player] for player in self.players] or [1]
        ends = [float(node[1]) for node in self.nodes if node[0] == "end"]
        spread = [sign * end for sign in self.signs for end in ends]
        zero_sum = len(self.signs) == 2 and sum(self.signs) == 0
        kind = pyspiel.GameType(
            short_name="grognard",
            long_name="A scenario of Grognard",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=len(self.signs),
            min_num_players=len(self.signs),
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=False,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=max((len(node[-1]) for node in decisions), default=1),
            max_chance_outcomes=max((len(node[1]) for node in self.nodes if node[0] == "chance"), default=0),
            num_players=len(self.signs),
            min_utility=min(spread),
            max_utility=max(spread),
            utility_sum=0.0 if zero_sum else None,
            max_game_length=max(len(decisions), 1),
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> SpielState:
        """Returns the start of the game."""
        return SpielState(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> SpielGame:
        # a copy of a state copies its attributes, and the game does not change
        return self

    def chance(self, node: int) -> list[tuple[int, Fraction]]:
        """Returns the next nodes of a chance node with their exact chances."""
        kind, *rest = self.nodes[node]
        return list(rest[0]) if kind == "chance" else []


class SpielState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A state of a game: a node of its tree."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.game = game
        self.node = 0

    def current_player(self) -> int:
        """Returns the index of the player who decides, chance, or the terminal player."""
        kind, *rest = self.game.nodes[self.node]
        if kind == "end":
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if kind == "chance" else self.game.players.index(rest[0])

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.game.nodes[self.node][-1])))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the outcomes of a chance node with their chances, rounded."""
        return [(n, float(chance)) for n, (_, chance) in enumerate(self.game.nodes[self.node][1])]

    def _apply_action(self, action: int) -> None:
        kind, *rest = self.game.nodes[self.node]
        self.node = rest[0][action][0] if kind == "chance" else rest[-1][action][1]

    def _action_to_string(self, player: int, action: int) -> str:
        kind, *rest = self.game.nodes[self.node]
        return f"chance {rest[0][action][1]}" if kind == "chance" else f"{rest[1]}: {rest[-1][action][0]}"

    def is_terminal(self) -> bool:
        """Returns whether the run is over."""
        return bool(self.game.nodes[self.node][0] == "end")

    def returns(self) -> list[float]:
        """Returns the value of the objective for each player; a `worst` player gets its negative."""
        kind, *rest = self.game.nodes[self.node]
        value = float(rest[0]) if kind == "end" else 0.0
        return [sign * value for sign in self.game.signs]

    def __str__(self) -> str:
        return f"node {self.node}"
