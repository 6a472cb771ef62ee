"""Values: exact fractions, distributions, tables, rules."""

from fractions import Fraction

import grognard
import pytest
from conftest import ROOT, VOLLEY


def test_the_odds_of_the_volley_are_exact(volley: grognard.Scenario) -> None:
    odds = volley.odds()
    assert odds["raiders.men == 0"].chance == Fraction(1507, 19683)
    assert odds["raiders.men"].mean == Fraction(158848, 59049)
    assert odds.exact and odds.label == "exact" and not odds.stopped and odds.problems == ()
    assert list(odds) == ["raiders.men", "raiders.men == 0"] and len(odds) == 2
    assert "raiders.men" in odds and "guards.men" not in odds and 3 not in odds
    assert odds.get("guards.men") is None
    assert [one.measure for one in odds.values()] == list(odds.keys())


def test_a_distribution_maps_values_to_fractions(rules: grognard.Rules) -> None:
    dice = rules.odds("2d6").first
    assert dice[7] == Fraction(1, 6) and dict(dice.items())[12] == Fraction(1, 36)
    assert sum(dice.values()) == 1 and list(dice) == list(range(2, 13))
    assert dice.mean == 7 and dice.variance == Fraction(35, 6) and dice.unexplored == 0 and dice.never == 0
    assert 13 not in dice and "seven" not in dice
    with pytest.raises(KeyError):
        dice[13]


def test_dice_without_rules() -> None:
    assert grognard.odds("total(highest(3, 4 of d6)) >= 12").first.chance == Fraction(799, 1296)
    assert grognard.odds("2d6", of=None, budget=10_000).first.mean == 7


def test_bounds_are_marked(rules: grognard.Rules) -> None:
    table = rules.table().thing("Squad", "a", men=20).thing("Squad", "b", men=20)
    many = table.call("volley", "a", "b").call("volley", "b", "a").mean("a.men + b.men").chance("a.men > b.men").build()
    odds = many.odds(budget=5)
    assert not odds.exact and odds.label == "bounded" and odds.problems
    chance = odds["a.men > b.men"]
    low, high = chance.bounds
    assert 0 <= low < high <= 1
    with pytest.raises(grognard.LimitError, match="bounds"):
        chance.chance


def test_a_fraction_of_any_length_arrives(rules: grognard.Rules) -> None:
    chance = grognard.odds("(count 400 of d10 >= 4) >= 300").first.chance
    assert chance == sum(comb(400, k) * Fraction(7, 10) ** k * Fraction(3, 10) ** (400 - k) for k in range(300, 401))
    huge = grognard.odds("(count 4000 of d100 >= 4) >= 4000", budget=100_000).first.chance
    assert huge == Fraction(97, 100) ** 4000


def comb(n: int, k: int) -> int:
    from math import comb as own

    return own(n, k)


def test_a_table_is_built_in_steps(rules: grognard.Rules) -> None:
    empty = rules.table()
    table = empty.thing("Squad", "guards", men=3).thing("Squad", "raiders", men=2).call("volley", "guards", "raiders")
    scenario = table.chance("raiders.men == 0").hist("raiders.men").build()
    assert empty.to_toml() != table.to_toml(), "a table does not change"
    odds = scenario.odds()
    assert odds["raiders.men == 0"].chance == Fraction(1, 2)
    assert dict(odds["raiders.men"].items()) == {0: Fraction(1, 2), 1: Fraction(3, 8), 2: Fraction(1, 8)}
    assert rules.scenario_from_toml(table.chance("raiders.men == 0").to_toml()).odds().first.chance == Fraction(1, 2)
    assert scenario.with_(hit_on=3).odds(of="raiders.men == 0").first.chance == Fraction(20, 27)
    assert scenario.odds("raiders.men", given="raiders.men > 0").first[1] == Fraction(3, 4)
    assert scenario.odds(["raiders.men == 0"], set={"hit_on": 3}).first.chance == Fraction(20, 27)


def test_rules_tell_their_params() -> None:
    rules = grognard.Rules.load(ROOT / "docs", "first/volley")
    assert rules.path == "first/volley" and rules.warnings == () and rules.version == ""
    assert list(rules.params) == ["hit_on", "save_on"]
    hit_on = rules.params["hit_on"]
    assert (hit_on.default, hit_on.values, hit_on.is_reading) == (4, (3, 4, 5), False)
    with pytest.raises(TypeError):
        rules.params["hit_on"] = hit_on  # type: ignore[index]
    assert grognard.Rules.from_texts({"game/volley.rules": VOLLEY}, "game/volley").params["hit_on"].default == 4
    assert any(param.is_reading for param in grognard.Rules.shipped("warstrike/action-phase").params.values())


def test_a_sample_has_intervals(volley: grognard.Scenario) -> None:
    sample = volley.simulate(2000, seed=1, threads=2)
    estimate = sample["raiders.men == 0"]
    assert sample.runs == 2000 == estimate.counted and sample.seed == 1 and sample.faults == 0
    low, high = estimate.interval or (1.0, 0.0)
    assert low <= 1507 / 19683 <= high and estimate.level == "95" and estimate.method
    assert estimate.share is not None and estimate.value == float(estimate.share)
    again = volley.simulate(2000, seed=1, threads=1, progress=lambda _: None)
    assert again.json() == sample.json(), "neither threads nor progress change a sample"
    assert volley.simulate(100, level=99).first.level == "99"
    assert volley.simulate(of="raiders.men", seed=2).runs == 10_000
    assert volley.simulate(1_000_000, of="raiders.men == 0", until="2%").runs < 1_000_000
    assert dict(volley.simulate(50, of="raiders.men").first.values).keys() <= set(range(7))


def test_a_comparison_is_exact_where_possible(volley: grognard.Scenario) -> None:
    found = volley.compare(volley.with_(hit_on=3))
    effect = found["raiders.men == 0"]
    assert found.exact and effect.verdict == "more" and effect.interval is None
    assert effect.a == Fraction(1507, 19683) and effect.b == Fraction(10756096, 43046721)
    assert effect.difference == Fraction(7460287, 43046721)
    sampled = volley.compare(volley.with_(hit_on=3), mode="sampled", within=0.5, seed=1, threads=2)
    assert not sampled.exact and sampled.pairs > 0 and isinstance(sampled.first.a, float)
    assert sampled.first.verdict == "less"


def test_a_sweep_has_a_row_for_each_point(volley: grognard.Scenario) -> None:
    sweep = volley.sweep({"hit_on": [3, 4], "save_on": None}, of="raiders.men == 0")
    assert sweep.points == sweep.finished == 6 and not sweep.stopped
    assert "1507/19683" in sweep.csv()


def test_things_at_the_end_of_a_run(volley: grognard.Scenario) -> None:
    played = volley.run(seed=4)
    assert played.measures == {"raiders.men": 4, "raiders.men == 0": False}
    assert played.things["raiders"]["men"] == 4 and played.things["raiders"].kind == "Squad"
    assert played.state("no such state") is None and played.problems == ()
    again = grognard.Trace.from_jsonl(played.trace.jsonl())
    assert str(again) == str(played.trace) and again[0]["event"] == "header" and len(again) == len(again.events)
    assert len(volley.run(trace=False).trace) == 0


def test_rules_build_on_the_shipped_books() -> None:
    variant = "variant mine/duel of warstrike/leadership\noverride param hit_on = 5\n"
    for rules in (grognard.Rules.from_text(variant), grognard.Rules.from_texts({"mine/duel.rules": variant}, "mine/duel")):
        assert rules.params["hit_on"].default == 5
    # a book of one's own hides the shipped one
    with pytest.raises(grognard.RulesError):
        grognard.Rules.from_texts({"warstrike/mine.rules": variant.replace("mine/duel", "warstrike/mine")}, "warstrike/mine")
