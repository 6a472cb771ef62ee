"""Exact odds, samples and traces of wargame rules that are written as text.

>>> import grognard
>>> grognard.odds("total(highest(3, 4 of d6)) >= 12").first.chance
Fraction(799, 1296)
"""

from collections.abc import Mapping as _Mapping

from grognard._env import env
from grognard._errors import (
    GrognardError,
    InputError,
    InternalError,
    Interrupted,
    LimitError,
    RulesError,
    RunError,
    ScenarioError,
    StoppedError,
)
from grognard._grognard import (
    Comparison,
    Decision,
    Diagnostic,
    Distribution,
    Draw,
    Effect,
    Estimate,
    Odds,
    Param,
    Place,
    Played,
    Progress,
    Readings,
    Roll,
    Rules,
    Sample,
    Scenario,
    Sweep,
    Table,
    Thing,
    Trace,
    __version__,
    odds,
)

__all__ = [
    "Comparison",
    "Decision",
    "Diagnostic",
    "Distribution",
    "Draw",
    "Effect",
    "Estimate",
    "GrognardError",
    "InputError",
    "InternalError",
    "Interrupted",
    "LimitError",
    "Odds",
    "Param",
    "Place",
    "Played",
    "Progress",
    "Readings",
    "Roll",
    "Rules",
    "RulesError",
    "RunError",
    "Sample",
    "Scenario",
    "ScenarioError",
    "StoppedError",
    "Sweep",
    "Table",
    "Thing",
    "Trace",
    "__version__",
    "env",
    "odds",
]

# results are not registered as mappings: Polars would take the columns of such a table for its values
for _class in (Odds, Distribution, Sample, Comparison):
    for _name in ("get", "keys", "values", "items"):
        setattr(_class, _name, getattr(_Mapping, _name))
