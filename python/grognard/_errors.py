"""The exceptions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard._grognard import Diagnostic, Place, Trace


class GrognardError(Exception):
    """An error of rules, a scenario, an argument or a run.

    Its text is that of the command line: the code, the message, the lines of the rules, and help.
    """

    diagnostics: tuple[Diagnostic, ...]
    """The findings, errors first. It is empty for an error in the use of this package."""
    trace: Trace | None
    """The trace of the run that ended in this error, if there is one."""

    def __init__(self, text: str, diagnostics: tuple[Diagnostic, ...] = (), trace: Trace | None = None) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics
        self.trace = trace

    def __reduce__(self) -> tuple[type[GrognardError], tuple[str]]:
        # diagnostics and traces stay in their process
        return (type(self), (str(self),))

    @property
    def code(self) -> str | None:
        """The code of the first finding, such as `R0502`, or `None`."""
        return self.diagnostics[0].code if self.diagnostics else None

    @property
    def place(self) -> Place | None:
        """The place of the first finding, or `None`."""
        return self.diagnostics[0].place if self.diagnostics else None

    @property
    def help(self) -> str:
        """The help line of the first finding. The text can be empty."""
        return self.diagnostics[0].help if self.diagnostics else ""


class RulesError(GrognardError):
    """The rules have errors, or do not exist."""


class ScenarioError(GrognardError):
    """The scenario, or the table that was built, has errors."""


class InputError(GrognardError, ValueError):
    """An argument is wrong."""


class RunError(GrognardError):
    """A run ended in an error of the rules."""


class LimitError(GrognardError):
    """A number is known only within bounds, or the exact answer is too large for the budget."""


class StoppedError(GrognardError):
    """Dice or a player ended a run."""


class InternalError(GrognardError):
    """The library failed. This is a bug."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended the work."""

    partial: Any
    """The partial result, or `None`: a sample of the runs so far, odds with bounds."""

    def __init__(self, partial: Any = None) -> None:
        super().__init__("the work was interrupted")
        self.partial = partial
