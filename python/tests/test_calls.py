"""Dice and decisions of Python code."""

import functools
from fractions import Fraction

import grognard
import pytest



def test_dice_are_thrown_by_a_function(volley: grognard.Scenario) -> None:
    seen: list[tuple[str, int]] = []

    def throw(roll: grognard.Roll) -> list[int]:
        seen.append((roll.name, len(roll)))
        assert roll.dice[0] == [1, 2, 3, 4, 5, 6]
        return [6] * len(roll)

    played = volley.run(dice=throw)
    assert seen == [("volley.aim", 10), ("volley.armour", 10)] and played.things["raiders"]["men"] == 6
    assert volley.run(seed=4, dice=lambda roll: None).trace.jsonl() == volley.run(seed=4).trace.jsonl()


@pytest.mark.parametrize("faces", [[7], [1] * 11, []])
def test_impossible_faces_are_refused(volley: grognard.Scenario, faces: list[int]) -> None:
    with pytest.raises(grognard.GrognardError):
        volley.run(dice=lambda roll: faces)


def test_an_exception_in_dice_comes_out_unchanged(volley: grognard.Scenario) -> None:
    own = ZeroDivisionError("own")

    def throw(roll: grognard.Roll) -> list[int]:
        raise own

    with pytest.raises(ZeroDivisionError) as caught:
        volley.run(dice=throw)
    assert caught.value is own
    with pytest.raises(TypeError):
        volley.run(dice=lambda roll: "six")
    with pytest.raises(TypeError):
        volley.run(dice=lambda: [1])
    with pytest.raises(SystemExit):
        volley.run(dice=lambda roll: exit())


@functools.cache
def game() -> grognard.Scenario:
    return grognard.Scenario.shipped(PLAYED)


PLAYED = "alternate/scenarios/attackers.toml"


def test_decisions_are_made_by_a_function() -> None:
    seen: list[grognard.Decision] = []

    def decide(decision: grognard.Decision) -> int:
        seen.append(decision)
        assert decision.take[0] <= decision.take[1] and not decision.point
        return len(decision.entries) - 1

    played = game().run(seed=1, decide=decide)
    assert seen and all(len(one.entries) > 1 for one in seen)
    names = {event.get("source") for event in played.trace if event["event"] == "decision"}
    assert names
    preferred = game().run(seed=1, decide=lambda decision: None)
    named = game().run(seed=1, decide=lambda decision: str(len(decision.entries)))
    assert named.trace.jsonl() == played.trace.jsonl() != preferred.trace.jsonl()
    by_player = game().run(seed=1, decide={"*": decide})
    assert by_player.trace.jsonl() == played.trace.jsonl()


@pytest.mark.parametrize("answer", [-1, 10_000, "no such entry", 1.5, [1, 2, 3], (0.5, 0.5), object()])
def test_impossible_answers_are_refused(answer: object) -> None:
    with pytest.raises((grognard.GrognardError, TypeError, OverflowError)):
        game().run(seed=1, decide=lambda decision: answer)


def test_an_exception_in_a_decision_comes_out_unchanged() -> None:
    own = KeyError("own")

    def decide(decision: grognard.Decision) -> int:
        raise own

    with pytest.raises(KeyError) as caught:
        game().run(seed=1, decide=decide)
    assert caught.value is own


def test_runs_inside_of_decisions_work(volley: grognard.Scenario) -> None:
    chances: list[Fraction] = []

    def decide(decision: grognard.Decision) -> int:
        chances.append(volley.odds("raiders.men == 0").first.chance)
        return 0

    game().run(seed=1, decide=decide)
    assert chances and set(chances) == {Fraction(1507, 19683)}
