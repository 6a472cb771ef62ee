"""Games of OpenSpiel: the value of best play is that of the exact odds."""

from fractions import Fraction

import grognard
import pytest

minimax = pytest.importorskip("open_spiel.python.algorithms.minimax", reason="OpenSpiel has no wheel here")

DARE = """ruleset game/dare

kind Side { state points : 0..99 = 0 }

phase Dare(side: Side) {
  var go: Flag = yes
  each n in 1 .. 3 {
    if go {
      set go = no
      may dare by side { set go = yes }
      if go {
        roll die by side = d6
        if die == 1 { set side.points = 0; set go = no } else { set side.points += die }
      }
    }
  }
}
"""

SHOTS = """ruleset game/shots

kind Side { state won : 0..9 = 0 }
kind Squad {
  owner side
  link side : Side
  state men : 0..9
  state aims : 0..9 = 0
}

phase Turn(a: Squad, b: Squad) {
  run Fire(a, b)
  run Fire(b, a)
}

phase Fire(shooter: Squad, target: Squad) {
  choose order by shooter {
    aim => { set shooter.aims += 1 }
    shoot => {
      roll shots = shooter.men + shooter.aims of d6
      set target.men -= count shots >= 5
      set shooter.aims = 0
    }
  }
}
"""

SPLIT = """ruleset game/split

kind Side { state won : 0..9 = 0 }
kind Post {
  owner side
  link side : Side
  state guards : 0..9
  state fallen : 0..9 = 0
}

phase Day(red: Side, blue: Side, here: Post, there: Post) {
  choose watched by red in Post
  choose raided by blue in Post
  set watched.guards += 2
  roll fight = raided.guards of d6
  set raided.fallen += 2 - min(2, count fight >= 3)
}
"""

GAMES = {
    "dare": (DARE, 'start = "Dare(red)"\nSide = { red = {} }\nplayers = { red = "prefer" }\nreport = { mean = "red.points" }\n'),
    "shots": (
        SHOTS,
        'start = "Turn(one, two)"\nrepeat = 2\nplayers = { red = "prefer", blue = "prefer" }\nSide = { red = {}, blue = {} }\n'
        'Squad = { one = { side = "red", men = 2 }, two = { side = "blue", men = 3 } }\nreport = { mean = "one.men - two.men" }\n',
    ),
    "split": (
        SPLIT,
        'start = "Day(red, blue, gate, wall)"\nplayers = { red = "prefer", blue = "prefer" }\nSide = { red = {}, blue = {} }\n'
        'Post = { gate = { side = "red", guards = 2 }, wall = { side = "red", guards = 1 } }\n'
        'report = { mean = "-(gate.fallen + wall.fallen)" }\n',
    ),
}


def scenario(name: str) -> grognard.Scenario:
    rules, toml = GAMES[name]
    return grognard.Rules.from_text(rules).scenario_from_toml(f'rules = "game/{name}"\n{toml}')


def exactly(game: object, node: int = 0) -> Fraction:
    """The value of a node in fractions, for the first player."""
    kind, *rest = game.nodes[node]  # type: ignore[attr-defined]
    if kind == "end":
        return Fraction(rest[0])
    if kind == "chance":
        return sum((chance * exactly(game, to) for to, chance in rest[0]), Fraction(0))
    best = max if rest[2] else min
    return best(exactly(game, to) for _, to in rest[3])


@pytest.mark.parametrize("name", GAMES)
def test_expectiminimax_finds_the_value_of_best_play(name: str) -> None:
    table = scenario(name)
    game = grognard.env.spiel(table)
    players = {player: "worst" if n else "best" for n, player in enumerate(game.players)}
    best = table.odds(decide=players).first.mean
    assert best is not None
    assert exactly(game) == best
    value, _ = minimax.expectiminimax(game.new_initial_state(), 1_000, None, 0)
    assert value == pytest.approx(float(best))
    chances = [game.chance(node) for node, (kind, *_) in enumerate(game.nodes) if kind == "chance"]
    assert chances and all(sum(chance for _, chance in each) == 1 for each in chances)


def test_a_split_is_what_the_rules_look_at() -> None:
    game = grognard.env.spiel(scenario("shots"))
    sizes = [len(game.chance(node)) for node in range(len(game.nodes))]
    assert max(sizes) <= 6, "at most five dice, of which the rules count some"


def test_random_play_reaches_an_end() -> None:
    import random

    game = grognard.env.spiel(scenario("shots"))
    chance = random.Random(1)
    for _ in range(20):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        assert sum(state.returns()) == 0


def test_a_game_with_a_cycle_is_refused() -> None:
    rules = "ruleset game/again\n\nkind Side { state points : 0..9 = 0 }\n\n" + (
        "phase Try(side: Side) {\n  may rest by side { }\n  roll die = d6\n  if die == 6 { set side.points = 1 }\n}\n"
    )
    toml = 'rules = "game/again"\nstart = "Try(red)"\nrepeat = "until red.points == 1"\n' + (
        'Side = { red = {} }\nplayers = { red = "prefer" }\nreport = { mean = "red.points" }\n'
    )
    with pytest.raises(grognard.GrognardError, match="cycle"):
        grognard.env.spiel(grognard.Rules.from_text(rules).scenario_from_toml(toml))
