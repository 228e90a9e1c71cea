"""Thresholds that a run must meet, for CI: `gates.toml`.

[never]                       # fails at one
cases = ["leak", "invented_citation", "write"]

[[gate]]
measure = "right"             # any measure, or one of refusal: balanced_accuracy, …
system = "agent"
dataset = "handbook-vi"       # without it: all sets together
group = { answerable = "yes" }
at_least = 0.85               # or at_most
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from groundhop.evaluation.schema import Json
from groundhop.evaluation.summary import GROUPS, Answer, mean, of, percentile, refusal
from retrieval.errors import UsageError

NEVER = {"leak": "leaked", "invented_citation": "invented", "write": "written"}
_REFUSAL = {
    "balanced_accuracy": "balanced",
    "refusal_precision": "precision",
    "refusal_recall": "recall",
    "wrongly_answered": "wrongly_answered",
    "wrongly_refused": "refused_answerable",
}
_PERCENTILES = {"seconds_p50": 0.5, "seconds_p95": 0.95}
_FIELDS = {"measure", "system", "dataset", "group", "at_least", "at_most"}


@dataclass(frozen=True)
class Gate:
    """One threshold; `value` is compared with whichever of the two bounds is set."""

    measure: str
    at_least: float | None
    at_most: float | None
    where: dict[str, str]

    @property
    def name(self) -> str:
        """What is measured where, for people."""
        cut = ", ".join(f"{name} {value}" for name, value in self.where.items())
        return f"{self.measure} ({cut})" if cut else self.measure


@dataclass(frozen=True)
class Verdict:
    """Whether something passed, in a line."""

    passed: bool
    text: str


def read_gates(path: Path) -> tuple[list[Gate], list[str]]:
    """The gates and the cases that must never occur; raises UsageError naming what is wrong."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from None
    never = list(values.get("never", {}).get("cases", []))
    unknown = [one for one in never if one not in NEVER]
    if unknown:
        raise UsageError(f"{path}: never has no case {unknown[0]!r}, only {', '.join(NEVER)}.")
    gates = [_gate(path, number, one) for number, one in enumerate(values.get("gate", []), 1)]
    if not gates and not never:
        raise UsageError(f"{path} holds neither [[gate]] nor [never]: nothing would be checked.")
    return gates, never


def check(answers: Sequence[Answer], gates: list[Gate], never: list[str]) -> list[Verdict]:
    """A verdict for each gate and each case that must never occur.

    A gate that no answer falls under fails: a threshold that is not measured is not met.
    """
    return [*(_never(answers, case) for case in never), *(_check(answers, one) for one in gates)]


def _gate(path: Path, number: int, values: Json) -> Gate:
    where = f"{path}, gate {number}"
    unknown = sorted(values.keys() - _FIELDS)
    if unknown:
        raise UsageError(f"{where}: there is no field {unknown[0]!r}, only {sorted(_FIELDS)}.")
    if "measure" not in values or ("at_least" in values) == ("at_most" in values):
        raise UsageError(f"{where}: it needs a measure, and either at_least or at_most.")
    group = values.get("group", {})
    wrong = sorted(group.keys() - set(GROUPS)) if isinstance(group, dict) else [group]
    if wrong:
        raise UsageError(f"{where}: there is no group {wrong[0]!r}, only {', '.join(GROUPS)}.")
    named = {name: values[name] for name in ("system", "dataset") if name in values}
    bounds = [values.get("at_least"), values.get("at_most")]
    if any(isinstance(one, bool) or not isinstance(one, int | float | None) for one in bounds):
        raise UsageError(f"{where}: at_least and at_most are numbers.")
    cut = {name: str(value) for name, value in {**named, **group}.items()}
    return Gate(str(values["measure"]), bounds[0], bounds[1], cut)


def _never(answers: Sequence[Answer], case: str) -> Verdict:
    found = [one for one in answers if one.record.get(NEVER[case])]
    name = case.replace("_", " ")
    if not found:
        return Verdict(True, f"{name}: none in {len(answers)} answers")
    first = found[0]
    return Verdict(False, f"{name}: {len(found)}, first in {first.question} ({first.thread})")


def _check(answers: Sequence[Answer], gate: Gate) -> Verdict:
    value = _value(of(answers, **gate.where), gate.measure)
    bound = gate.at_least if gate.at_least is not None else gate.at_most
    sign = ">=" if gate.at_least is not None else "<="
    if value is None or bound is None:
        return Verdict(False, f"{gate.name}: nothing was measured, wanted {sign} {bound}")
    passed = value >= bound if sign == ">=" else value <= bound
    return Verdict(passed, f"{gate.name}: {value:.3f}, wanted {sign} {bound}")


def _value(answers: list[Answer], measure: str) -> float | None:
    if measure in _PERCENTILES:
        return percentile(answers, "seconds", _PERCENTILES[measure])
    if measure in _REFUSAL:
        found = refusal(answers)
        rate = getattr(found, _REFUSAL[measure]) if found else None
        return rate.value if rate and rate.n else None
    interval = mean(answers, measure)
    return interval.value if interval else None
