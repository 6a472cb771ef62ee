"""Plots of results through Altair."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard._grognard import Comparison, Distribution, Odds, Readings, Sample, Sweep

FIXED = {
    "point", "scenario", "rules", "measure", "sort", "value", "number", "label", "ended_by", "n", "estimate", "low",
    "high", "level", "method", "unit", "fraction", "fraction_low", "fraction_high", "faults", "first_fault", "seed",
    "error", "verdict", "or_fewer", "or_more",
}  # fmt: skip
"""The columns of a sweep that are not params or readings."""


def altair() -> Any:
    """Returns the module Altair."""
    try:
        import altair
    except ImportError as missing:
        raise ImportError("`plot` needs Altair; run `pip install altair`") from missing
    return altair


def rows(result: Any) -> list[dict[str, Any]]:
    """Returns the rows of a result with numbers where they are numbers."""

    def typed(text: str) -> Any:
        try:
            number = float(text)
        except ValueError:
            return text
        return None if number != number else number

    return [{name: typed(cell) for name, cell in row.items()} for row in csv.DictReader(io.StringIO(result.csv()))]


def data(found: list[dict[str, Any]]) -> Any:
    return altair().Data(values=found)


def columns(found: list[dict[str, Any]], title: str) -> Any:
    """Returns a histogram."""
    alt = altair()
    numbers = all(row["number"] is not None for row in found)
    axis = alt.X("number:Q", title=title) if numbers else alt.X("value:N", title=title, sort=None)
    bars = alt.Chart(data(found)).mark_bar()
    return bars.encode(x=axis, y=alt.Y("estimate:Q", title="probability"), tooltip=["value:N", "estimate:Q"])


def intervals(found: list[dict[str, Any]], title: str, group: str = "measure") -> Any:
    """Returns points with intervals."""
    alt = altair()
    base = alt.Chart(data(found)).encode(y=alt.Y(f"{group}:N", title=None, sort=None))
    scale = alt.Scale(zero=False)
    rules = base.mark_rule().encode(x=alt.X("low:Q", title=title, scale=scale), x2="high:Q")
    return rules + base.mark_point(filled=True).encode(x="estimate:Q", tooltip=[f"{group}:N", "estimate:Q", "low:Q", "high:Q"])


def measured(result: Any) -> Any:
    """Returns a plot for each measure: histograms, and one of all other numbers."""
    found = rows(result)
    texts = list(dict.fromkeys(row["measure"] for row in found if row["sort"] == "hist"))
    plots = [columns([row for row in found if row["sort"] == "hist" and row["measure"] == text], text) for text in texts]
    others = [row for row in found if row["sort"] != "hist"]
    if others:
        plots.append(intervals(others, "estimate"))
    return plots[0] if len(plots) == 1 else altair().vconcat(*plots)


def odds(result: Odds) -> Any:
    return measured(result)


def sample(result: Sample) -> Any:
    return measured(result)


def distribution(result: Distribution) -> Any:
    def number(value: object) -> float | None:
        return float(value) if isinstance(value, (int, Fraction)) and not isinstance(value, bool) else None

    found = [
        {"value": str(value), "number": number(value), "estimate": float((low + high) / 2)}
        for value, (low, high) in result.outcomes
    ]
    return columns(found, result.measure)


def comparison(result: Comparison) -> Any:
    return intervals(rows(result), "difference, B minus A")


def readings(result: Readings) -> Any:
    found = [dict(row, change=f"{row['reading']}: {row['alternative']}") for row in rows(result)]
    return intervals(found, "difference", "change").facet(row="measure:N")


def sweep(result: Sweep) -> Any:
    """Returns lines over the first param, in a panel for each measure, with a color for each value of the others."""
    alt = altair()
    found = [row for row in rows(result) if row.get("sort") in ("chance", "mean")]
    names = [name for name in found[0] if name not in FIXED] if found else []
    if not names:
        return intervals(found, "estimate")
    first, others = names[0], names[1:]
    series = [dict(row, series=", ".join(f"{name} {row[name]}" for name in others)) for row in found]
    numbers = all(isinstance(row[first], float) for row in found)
    axis = alt.X(f"{first}:{'Q' if numbers else 'N'}", scale=alt.Scale(zero=False) if numbers else alt.Undefined)
    lines = alt.Chart(data(series)).mark_line(point=True).encode(x=axis, y="estimate:Q", color="series:N")
    return lines.facet(row="measure:N")
