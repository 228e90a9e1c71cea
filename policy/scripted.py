"""A policy that plays back judgements: for tests of everything around a policy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from policy.protocol import (
    NO_USAGE,
    Draft,
    Grade,
    GradeView,
    Plan,
    PlanView,
    Rewrite,
    RewriteView,
    Usage,
    WriteView,
)

Judgement = TypeVar("Judgement", Plan, Grade, Rewrite, Draft)
Script = Sequence[Judgement | Exception] | Callable[[Any], Judgement]
"""Judgements in the order of the calls (an exception is raised), or a function of the view."""


class ScriptExhaustedError(AssertionError):
    """A policy was asked more often than its script answers."""


class Scripted:
    """Answers each role from its script, turn by turn, and keeps the views it was shown.

    `views` maps plan, grade, rewrite and write to the views in the order of the calls. Each
    call costs `usage`.
    """

    name = "scripted"

    def __init__(
        self,
        *,
        plan: Script[Plan] = (),
        grade: Script[Grade] = (),
        rewrite: Script[Rewrite] = (),
        write: Script[Draft] = (),
        usage: Usage = NO_USAGE,
        version: str = "1",
    ) -> None:
        self.version = version
        self.views: dict[str, list[Any]] = {"plan": [], "grade": [], "rewrite": [], "write": []}
        self._usage = usage
        self._scripts: dict[str, Any] = {
            "plan": plan, "grade": grade, "rewrite": rewrite, "write": write,
        }  # fmt: skip
        self._turns: dict[str, Iterator[Any]] = {
            role: iter(script) for role, script in self._scripts.items() if not callable(script)
        }

    def plan(self, view: PlanView) -> tuple[Plan, Usage]:
        """The next plan of the script."""
        return cast(Plan, self._next("plan", view)), self._usage

    def grade(self, view: GradeView) -> tuple[Grade, Usage]:
        """The next grade of the script."""
        return cast(Grade, self._next("grade", view)), self._usage

    def rewrite(self, view: RewriteView) -> tuple[Rewrite, Usage]:
        """The next rewrite of the script."""
        return cast(Rewrite, self._next("rewrite", view)), self._usage

    def write(self, view: WriteView) -> tuple[Draft, Usage]:
        """The next draft of the script."""
        return cast(Draft, self._next("write", view)), self._usage

    def _next(self, role: str, view: Mapping[str, Any]) -> Any:
        self.views[role].append(view)
        if role not in self._turns:
            return self._scripts[role](view)
        try:
            judgement = next(self._turns[role])
        except StopIteration:
            asked = len(self.views[role])
            raise ScriptExhaustedError(
                f"The script for {role} has {asked - 1} judgements, but {role} was asked {asked} "
                f"times; the last view was about {view.get('original_question')!r}."
            ) from None
        if isinstance(judgement, Exception):
            raise judgement
        return judgement
