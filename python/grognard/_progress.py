"""The display of progress, in terminals and notebooks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard._grognard import Progress

SHORT = 1.0
"""Shorter work, in seconds, has no display."""


def line(what: str, progress: Progress) -> str:
    """Returns the progress as one line of text."""
    counts = [(progress.points, "points"), (progress.runs, "runs")]
    count, unit = next(((n, unit) for n, unit in counts if n), (0, "runs"))
    total = progress.total if progress.total and unit == "runs" else None
    done = f"{count:,} of {total:,} {unit}" if total else f"{count:,} {unit}" if count else ""
    parts = [done, progress.doing, f"{progress.seconds:.0f} s"]
    return f"{what}: " + ", ".join(part for part in parts if part)


class Terminal:
    """Shows progress in one line of standard error."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.width = 0

    def __call__(self, progress: Progress) -> None:
        if progress.seconds < SHORT:
            return
        text = line(self.what, progress)[:100]
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)

    def finish(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


class Notebook:
    """Shows progress below the cell of a notebook."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.handle: Any = None

    def __call__(self, progress: Progress) -> None:
        if progress.seconds < SHORT:
            return
        from IPython.display import display  # type: ignore[import-not-found,unused-ignore]

        data = {"text/plain": line(self.what, progress)}
        if self.handle is None:
            self.handle = display(data, raw=True, display_id=True)
        else:
            self.handle.update(data, raw=True)

    def finish(self) -> None:
        if self.handle is not None:
            self.handle.update({"text/plain": ""}, raw=True)


def in_notebook() -> bool:
    """Returns whether this is a kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and hasattr(shell, "kernel")


def reporter(progress: Any, what: str) -> Callable[[Progress], object] | None:
    """Returns the function that receives the progress: the given one, a display, or `None`."""
    if callable(progress):
        return progress  # type: ignore[no-any-return]
    if progress is None:
        progress = in_notebook() or (sys.stderr is not None and sys.stderr.isatty())
    if progress is not True and progress is not False:
        raise TypeError(f"progress: expected True, False, None or a function, found {type(progress).__name__}")
    if not progress:
        return None
    return Notebook(what) if in_notebook() else Terminal(what)


def finish(reporter: Any) -> None:
    """Clears the display."""
    if isinstance(reporter, (Terminal, Notebook)):
        reporter.finish()
