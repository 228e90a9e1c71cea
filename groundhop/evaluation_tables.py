"""The tables of `groundhop eval` on the terminal."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from groundhop.evaluation.diagnosis import CAUSES
from groundhop.evaluation.statistics import in_words
from groundhop.evaluation.summary import (
    Answer,
    causes,
    comparisons,
    distinct,
    of,
)
from groundhop.evaluation.tables import counted_rows, measure_rows, refusal_rows, second_rows
from groundhop.evaluation.wordlist import (
    BRIEF,
    TITLES,
    brief,
)
from groundhop.printing import one_line, show

_COUNTED = ("tool_calls", "tokens", "money", "tool_errors", "degraded")


def show_tables(answers: Sequence[Answer], console: Console) -> None:
    """For each set: measures with intervals, refusal, causes of errors, comparisons in words."""
    for dataset in distinct(answers, "dataset"):
        part = of(answers, dataset=dataset)
        systems = distinct(part, "system")
        questions = len({one.question for one in part})
        show(console, f"{one_line(dataset)}: {questions} questions", style="bold")
        console.print(_measures(part, systems))
        console.print(_refusals(part, systems))
        _show_causes(part, systems, console)
        tested = comparisons(part)
        for one in tested:
            title = TITLES.get(one.measure, one.measure)
            show(console, in_words(title, one.first, one.second, one.found, one.p), lead="  · ")
        if len(tested) > 1:
            show(console, f"p adjusted for {len(tested)} tests (Holm)", lead="    ", style="dim")
        console.print()


def _measures(answers: Sequence[Answer], systems: Sequence[str]) -> Table:
    found = _table("percent (95 % interval)", systems)
    for row in (
        *measure_rows(answers, systems, BRIEF, brief),
        *second_rows(answers, systems),
        *counted_rows(answers, systems, _COUNTED),
    ):
        found.add_row(*row)
    return found


def _refusals(answers: Sequence[Answer], systems: Sequence[str]) -> Table:
    found = _table("refusal", systems)
    for row in refusal_rows(answers, systems, brief):
        found.add_row(*row)
    return found


def _show_causes(answers: Sequence[Answer], systems: Sequence[str], console: Console) -> None:
    for system in systems:
        counted = causes(of(answers, system=system))
        if counted:
            parts = [f"{CAUSES[cause]}: {number}" for cause, number in counted.most_common()]
            show(console, "; ".join(parts), lead=f"  errors of {one_line(system, 40)}: ")


def _table(first: str, systems: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first)
    for system in systems:
        table.add_column(one_line(system, 40), justify="right")
    return table
