"""Compares the Tree-sitter grammar with the parser of Grognard on every rules text of the repository.

Usage: check.py GROGNARD TREE_SITTER

The texts are the `.rules` files, the `rules` blocks of the pages, the cases of `test/corpus`, and the snippets of the
parser's own tests. Each text
that `grognard fmt` reads must parse without an ERROR node. Of the texts that it rejects, most must have one."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SNIPPETS = ["forms", "habits", "mistakes", "newcomer"]
# Share of the rejected texts that the grammar must reject too. An editor needs no more: the server reports the rest.
REJECTED = 0.6


def texts():
    """Yields each text with its place."""
    files = subprocess.run(["git", "ls-files", "*.rules", "docs/*.md"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in files.stdout.split():
        text = (ROOT / name).read_text(encoding="utf-8")
        if name.endswith(".rules"):
            yield name, text
            continue
        for block in re.finditer(r"^```rules.*\n((?:.*\n)*?)```", text, re.MULTILINE):
            yield f"{name}:{text.count(chr(10), 0, block.start()) + 2}", block.group(1)
    for file in sorted((HERE / "test/corpus").glob("*.txt")):
        text = file.read_text(encoding="utf-8")
        for case in re.finditer(r"^=+\n(.+)\n=+\n\n((?:.*\n)*?)\n---$", text, re.MULTILINE):
            yield f"{file.name}, {case.group(1)}", case.group(2)
    for name in SNIPPETS:
        place = f"crates/syntax/tests/fixtures/syntax/{name}.txt"
        text = (ROOT / place).read_text(encoding="utf-8")
        for number, part in enumerate(re.split(r"\n\n+", text) if name == "habits" else [text]):
            yield f"{place}#{number + 1}", part.strip("\n") + "\n"


def with_header(text):
    begins = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    return text if re.match(r"\s*(ruleset|variant)\s", begins) else "ruleset a/b\n" + text


def main():
    grognard, tree_sitter = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        places = {}
        for number, (place, text) in enumerate(texts()):
            file = Path(folder) / f"{number:04}.rules"
            text = with_header(text)
            file.write_text(text, encoding="utf-8")
            read = subprocess.run([grognard, "fmt", "-"], input=text, capture_output=True, text=True, check=False)
            places[str(file)] = (place, read.returncode == 0)
        list_file = Path(folder) / "paths"
        list_file.write_text("\n".join(places) + "\n", encoding="utf-8")
        parsed = subprocess.run([tree_sitter, "parse", "--quiet", "--paths", str(list_file)], cwd=HERE,
                                capture_output=True, text=True, check=False)
    if "rules" not in parsed.stdout and parsed.returncode:
        sys.exit(f"tree-sitter cannot run: {parsed.stderr}")
    faults = {}
    for line in parsed.stdout.splitlines():
        found = re.match(r"(\S+)\s.*\(((?:ERROR|MISSING)[^)]*)\)?", line)
        if found:
            faults[found.group(1)] = found.group(2)
    accepted = [(file, place) for file, (place, fine) in places.items() if fine]
    wrong = [f"{place}: {faults[file]}" for file, place in accepted if file in faults]
    refused = [(file, place) for file, (place, fine) in places.items() if not fine]
    missed = [place for file, place in refused if file not in faults]
    wrong += [f"{place}: grognard rejects it" for place, fine in places.values() if not fine and ".txt, " in place]
    print(f"{sum(file not in faults for file, _ in accepted)} of {len(accepted)} correct texts parse")
    print(f"{len(refused) - len(missed)} of {len(refused)} texts with a syntax error are rejected")
    if wrong:
        sys.exit("\n".join(wrong))
    if len(accepted) < 300 or len(refused) - len(missed) < REJECTED * len(refused):
        sys.exit("too few texts, or too few are rejected; these parse:\n" + "\n".join(missed))


if __name__ == "__main__":
    main()
