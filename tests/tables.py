"""Tables of all commands in pandas, Polars and DuckDB: `tests/tables.py GROGNARD`.

Every table is read with no option at all, every column has its type, and tables of one shape are put below each other.
"""
import io, pathlib, subprocess, sys, tempfile
import duckdb, pandas, polars

GROGNARD = pathlib.Path(sys.argv[1]).resolve()
RULES = """ruleset g/x version "1"
param need "Need" = 4  sweep 2 .. 5
param most "Most" = 12
param die : Die = d6  sweep d6, d8
reading times : 1..2 = 1 or 2 because "not said"
reading order = First or Last because "not said"
enum Luck { Bad < Good }
kind Side "A side" { state pips : 0..60 = 0; state few : 0..most = 0; state hit : Flag = no; state luck : Luck = Bad }
phase Go(s: Side) "Goes" {
  roll dice = 2 of d6
  each d in dice { set s.pips += d * times }
  set s.few += s.pips
  roll aim = die
  set s.hit = aim >= need
  if aim == 6 and order == Last { set s.luck = Good }
}
"""
SCENE = """rules = "g/x"
start = "Go(red)"
runs = 400
seed = 5
[Side.red]
[report]
chance = "red.hit"
mean = ["red.pips", "red.pips / 3", "red.few"]
hist = ["red.luck", "red.pips", "-red.pips"]
"""
COUNTS = {"point", "n", "faults", "seed", "discordant"}
NUMBERS = {"number", "estimate", "low", "high", "level", "in_a", "in_b", "within", "or_fewer", "or_more"}
SETTINGS = {"need": "whole", "die": "text"}
MEASURES = ["--of", "red.hit", "--of", "red.pips"]
MODES = ["exact", "sampled"]


def columns(frame):
    """What each column holds, in a word."""
    name = lambda kind: str(kind).lower()
    word = lambda kind: next((w for w, k in [("number", "float"), ("number", "double"), ("whole", "int"), ("flag", "bool")] if k in kind), "text")
    return {column: word(name(kind)) for column, kind in frame}


def wanted(column):
    return SETTINGS.get(column) or ("whole" if column in COUNTS else "number" if column in NUMBERS else "text")


def main(folder):
    (folder / "g").mkdir()
    (folder / "g/x.rules").write_text(RULES)
    (folder / "s.toml").write_text(SCENE)

    def table(*command):
        done = subprocess.run([GROGNARD, *command], cwd=folder, capture_output=True, text=True)
        assert done.returncode in (0, 3), (command, done.stdout, done.stderr)
        return done.stdout

    over = ["--over", "need", "--over", "die"]
    versions = ["g/x:need=4", "g/x:need=5,times=2", "s.toml", *MEASURES]
    figures = [["simulate", "s.toml"], ["odds", "s.toml"], ["odds", "s.toml", "--budget", "5"], ["odds", "3d6"]]
    sweeps = [["sweep", "s.toml", "--mode", m, *over] for m in MODES] + [["sweep", "s.toml", "--mode", "exact", "--budget", "5", *over]]
    effects = [["compare", *versions, "--mode", m, *w] for m in MODES for w in ([], ["--which"])]
    readings = [["readings", "s.toml", *MEASURES, "--mode", m] for m in MODES]
    everything = []
    for kind in (figures, sweeps, effects, readings):
        told = [table(*command, "--format", "csv") for command in kind]
        everything += told
        for text, command in zip(told, kind):
            (folder / "t.csv").write_text(text)
            own = polars.read_csv(folder / "t.csv")
            duck = duckdb.sql(f"select * from '{folder}/t.csv'")
            for found in (columns(own.schema.items()), columns(zip(duck.columns, duck.types))):
                assert found == {c: wanted(c) for c in found}, (command, found)
            # pandas takes a column without a word in it for numbers
            read = pandas.read_csv(io.StringIO(text))
            found = {c: t for c, t in columns(read.dtypes.items()).items() if not read[c].isna().all()}
            assert found == {c: wanted(c) for c in found}, (command, found)
            assert (own.filter(polars.col("label") == "exact")["fraction"].str.contains("/")).all(), command
            known = own.filter(polars.col("estimate").is_not_nan() & polars.col("low").is_not_nan())
            assert (known["low"] <= known["estimate"]).all() and (known["estimate"] <= known["high"]).all(), command
        whole = polars.concat([polars.read_csv(io.StringIO(text)) for text in told])
        assert len(whole) == sum(text.count("\n") - 1 for text in told) > 0
    # any two commands have the same names for the same things
    whole = polars.concat([polars.read_csv(io.StringIO(text)) for text in everything], how="diagonal")
    assert set(whole["label"]) >= {"exact", "bounded", "sampled"}, set(whole["label"])
    files = [folder / f"{n}.csv" for n, _ in enumerate(everything)]
    for file, text in zip(files, everything):
        file.write_text(text)
    union = " union all by name ".join(f"select * from '{file}'" for file in files)
    assert duckdb.sql(union).shape[0] == len(whole)
    assert len(pandas.concat([pandas.read_csv(file) for file in files])) == len(whole)
    # JSON Lines are the same table
    lines = polars.read_ndjson(io.StringIO(table(*sweeps[0], "--format", "jsonl")))
    rows = polars.read_csv(io.StringIO(table(*sweeps[0], "--format", "csv")))
    assert lines.columns == rows.columns and lines["estimate"].to_list() == rows["estimate"].to_list()
    # a slot that a param bounds has an interval, and no cell begins a formula
    few = polars.read_csv(io.StringIO(everything[0])).filter(polars.col("measure") == "red.few")
    assert few["low"].is_not_nan().all() and few["high"].max() < 12, few
    assert not any(cell[0] in "=+-@" for text in everything for cell in polars.read_csv(io.StringIO(text))["measure"])
    print(f"{len(everything)} tables, {len(whole)} rows: pandas {pandas.__version__}, Polars {polars.__version__}, DuckDB {duckdb.__version__}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(pathlib.Path(name))
