"""Rows of the tables that terminal, report and documents show: a title, then a cell a system."""

from collections.abc import Callable, Iterable, Sequence

from groundhop.evaluation.statistics import Interval
from groundhop.evaluation.summary import Answer, mean, of, percentile, refusal
from groundhop.evaluation.wordlist import (
    COUNTED,
    REFUSAL_COUNTS,
    REFUSAL_RATES,
    TITLES,
    plain,
)

Cell = Callable[[Interval | None], str]
Rows = list[list[str]]


def measure_rows(
    answers: Sequence[Answer], systems: Sequence[str], measures: Iterable[str], cell: Cell
) -> Rows:
    """Means of measures from 0 to 1; those that no system has are left out."""
    rows = []
    for measure in measures:
        found = [mean(of(answers, system=one), measure) for one in systems]
        if any(found):
            rows.append([TITLES[measure], *map(cell, found)])
    return rows


def second_rows(answers: Sequence[Answer], systems: Sequence[str]) -> Rows:
    """The median and the slow end of the seconds that a question took."""
    rows = []
    for title, share in (("seconds, p50", 0.5), ("seconds, p95", 0.95)):
        seconds = [percentile(of(answers, system=one), "seconds", share) for one in systems]
        rows.append([title, *map(plain, seconds)])
    return rows


def counted_rows(
    answers: Sequence[Answer], systems: Sequence[str], measures: Iterable[str]
) -> Rows:
    """Means in their own units; those that are zero for every system are left out."""
    rows = []
    for measure in measures:
        found = [mean(of(answers, system=one), measure) for one in systems]
        if any(one and one.value for one in found):
            rows.append([COUNTED[measure], *(plain(one.value if one else None) for one in found)])
    return rows


def refusal_rows(answers: Sequence[Answer], systems: Sequence[str], cell: Cell) -> Rows:
    """The four counts, then both rates, precision, recall and balanced accuracy."""
    columns = [refusal(of(answers, system=one)) for one in systems]
    rows = [
        [title, *(str(getattr(one, name)) if one else "–" for one in columns)]
        for title, name in REFUSAL_COUNTS.items()
    ]
    for title, name in REFUSAL_RATES.items():
        rates = [getattr(one, name) if one else None for one in columns]
        rows.append([title, *(cell(one if one and one.n else None) for one in rates)])
    return rows
