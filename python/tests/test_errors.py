"""Errors: what they tell, and input that no program should send."""

import pickle
from decimal import Decimal
from pathlib import Path
from typing import Any

import grognard
import pytest
from conftest import ROOT, VOLLEY


def test_an_error_has_code_place_and_help() -> None:
    with pytest.raises(grognard.RulesError) as caught:
        grognard.Rules.from_text("ruleset first/march\n\nproc march(s: Squad) { }\n")
    error = caught.value
    assert error.code == "R0202" and "begins with a capital" in error.help
    assert error.place is not None
    assert (error.place.file, error.place.line, error.place.column) == ("first/march.rules", 3, 15)
    first = error.diagnostics[0]
    assert first.severity == "error" and first.message == "there is no type `Squad`"
    # the same lines as `grognard check`
    assert "error[R0202] first/march.rules:3:15" in str(error) and "proc march(s: Squad) { }" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_the_text_is_that_of_the_command_line(program: Path, tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "first").mkdir()
    (tmp_path / "first/march.rules").write_text("ruleset first/march\n\nproc march(s: Squad) { }\n")
    done = subprocess.run([program, "check", "first/march.rules"], cwd=tmp_path, capture_output=True, text=True, check=False)
    with pytest.raises(grognard.RulesError) as caught:
        grognard.Rules.load(tmp_path, "first/march")
    said = done.stdout or done.stderr
    assert [line for line in str(caught.value).splitlines() if line.strip()][:6] == [line for line in said.splitlines() if line.strip()][:6]


def test_an_error_of_a_run_has_its_trace(rules: grognard.Rules) -> None:
    table = rules.table().thing("Squad", "a", men=2).thing("Squad", "b")
    scenario = table.call("volley", "a", "b").mean("b.men").build()
    for question in (scenario.odds, scenario.simulate):
        with pytest.raises(grognard.RunError, match="no value"):
            question()
    with pytest.raises(grognard.RunError, match="no value") as caught:
        scenario.run(seed=1)
    assert caught.value.code is not None and caught.value.trace is not None and len(caught.value.trace) > 1


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda s: s.odds("raiders.mem == 0"), grognard.ScenarioError),
        (lambda s: s.odds("raiders.men =="), grognard.ScenarioError),
        (lambda s: s.with_(no_such=1), grognard.GrognardError),
        (lambda s: s.with_(hit_on=1 << 70), OverflowError),
        (lambda s: s.with_(hit_on=object()), TypeError),
        (lambda s: s.with_(hit_on=Decimal("0.1")), TypeError),
        (lambda s: s.with_(hit_on=float("nan")), ValueError),
        (lambda s: s.with_(hit_on=float("inf")), (OverflowError, ValueError)),
        (lambda s: s.with_(hit_on=0.12345), ValueError),
        (lambda s: s.with_(hit_on="\x00"), grognard.GrognardError),
        (lambda s: s.with_(hit_on="\ud800"), UnicodeEncodeError),
        (lambda s: s.with_(**{"hit_on\x00": 4}), grognard.GrognardError),
        (lambda s: s.with_(**{"hit\nset": 4}), grognard.GrognardError),
        (lambda s: s.simulate(0), grognard.InputError),
        (lambda s: s.simulate(-1), OverflowError),
        (lambda s: s.simulate(1 << 80), OverflowError),
        (lambda s: s.simulate(1 << 60), grognard.InputError),
        (lambda s: s.simulate("10"), TypeError),
        (lambda s: s.simulate(10, seed=-1), OverflowError),
        (lambda s: s.simulate(10, until="wide"), ValueError),
        (lambda s: s.simulate(10, until=-0.1), ValueError),
        (lambda s: s.simulate(10, level=42), grognard.InputError),
        (lambda s: s.simulate(10, progress=3), TypeError),
        (lambda s: s.odds(5), TypeError),
        (lambda s: s.odds(given="raiders.men == 0"), ValueError),
        (lambda s: s.odds(budget=-1), OverflowError),
        (lambda s: s.odds(time=-1.0), ValueError),
        (lambda s: s.odds(time=float("nan")), ValueError),
        (lambda s: s.odds(decide={"nobody": "best"}), grognard.GrognardError),
        (lambda s: s.compare(s, mode="guess"), ValueError),
        (lambda s: s.compare(s, within=0), ValueError),
        (lambda s: s.compare("other"), TypeError),
        (lambda s: s.sweep({"hit_on": "345"}), ValueError),
        (lambda s: s.sweep({"no_such": [1]}), grognard.GrognardError),
        (lambda s: s.sweep({"hit_on": [4, 4.5]}), grognard.GrognardError),
        (lambda s: s.readings(only="no_such"), grognard.InputError),
        (lambda s: s.run(seed=1.5), TypeError),
        (lambda s: s.run(decide={"nobody": lambda d: 0}), grognard.InputError),
        (lambda s: s.measuring("\ud800"), UnicodeEncodeError),
        (lambda s: s.measuring("(" * 100_000), grognard.GrognardError),
        (lambda s: grognard.odds("9" * 5000), grognard.GrognardError),
        (lambda s: grognard.odds(""), grognard.InputError),
        (lambda s: grognard.Rules.from_text("\x00" * 100), grognard.RulesError),
        (lambda s: grognard.Rules.from_text(b"ruleset a/b"), TypeError),
        (lambda s: grognard.Rules.load(ROOT / "docs", "../docs/first/volley"), grognard.GrognardError),
        (lambda s: grognard.Rules.load(ROOT / "docs", "first/vollye"), grognard.RulesError),
        (lambda s: grognard.Rules.load(ROOT / "no such folder", "first/volley"), grognard.InputError),
        (lambda s: grognard.Scenario.load(ROOT / "docs", "first/vollye.toml"), grognard.GrognardError),
        (lambda s: grognard.Trace.from_jsonl("{}"), grognard.InputError),
    ],
)
def test_wrong_arguments_raise(volley: grognard.Scenario, call: Any, error: Any) -> None:
    with pytest.raises(error) as caught:
        call(volley)
    assert not isinstance(caught.value, grognard.InternalError)


def test_a_table_raises_when_it_is_built(rules: grognard.Rules) -> None:
    table = rules.table().thing("Squad", "a", men=30, weight=2).call("vollye")
    with pytest.raises(grognard.GrognardError, match="volley"):
        table.build()
    with pytest.raises(grognard.ScenarioError) as caught:
        rules.table().thing("Squad", "a", men="many").build()
    assert caught.value.place is not None
    with pytest.raises(TypeError):
        rules.table().thing("Squad", "a", men=object())


def test_files_that_are_not_text(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game/core.rules").write_bytes(b"ruleset game/core\n\xff\xfe\n")
    with pytest.raises(grognard.RulesError):
        grognard.Rules.load(tmp_path, "game/core")


def test_nothing_can_be_changed(volley: grognard.Scenario, rules: grognard.Rules) -> None:
    for one in (volley, rules, volley.odds(), volley.simulate(10), volley.run(), rules.table()):
        with pytest.raises(AttributeError):
            one.anything = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        grognard.Rules()  # type: ignore[call-arg]
    assert VOLLEY.startswith("ruleset")
