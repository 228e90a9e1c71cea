"""`groundhop eval`."""

import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from groundhop import failures
from groundhop.printing import count, err, one_line, out, say, show

if TYPE_CHECKING:
    from graph.settings import Settings
    from groundhop.evaluation.gates import Verdict
    from groundhop.evaluation.runner import Finished
    from groundhop.evaluation.running import OnStep, Step
    from groundhop.evaluation.schema import Dataset, Problem
    from groundhop.evaluation.store import Results
    from groundhop.evaluation.summary import Answer
    from groundhop.evaluation.systems import System

_MOST_PROBLEMS = 10
SAVED = "run:"


@dataclass(frozen=True)
class Wanted:
    """The options of the command."""

    datasets: list[str]
    systems: list[str]
    split: str | None
    half: str | None
    limit: int | None
    parallel: int | None
    run: str | None
    report: Path | None
    gates: Path | None
    results: Path | None
    seconds: float
    judge: bool = False


def evaluate(home: Path | None, wanted: Wanted) -> None:
    """Run the systems on the sets, print the tables, write the report, check the gates."""
    from graph.settings import load_settings
    from groundhop.evaluation.gates import check, read_gates
    from groundhop.evaluation.store import FILE, Results

    gates = read_gates(wanted.gates) if wanted.gates else None
    settings = load_settings(home)
    results = Results(wanted.results or settings.home / FILE)
    try:
        run, answers = _answers(home, wanted, results)
        verdicts = check(answers, *gates) if gates else []
        _show(run, answers, results.path)
        if wanted.judge:
            _show_judgements(answers, settings)
        _show_verdicts(verdicts)
        if wanted.report:
            _write_report(wanted.report, run, answers, verdicts)
    finally:
        results.close()
    raise typer.Exit(0 if all(one.passed for one in verdicts) else failures.FAILED)


def _answers(home: Path | None, wanted: Wanted, results: "Results") -> "tuple[str, list[Answer]]":
    """The answers of a new run, together with those of the saved runs that were named.

    A saved run's systems carry its name, unless it is shown alone.
    """
    from groundhop.evaluation.summary import answers_of
    from groundhop.evaluation.systems import parse

    saved = [one.removeprefix(SAVED) for one in wanted.systems if one.startswith(SAVED)]
    systems = [parse(one) for one in wanted.systems if not one.startswith(SAVED)]
    if not wanted.systems:
        systems = [parse("single"), parse("agent")]
    systems = [replace(one, seconds=wanted.seconds) for one in systems]
    run, answers = saved[0] if saved else "", []
    if systems:
        finished = _run(home, wanted, systems, results)
        run = finished.run
        answers = answers_of(results, run, [one.name for one in systems])
    order = [one.name for one in systems]
    answers.sort(key=lambda one: order.index(one.system))
    alone = not systems and len(saved) == 1
    for name in saved:
        for one in answers_of(results, name):
            label = one.system if alone else f"{name}/{one.system}"
            answers.append(replace(one, system=label))
    return run, answers


def _run(
    home: Path | None, wanted: Wanted, systems: "list[System]", results: "Results"
) -> "Finished":
    from graph.embeddings import open_embeddings
    from graph.settings import load_settings
    from groundhop.evaluation.runner import Plan, run, without_problems

    if not wanted.datasets:
        failures.fail("Name at least one data set: a file, a folder, or a name.", failures.USAGE)
    settings = load_settings(home)
    embedder = open_embeddings(settings)
    try:
        datasets, problems = without_problems(_chosen(wanted))
        _show_problems(problems)
        parallel = wanted.parallel or min(4, os.cpu_count() or 1)
        command = shlex.join(["groundhop", *sys.argv[1:]])
        plan = Plan(tuple(datasets), tuple(systems), parallel, command, wanted.run)
        with _progress() as tell:
            begun = time.perf_counter()
            finished = run(plan, settings, embedder, results, tell)
    finally:
        embedder.close()
    _show_problems([problem for one in finished.datasets for problem in one.problems])
    share = finished.harness / finished.asking / parallel if finished.asking else 0.0
    took = (
        f"{time.perf_counter() - begun:.0f} s; measuring took {share:.1%} of the time of the runs"
    )
    say(err(), took, style="dim")
    return finished


def _chosen(wanted: Wanted) -> "list[Dataset]":
    from groundhop.evaluation.datasets import choose, load

    loaded = [load(name) for name in wanted.datasets]
    return [choose(one, wanted.split, wanted.half, wanted.limit) for one in loaded]


def _show_problems(problems: "Sequence[Problem]") -> None:
    for problem in problems[:_MOST_PROBLEMS]:
        show(err(), one_line(str(problem), 400), lead="  ✗ ", style="red")
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        rest = f" ({more} more are not listed)" if more > 0 else ""
        show(err(), f"{count(len(problems), 'question')} left out; the rest goes on.{rest}")


def _show(run: str, answers: "Sequence[Answer]", path: Path) -> None:
    """The tables on standard output; where everything is kept on standard error."""
    from groundhop.evaluation_tables import show_tables

    show_tables(answers, out())
    say(err(), f"run {run}, kept in {path}", style="dim")


def _show_judgements(answers: "Sequence[Answer]", settings: "Settings") -> None:
    """The model's preference between the first two systems of each set."""
    from groundhop.evaluation.judge import judge, model_judge, pairs_of
    from groundhop.evaluation.summary import distinct, of

    ask = model_judge(settings)
    for dataset in distinct(answers, "dataset"):
        part = of(answers, dataset=dataset)
        systems = distinct(part, "system")
        if len(systems) > 1:
            found = judge(pairs_of(part, systems[0], systems[1]), ask)
            show(out(), f"{one_line(dataset)}: {found.in_words()}")


def _show_verdicts(verdicts: "Sequence[Verdict]") -> None:
    for one in verdicts:
        lead, style = ("  ✓ ", "green") if one.passed else ("  ✗ ", "red")
        show(out(), one.text, lead=lead, style=style)
    failed = sum(not one.passed for one in verdicts)
    if verdicts:
        show(out(), f"{count(len(verdicts), 'gate')}, {failed} failed", style="bold")


def _write_report(
    path: Path, run: str, answers: "Sequence[Answer]", verdicts: "Sequence[Verdict]"
) -> None:
    from groundhop.evaluation.report import page

    command = shlex.join(["groundhop", *sys.argv[1:]])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(run, command, answers, verdicts), encoding="utf-8")
    except OSError as error:
        failures.fail(f"The report cannot be written to {path}: {error.strerror}.", failures.FAILED)
    say(err(), f"report: {path}", style="dim")


@contextmanager
def _progress() -> "Iterator[OnStep]":
    """A bar on a terminal; in a pipe a line every tenth of the way."""
    console = err()
    if not console.is_terminal:
        told: set[tuple[str, int]] = set()

        def line(step: "Step") -> None:
            tenth = (step.text, 10 * step.done // max(1, step.total))
            if tenth not in told:
                told.add(tenth)
                say(console, f"{step.done} of {step.total} {step.text or 'answers'}{_left(step)}")

        yield line
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (MofNCompleteColumn(), BarColumn(bar_width=20), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def moved(step: "Step") -> None:
            text = f"{step.text or 'answers'}{_left(step)}"
            bar.update(task, total=step.total, completed=step.done, description=text)

        yield moved


def _left(step: "Step") -> str:
    if step.seconds_left is None:
        return ""
    minutes, seconds = divmod(round(step.seconds_left), 60)
    text = f", about {minutes} min {seconds:02} s left" if minutes else f", about {seconds} s left"
    if step.done >= step.total:
        text = ""
    if step.money or step.money_left:
        text += f", cost {step.money:.3f} so far, about {step.money_left or 0:.3f} more"
    return text
