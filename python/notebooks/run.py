"""Runs the notebooks of this folder.

    python run.py            fails if a notebook fails, or prints other text than it shows
    python run.py --write    keeps the text that each notebook prints

Charts and HTML are not kept: a notebook that runs draws them again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent


def texts(cell: Any) -> list[dict[str, Any]]:
    """Returns what a cell prints, as outputs without charts and HTML."""
    kept = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream" and output["name"] == "stdout":
            kept.append({"name": "stdout", "output_type": "stream", "text": output["text"]})
        elif "text/plain" in output.get("data", {}) and "text/html" not in output["data"] and len(output["data"]) == 1:
            data = {"text/plain": output["data"]["text/plain"]}
            kept.append({"data": data, "metadata": {}, "output_type": "display_data"})
    return kept


def ran(path: Path) -> tuple[Any, Any]:
    """Returns a notebook as it is, and after a run."""
    before, after = nbformat.read(path, 4), nbformat.read(path, 4)
    NotebookClient(after, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in after.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, [nbformat.from_dict(output) for output in texts(cell)]
    after.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return before, after


def main() -> int:
    wrong = 0
    for path in sorted(HERE.glob("*.ipynb")):
        before, after = ran(path)
        if "--write" in sys.argv[1:]:
            path.write_text(json.dumps(after, indent=1, ensure_ascii=False) + "\n")
            continue
        for number, (old, new) in enumerate(zip(before.cells, after.cells, strict=True)):
            if texts(old) != texts(new):
                wrong += 1
                print(f"{path.name}, cell {number}:\n{json.dumps(texts(old), indent=1)}\nnow prints\n{json.dumps(texts(new), indent=1)}")
        print(f"{path.name}: {len(after.cells)} cells")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
