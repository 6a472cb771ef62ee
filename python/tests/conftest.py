"""What the tests share: the repository, the program, and a small ruleset."""

import os
import subprocess
from pathlib import Path

import grognard
import pytest

ROOT = Path(__file__).resolve().parents[2]

VOLLEY = """ruleset game/volley

param hit_on = 4

kind Squad { state men : 0..20 }

proc volley(shooters: Squad, target: Squad) {
  roll aim = shooters.men of d6
  set target.men -= count aim >= hit_on
}
"""

LONG = """ruleset game/long

kind Side { state hits : 0..1000000 }

proc fight(a: Side, rounds: 0..1000000) {
  each i in 1 .. rounds {
    roll blows = 10 of d6
    set a.hits += total(blows)
  }
}
"""


@pytest.fixture(scope="session")
def program() -> Path:
    """The command line of the same version: `GROGNARD`, or a debug build."""
    if given := os.environ.get("GROGNARD"):
        return Path(given).resolve()
    subprocess.run(["cargo", "build", "--locked", "--quiet"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "grognard"


@pytest.fixture
def volley() -> grognard.Scenario:
    return grognard.Scenario.load(ROOT / "docs", "first/volley.toml")


@pytest.fixture
def rules() -> grognard.Rules:
    return grognard.Rules.from_text(VOLLEY)
