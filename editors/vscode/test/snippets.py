"""Checks the snippets of the extension: each one, with its default texts, must pass `grognard check`.

Usage: snippets.py GROGNARD"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SNIPPETS = HERE.parent / "snippets"

BASE = """ruleset snippets/base
param fire_on "A shot hits on" = 4
kind Side { }
kind Unit {
  owner side
  link side : Side
  stat nerve : 1..6
  state men : 0..20 = 10
}
event Hit(unit: Unit, n: Int)
proc fire(u: Unit) {
  roll aim = u.men of d6
  set u.men -= count aim >= fire_on
}
test Nerve(u: Unit) {
  roll pip = d6
  pass when pip <= u.nerve
}
phase Activation(u: Unit) { choose action by u or stop }
"""
CLAUSES = '[[clause]]\nid = "G-01"\nsection = "Shooting"\nsays = "A shot hits on 4 or more."\nstatus = "modelled"\n'
# snippets that are a whole file, that need text below them, and that are statements
WHOLE = {"ruleset", "variant"}
BELOW = {"cite": "let cited = 1"}
STATEMENTS = {"roll", "set", "if", "each", "choose", "chooseoption", "match"}
# snippets of scenarios that are parts, with the text before them
HEAD = 'rules = "snippets/base"\nname = "part"\nseed = 1\n'
UNITS = '[Side.red]\n[Unit]\nguards = { side = "red", men = 10, nerve = 3 }\n'
STEP = '[[step]]\ndo = "do fire(guards)"\n'
PARTS = {"step": HEAD + UNITS, "report": HEAD + UNITS + STEP, "expect": HEAD + UNITS + STEP, "params": HEAD,
         "things": HEAD + "[Side.red]\n"}
AFTER = {"params": UNITS + STEP, "things": STEP}


def expand(body):
    """Returns the text of a snippet with its default texts. A stop that occurs again has the text of its first."""
    text = "\n".join(body)
    first = {}
    for number, default in re.findall(r"\$\{(\d+):([^}]*)\}", text):
        first.setdefault(number, default)
    text = re.sub(r"\$\{(\d+):[^}]*\}", lambda m: first[m.group(1)], text)
    text = re.sub(r"\$\{\d+\|([^,|]*)[^}]*\}", r"\1", text)
    return re.sub(r"\$\{?0\}?", "", text) + "\n"


def main():
    grognard = Path(sys.argv[1]).resolve()
    wrong = []
    rules = json.loads((SNIPPETS / "rules.json").read_text(encoding="utf-8"))
    scenarios = json.loads((SNIPPETS / "scenarios.json").read_text(encoding="utf-8"))
    for sort, snippets in [("rules", rules), ("toml", scenarios)]:
        for name, snippet in snippets.items():
            text = expand(snippet["body"])
            if sort == "toml":
                text = PARTS.get(name, "") + text + AFTER.get(name, "")
            elif name not in WHOLE:
                text = text.rstrip("\n") + "\n" + BELOW.get(name, "")
                if name in STATEMENTS:
                    text = f"proc snippet(u: Unit) {{\n{text}}}\n"
                text = "ruleset snippets/part extends snippets/base\n" + text
            with tempfile.TemporaryDirectory() as folder:
                inner = Path(folder) / "snippets"
                inner.mkdir()
                (inner / "base.rules").write_text(BASE, encoding="utf-8")
                (inner / "clauses.toml").write_text(CLAUSES, encoding="utf-8")
                path = inner / f"part.{sort}"
                header = re.match(r"(ruleset|variant) (\S+)/(\S+)", text)
                if sort == "rules" and header:
                    path = Path(folder) / header.group(2) / f"{header.group(3)}.rules"
                    path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
                for command in ["check", "test"]:
                    done = subprocess.run([grognard, "--color", "never", command, str(path)], capture_output=True,
                                          text=True, check=False)
                    if done.returncode and "no examples or scenarios found" not in done.stderr:
                        wrong.append(f"{name}, grognard {command}:\n{text}\n{done.stdout}{done.stderr}")
                        break
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(rules) + len(scenarios)} snippets pass `grognard check` and `grognard test`")


if __name__ == "__main__":
    main()
