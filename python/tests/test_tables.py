"""Tables as Arrow in the libraries that read it, plots, and displays in notebooks."""

import importlib
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import grognard
import pytest
from conftest import ROOT

COLUMNS = ["scenario", "rules", "measure", "sort", "value", "number", "label"]


def results(volley: grognard.Scenario) -> dict[str, Any]:
    shipped = grognard.Scenario.shipped("warstrike/scenarios/exchange-of-fire.toml")
    return {
        "odds": volley.odds(["raiders.men == 0", "raiders.men"]),
        "sample": volley.simulate(200, seed=1),
        "comparison": volley.compare(volley.with_(hit_on=3)),
        "sweep": volley.sweep({"hit_on": [3, 4]}),
        "readings": shipped.readings(runs=50, budget=200),
        "trace": volley.run(seed=4).trace,
        "distribution": volley.odds("raiders.men").first,
    }


def test_pyarrow_reads_every_table(volley: grognard.Scenario) -> None:
    import pyarrow

    for name, result in results(volley).items():
        table = pyarrow.table(result)
        assert table.num_rows > 0 and table.schema == pyarrow.schema(result), name
    odds = pyarrow.table(volley.odds("raiders.men == 0"))
    assert odds.column_names[:7] == COLUMNS
    assert odds.column("fraction").to_pylist() == ["1507/19683"] and odds.column("estimate").type == pyarrow.float64()
    sweep = pyarrow.table(volley.sweep({"hit_on": [3, 4]}, of="raiders.men == 0"))
    assert sweep.column("hit_on").to_pylist() == [3, 4] and sweep.column("hit_on").type == pyarrow.int64()
    kept = pyarrow.table(volley.simulate(10))
    assert kept.column("n").to_pylist()[0] == 10, "a table outlives its result"


def test_polars_pandas_and_duckdb_read_every_table(volley: grognard.Scenario) -> None:
    import duckdb
    import pandas
    import polars

    for name, result in results(volley).items():
        frame = polars.DataFrame(result)
        other = pandas.DataFrame.from_arrow(result)
        assert frame.height == len(other) > 0 and frame.columns == list(other.columns), name
        assert duckdb.sql("select count(*) from result").fetchall() == [(frame.height,)], name
    dice = polars.DataFrame(grognard.odds("2d6").first)
    assert dice.filter(polars.col("number") == 7)["fraction"].to_list() == ["1/6"]
    assert dice["estimate"].sum() == pytest.approx(1)


def test_a_trace_is_a_table_of_events(volley: grognard.Scenario) -> None:
    import polars

    trace = volley.run(seed=4).trace
    frame = polars.DataFrame(trace)
    assert frame["event"].to_list() == [event["event"] for event in trace]
    assert frame.filter(polars.col("event") == "roll")["name"].to_list() == ["aim", "armour"]


def test_a_trace_has_a_story(volley: grognard.Scenario) -> None:
    story = volley.run(seed=4).trace.story()
    assert "aim 10 of d6: 5 6 2 5 1 5 4 2 1 6" in story
    assert "raiders men 6 -> 4" in story


def test_every_result_has_a_plot(volley: grognard.Scenario) -> None:
    for name, result in results(volley).items():
        if name == "trace":
            continue
        chart = result.plot().to_dict()
        assert "$schema" in chart and "values" in str(chart), name
    bars = grognard.odds("2d6").first.plot().to_dict()
    values = next(iter(bars["datasets"].values())) if "datasets" in bars else bars["data"]["values"]
    assert [value["number"] for value in values] == list(range(2, 13))


def test_a_plot_without_altair_says_what_to_install(volley: grognard.Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(ImportError, match="pip install altair"):
        volley.odds().plot()


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.inner = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.inner += dict(attrs).get("srcdoc") or ""


def tags(html: str) -> list[str]:
    """Returns the elements of a display, also those of its frame."""
    outer = Tags()
    outer.feed(html)
    inner = Tags()
    inner.feed(outer.inner)
    return outer.tags + inner.tags


def test_notebooks_show_results(volley: grognard.Scenario) -> None:
    for name, result in results(volley).items():
        if name == "distribution":
            continue
        shown = tags(result._repr_html_())
        assert ("pre" if name == "trace" else "svg") in shown, name
        assert "script" not in shown
    text = "# <b>\n" + volley.text
    rules = grognard.Rules.load(ROOT / "docs", "first/volley")
    assert tags(rules.scenario_from_toml(text)._repr_html_()) == ["pre"]


def test_a_table_with_places_is_drawn() -> None:
    scenario = grognard.Scenario.shipped("warstrike/scenarios/behind-a-wall.toml")
    assert "svg" in tags(scenario._repr_html_())
    shown = tags(scenario.run(seed=1)._repr_html_())
    assert "svg" in shown and "pre" in shown


def test_text_is_that_of_the_command_line(volley: grognard.Scenario) -> None:
    assert "1507/19683" in str(volley.odds()) and "\x1b" not in str(volley.odds())
    assert repr(volley.odds()["raiders.men == 0"]) == "<Distribution of raiders.men == 0: chance 1507/19683>"
    assert importlib.import_module("grognard").__version__ and Fraction(1, 2)
