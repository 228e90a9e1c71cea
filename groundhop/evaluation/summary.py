"""From single answers to the numbers of a report: means with intervals, cuts, comparisons."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from groundhop.evaluation.measures import Values
from groundhop.evaluation.schema import Json
from groundhop.evaluation.statistics import (
    Comparison,
    Interval,
    balanced_accuracy,
    compare,
    holm,
    mean_interval,
    wilson,
)
from groundhop.evaluation.store import Results
from retrieval.errors import UsageError

GROUPS = ("answerable", "type", "hops", "lang", "split")
_ORDER = {"closed": 0, "single": 1, "agent": 2}
COMPARED = ("right", "all_found@5", "f1", "citation_precision")
"""Measures on which systems are tested against each other; p is adjusted for all tests of a set.
A measure that none of the questions has is left out."""


@dataclass(frozen=True)
class Answer:
    """One question answered by one system, with everything that was measured."""

    dataset: str
    question: str
    asked: str
    groups: dict[str, str]
    labels: Json
    system: str
    outcome: str
    cause: str
    status: str
    stop_reason: str
    short: str
    thread: str
    home: str
    values: Values
    record: Json


@dataclass(frozen=True)
class Refusal:
    """How a system tells answerable questions from others; greetings and partial ones apart.

    *Positive* is a refusal: precision is the share of refusals that were right, recall the share
    of unanswerable questions that were refused. Balanced accuracy is the mean of recall and of
    the share of answerable questions that were not refused.
    """

    answered_right: int
    answered_wrong: int
    wrongly_refused: int
    rightly_refused: int
    wrongly_answered: Interval
    """Share of the unanswerable questions that were answered."""
    refused_answerable: Interval
    """Share of the answerable questions that were refused."""
    precision: Interval
    recall: Interval
    balanced: Interval


@dataclass(frozen=True)
class Tested:
    """One comparison of two systems, with its p adjusted for all comparisons of its set."""

    measure: str
    first: str
    second: str
    found: Comparison
    p: float


def answers_of(results: Results, run: str, systems: Iterable[str] | None = None) -> list[Answer]:
    """The answers of a run, system by system, in the order of their questions.

    Raises UsageError where there are none.
    """
    rows = results.rows(
        "select r.*, q.asked, q.answerable, q.type, q.lang, q.hops, q.split, q.labels"
        " from results r join questions q using (run, dataset, question)"
        " where r.run = ? order by q.rowid, r.rowid",
        run,
    )
    if not rows:
        known = [row["run"] for row in results.rows("select run from runs order by begun desc")]
        raise UsageError(f"There are no results of a run {run!r}; there are: {', '.join(known)}.")
    values: dict[tuple[str, str, str], Values] = {}
    for row in results.rows("select * from measures where run = ?", run):
        place = (row["dataset"], row["question"], row["system"])
        values.setdefault(place, {})[row["measure"]] = row["value"]
    wanted = None if systems is None else set(systems)
    found = [_answer(row, values) for row in rows if wanted is None or row["system"] in wanted]
    return sorted(found, key=lambda one: _ORDER.get(one.system.partition(":")[0], len(_ORDER)))


def _answer(row: Any, values: dict[tuple[str, str, str], Values]) -> Answer:
    return Answer(
        dataset=row["dataset"],
        question=row["question"],
        asked=row["asked"],
        groups={name: str(row[name]) for name in GROUPS},
        labels=json.loads(row["labels"]),
        system=row["system"],
        outcome=row["outcome"],
        cause=row["cause"],
        status=row["status"],
        stop_reason=row["stop_reason"],
        short=row["short"],
        thread=row["thread"],
        home=row["home"],
        values=values.get((row["dataset"], row["question"], row["system"]), {}),
        record=json.loads(row["record"]),
    )


def of(answers: Iterable[Answer], **wanted: str) -> list[Answer]:
    """The answers whose fields or groups have the wanted values."""
    return [
        one
        for one in answers
        if all(
            (one.groups[name] if name in GROUPS else getattr(one, name)) == value
            for name, value in wanted.items()
        )
    ]


def distinct(answers: Iterable[Answer], name: str) -> list[str]:
    """The values of a field or group, in order of appearance; numbers in their own order."""
    found = dict.fromkeys(
        one.groups[name] if name in GROUPS else getattr(one, name) for one in answers
    )
    return sorted(found, key=int) if name == "hops" else list(found)


def mean(answers: Iterable[Answer], measure: str) -> Interval | None:
    """The mean of a measure over the questions that it applies to; None where there are none."""
    values = [one.values[measure] for one in answers if measure in one.values]
    return mean_interval(values) if values else None


def percentile(answers: Iterable[Answer], measure: str, share: float) -> float | None:
    """The value that `share` of the answers do not exceed (nearest rank)."""
    values = sorted(one.values[measure] for one in answers if measure in one.values)
    return values[max(0, -(-int(share * 100) * len(values) // 100) - 1)] if values else None


def refusal(answers: Iterable[Answer]) -> Refusal | None:
    """The four counts and what follows from them; None without answerable or unanswerable ones."""
    counted = [one for one in answers if "refused" in one.values]
    yes = [one for one in counted if one.groups["answerable"] == "yes"]
    no = [one for one in counted if one.groups["answerable"] == "no"]
    if not counted:
        return None
    kept_back = sum(one.values["refused"] == 1 for one in yes)
    held_back = sum(one.values["refused"] == 1 for one in no)
    right = sum(one.outcome == "right" for one in yes)
    return Refusal(
        answered_right=right,
        answered_wrong=len(yes) - kept_back - right,
        wrongly_refused=kept_back,
        rightly_refused=held_back,
        wrongly_answered=wilson(len(no) - held_back, len(no)),
        refused_answerable=wilson(kept_back, len(yes)),
        precision=wilson(held_back, held_back + kept_back),
        recall=wilson(held_back, len(no)),
        balanced=balanced_accuracy((held_back, len(no)), (len(yes) - kept_back, len(yes))),
    )


def causes(answers: Iterable[Answer]) -> Counter[str]:
    """How often each cause of a wrong answer was found."""
    return Counter(one.cause for one in answers if one.cause)


def stops(answers: Iterable[Answer]) -> Counter[str]:
    """Which stop rule ended how many runs."""
    return Counter(one.stop_reason for one in answers)


def comparisons(answers: Sequence[Answer]) -> list[Tested]:
    """Every pair of systems on every compared measure, on the questions that both have."""
    found: list[tuple[str, str, str, Comparison]] = []
    for first, second in combinations(distinct(answers, "system"), 2):
        for name in COMPARED:
            left, right = paired(answers, first, second, name)
            if left:
                found.append((name, first, second, compare(left, right)))
    adjusted = holm({f"{name} {a} {b}": one.p for name, a, b, one in found})
    return [Tested(name, a, b, one, adjusted[f"{name} {a} {b}"]) for name, a, b, one in found]


def paired(
    answers: Iterable[Answer], first: str, second: str, measure: str
) -> tuple[list[float], list[float]]:
    """A measure of two systems, question by question; questions that one lacks are left out."""
    by_system: dict[str, dict[tuple[str, str], float]] = {first: {}, second: {}}
    for one in answers:
        if one.system in by_system and measure in one.values:
            by_system[one.system][(one.dataset, one.question)] = one.values[measure]
    both = [place for place in by_system[first] if place in by_system[second]]
    return [by_system[first][one] for one in both], [by_system[second][one] for one in both]
