"""Games as environments of learning libraries: `grognard.env`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from grognard._grognard import Scenario

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from grognard._games import Game, Games, PlayerGame
    from grognard._spiel import SpielGame

Reward: TypeAlias = str | Mapping[str, str] | None
Others: TypeAlias = str | Mapping[str, str] | None

__all__ = ["Environments", "Options", "Others", "Reward", "env"]


class Options(TypedDict, total=False):
    """The options of all environments.

    * `reward`: an expression, or one for each player. The default is the first measure of the scenario. The reward is its
      change since the last action of the player. The first player under `[players]` gains by it, and every other player
      loses by it. A separate expression counts for its player.
    * `others`: who decides for the other players: `prefer`, `random`, `policy:Bold`, or a dictionary of them. The default
      is what the scenario says.
    * `max_cycles`: the number of decisions after which an episode is truncated.
    * `render_mode`: `svg`, `ansi` or `human`.
    * `actions`: the largest number of menu entries in the table of actions.
    * `extra`: the number of further actions, for entries that are not in the table.
    * `explore`: the number of decisions of the runs that search for menu entries.
    """

    reward: Reward
    others: Others
    max_cycles: int | None
    render_mode: str | None
    actions: int
    extra: int
    explore: int


class Environments:
    """Makes environments of scenarios. `grognard.env(scenario)` is `grognard.env.aec(scenario)`.

    They need Gymnasium, PettingZoo and NumPy: `pip install 'grognard[env]'`.
    """

    def __call__(self, scenario: Scenario, players: Sequence[str] | None = None, **options: Unpack[Options]) -> Game:
        """Returns a PettingZoo environment, as `aec` does."""
        return self.aec(scenario, players, **options)

    def aec(self, scenario: Scenario, players: Sequence[str] | None = None, **options: Unpack[Options]) -> Game:
        """Returns a PettingZoo environment (`AECEnv`) for some players, or for all."""
        from grognard._games import Game

        return Game(scenario, players, **options)

    def gym(self, scenario: Scenario, player: str, **options: Unpack[Options]) -> PlayerGame:
        """Returns a Gymnasium environment for one player."""
        from grognard._games import PlayerGame

        return PlayerGame(scenario, player, **options)

    def vector(
        self,
        scenario: Scenario,
        player: str,
        n: int,
        *,
        threads: int | None = None,
        copy: bool = True,
        again: bool = True,
        **options: Unpack[Options],
    ) -> Games:
        """Returns a Gymnasium environment of `n` runs that are stepped together on several threads.

        Without `copy`, the arrays of a step are overwritten by the next step. Without `again`, a run that is over does not begin
        again.
        """
        from grognard._games import Games

        return Games(scenario, player, n, threads=threads, copy=copy, again=again, **options)

    def spiel(self, scenario: Scenario, **options: Any) -> SpielGame:
        """Returns an OpenSpiel game with explicit chance nodes. It needs `pip install 'grognard[spiel]'`.

        The players who play `best` and `worst` in the scenario are those of the game; see `SpielGame`.
        """
        from grognard._spiel import SpielGame

        return SpielGame(scenario, **options)


env = Environments()
"""Makes environments of scenarios."""
