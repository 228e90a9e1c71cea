"""Running systems side by side on the same questions: parallel, resumable, nothing twice."""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from groundhop.evaluation.diagnosis import diagnose
from groundhop.evaluation.homes import home_of, texts, usable
from groundhop.evaluation.measures import measure
from groundhop.evaluation.outcomes import outcome
from groundhop.evaluation.recording import Record
from groundhop.evaluation.relevancy import relevancy
from groundhop.evaluation.running import OnStep, Running
from groundhop.evaluation.schema import Dataset, Json, Problem, Question
from groundhop.evaluation.store import Results
from groundhop.evaluation.systems import Ask, System, opened
from retrieval.errors import GroundhopError, UsageError

if TYPE_CHECKING:
    from graph.settings import Settings
    from retrieval.embeddings.protocol import Embedder


@dataclass(frozen=True)
class Plan:
    """What a run sets out to do. `name` is that of the run, if the user chose one."""

    datasets: tuple[Dataset, ...]
    systems: tuple[System, ...]
    parallel: int
    command: str
    name: str | None = None


@dataclass(frozen=True)
class Finished:
    """A complete run: its name, the data sets as they were asked, what the harness cost.

    `asking` is the sum of seconds inside the systems divided by how many ran at once, `harness`
    the seconds that scoring and writing took beside them.
    """

    run: str
    datasets: tuple[Dataset, ...]
    asking: float
    harness: float


def run(
    plan: Plan, settings: "Settings", embedder: "Embedder", results: Results, tell: OnStep
) -> Finished:
    """Ask what has no result yet, and write down each answer as it comes.

    A run that was cut short goes on when the same is asked for again, or its name is given.
    Raises UsageError where a named run set out to do something else.
    """
    mark = fingerprint(plan, settings)
    name = _name(plan, results, mark)
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    about: Json = {
        "systems": [one.name for one in plan.systems],
        "datasets": {one.name: one.origin for one in plan.datasets},
    }
    results.begin(name, mark, begun, plan.command, about)
    progress = Running(name, plan.datasets, plan.systems, plan.parallel, results, tell)
    asked: list[Dataset] = []
    for dataset in plan.datasets:
        home = home_of(dataset, settings, embedder, tell)
        dataset = usable(dataset, home)
        asked.append(dataset)
        results.add_questions(name, dataset.name, [(one, labels(one)) for one in dataset.questions])
        _ask_all(plan, dataset, home, embedder, results, progress)
    results.finish(name, datetime.now(UTC).isoformat(timespec="seconds"))
    return Finished(name, tuple(asked), progress.asking / plan.parallel, progress.harness)


def fingerprint(plan: Plan, settings: "Settings") -> str:
    """What tells one run from another: questions, systems with their settings, code."""
    from importlib.metadata import version

    secret = {"api_key", "embedding_api_key", "database_url", "aes_key"}
    parts = {
        "version": version("groundhop"),
        "settings": settings.model_dump(mode="json", exclude=secret),
        "systems": [
            [one.name, one.kind, one.file.read_text(encoding="utf-8") if one.file else ""]
            for one in plan.systems
        ],
        "datasets": [
            [one.name, one.origin, [question.id for question in one.questions]]
            for one in plan.datasets
        ],
    }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def labels(question: Question) -> Json:
    """What would be right, for the results file."""
    return {
        "answers": list(question.answers),
        "parts": [list(forms) for forms in question.parts],
        "gold": [list(piece) for piece in question.gold],
        "missing": question.missing,
    }


def _name(plan: Plan, results: Results, mark: str) -> str:
    if plan.name is None:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        return results.unfinished(mark) or f"{stamp}-{mark[:4]}"
    earlier = results.fingerprint(plan.name)
    if earlier not in (None, mark):
        raise UsageError(
            f"The run {plan.name!r} was begun with other questions, systems or settings: give "
            f"another name with --run."
        )
    return plan.name


def _ask_all(
    plan: Plan,
    dataset: Dataset,
    home: Path,
    embedder: "Embedder",
    results: Results,
    progress: Running,
) -> None:
    """All systems on all questions of one set; a question that fails is a result."""
    with (
        opened(plan.systems, home, embedder, own_home=dataset.self_contained) as systems,
        texts(home, dataset) as text_of,
        _pool(plan.parallel) as pool,
    ):
        work = [
            (question, system)
            for question in dataset.questions
            for system in plan.systems
            if (dataset.name, question.id, system.name) not in progress.done
        ]
        waiting: set[Future[tuple[Question, System, Record]]] = set()
        for question, system in work:
            waiting.add(pool.submit(_ask, systems[system.name][0], question, system))
            if len(waiting) >= 2 * plan.parallel:
                waiting = _take(waiting, dataset, home, text_of, results, progress)
        while waiting:
            waiting = _take(waiting, dataset, home, text_of, results, progress)
    begun = time.perf_counter()
    _add_relevancy(progress.run, dataset.name, embedder, results)
    progress.harness += time.perf_counter() - begun


def _ask(ask: Ask, question: Question, system: System) -> tuple[Question, System, Record]:
    try:
        return question, system, ask(question)
    except GroundhopError as error:
        return question, system, Record("failed", "error", error=str(error))


def _take(
    waiting: set[Future[tuple[Question, System, Record]]],
    dataset: Dataset,
    home: Path,
    text_of: Callable[[str], str],
    results: Results,
    progress: Running,
) -> set[Future[tuple[Question, System, Record]]]:
    """Score and write down what is ready; gives what is not."""
    ready, rest = wait(waiting, return_when=FIRST_COMPLETED)
    for future in ready:
        question, system, answered = future.result()
        begun = time.perf_counter()
        how = outcome(
            question, answered.status, answered.answer, needs_support=system.needs_support
        )
        cause = diagnose(question, answered, how, text_of) if system.needs_support else ""
        values = measure(question, answered, needs_support=system.needs_support)
        place = (progress.run, dataset.name, question.id, system.name)
        results.add(place, answered, (how, cause), str(home), values)
        progress.moved(answered, system, time.perf_counter() - begun)
    return rest


def _add_relevancy(run: str, dataset: str, embedder: "Embedder", results: Results) -> None:
    """The one measure that needs the embedding model, for all answers that lack it."""
    rows = results.without(run, dataset, "relevancy")
    found = relevancy([(row["asked"], json.loads(row["record"])) for row in rows], embedder)
    for row, value in zip(rows, found, strict=True):
        if value is not None:
            place = (run, dataset, row["question"], row["system"])
            results.add_measures(place, {"relevancy": value})


@contextmanager
def _pool(parallel: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that, on an interrupt, finish what they are at and begin nothing more."""
    pool = ThreadPoolExecutor(parallel)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def without_problems(datasets: Sequence[Dataset]) -> tuple[list[Dataset], list[Problem]]:
    """The sets, each once, and all problems; raises UsageError for two sets of one name."""
    names: Mapping[str, int] = {one.name: datasets.index(one) for one in datasets}
    if len(names) < len(datasets):
        raise UsageError("Two data sets have the same name: rename one of their files or folders.")
    problems = [problem for one in datasets for problem in one.problems]
    return [replace(one, problems=()) for one in datasets], problems
