"""Finding and reading data sets: a file, a folder, or a name below GROUNDHOP_DATASETS."""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from groundhop.evaluation import samples
from groundhop.evaluation.layouts import Layout, Passages, layout_of
from groundhop.evaluation.rows import Row, RowError, make_all, read_rows
from groundhop.evaluation.schema import Dataset, Json, Passage, Problem, Question
from retrieval.errors import UsageError

FOLDER_OF_SETS = "GROUNDHOP_DATASETS"
ABSTENTION = "+abstention"
"""Added to the name of a set: the documents of `abstention_variant.json` are hidden, and the
questions that lose their evidence count as unanswerable."""


def load(name: str) -> Dataset:
    """Read a set: `name` is a path or a name, perhaps with "+abstention".

    What cannot be used is listed in `problems` and left out. Raises UsageError where there is
    no such set, or not one question in it.
    """
    wanted = name.removesuffix(ABSTENTION)
    path = _find(wanted)
    questions_file = path / "questions.jsonl" if path.is_dir() else path
    rows, problems = read_rows(questions_file)
    passages: Passages = {}
    corpus = questions_file.parent / "corpus.jsonl"
    if path.is_dir() and corpus.exists():
        passages, more = _corpus(corpus)
        problems += more
    questions, more = _questions(rows, passages)
    problems += more
    if name.endswith(ABSTENTION):
        questions, passages = _without_evidence(path, questions, passages)
    if not questions:
        first = f" The first problem: {problems[0]}." if problems else ""
        raise UsageError(f"{questions_file} holds no question that can be asked.{first}")
    origin = {"path": str(path), "sha256": _digest(questions_file)}
    title = path.stem if path.suffix else path.name
    title += ABSTENTION if name.endswith(ABSTENTION) else ""
    documents = path / "documents"
    return Dataset(
        name=title,
        questions=tuple(questions),
        passages=_titles(tuple(passages.values())),
        documents=documents if documents.is_dir() and not passages else None,
        problems=tuple(problems),
        origin=origin,
    )


def choose(
    dataset: Dataset, split: str | None = None, half: str | None = None, limit: int | None = None
) -> Dataset:
    """Part of a set: one split; ids whose sha256 is even or odd; `limit` spread over the types.

    Which ones `limit` takes depends on the ids alone, so that every run takes the same.
    """
    kept = [one for one in dataset.questions if split is None or one.split == split]
    if half is not None:
        kept = [one for one in kept if is_odd(one.id) == (half == "odd")]
    if limit is not None and limit < len(kept):
        kept = _spread(kept, limit)
    if not kept:
        parts = [f"split {split!r}"] if split else []
        parts += [f"the {half} half"] if half else []
        raise UsageError(f"{dataset.name} holds no question of {' and '.join(parts)}.")
    return replace(dataset, questions=tuple(kept))


def is_odd(identifier: str) -> bool:
    """Whether the sha256 of an id is odd: those are measured, the others tuned on."""
    return hashlib.sha256(identifier.encode()).digest()[-1] % 2 == 1


def known_evidence(dataset: Dataset, sources: Iterable[str]) -> Dataset:
    """The set without questions whose evidence is no document of a knowledge base."""
    from groundhop.evaluation.outcomes import matching

    by_end: dict[str, list[str]] = {}
    for source in sources:
        by_end.setdefault(source.rsplit("/", 1)[-1], []).append(source)
    kept, problems = [], list(dataset.problems)
    for one in dataset.questions:
        lost = [
            document
            for document in sorted(one.documents - one.outside)
            if not any(matching(s, [document]) for s in by_end.get(document.rsplit("/", 1)[-1], []))
        ]
        if lost:
            what = f"the supporting document {lost[0]!r} is not in the knowledge base"
            problems.append(Problem(f"{dataset.name}, question {one.id}", what))
        else:
            kept.append(one)
    if not kept:
        raise UsageError(
            f"Not one question of {dataset.name} has its documents in the knowledge base: run "
            f"`groundhop ingest` on them first."
        )
    return replace(dataset, questions=tuple(kept), problems=tuple(problems))


def _find(name: str) -> Path:
    path = Path(name)
    folder = os.environ.get(FOLDER_OF_SETS)
    if not path.exists() and folder and (Path(folder) / name).exists():
        path = Path(folder) / name
    if path.is_dir() and not (path / "questions.jsonl").exists():
        raise UsageError(f"{path} holds no questions.jsonl.")
    if not path.exists():
        where = (
            f"nor below {FOLDER_OF_SETS}={folder}" if folder else f"and {FOLDER_OF_SETS} is unset"
        )
        raise UsageError(f"There is no data set {name!r}: it is no file or folder, {where}.")
    return path


def _questions(rows: list[Row], passages: Passages) -> tuple[list[Question], list[Problem]]:
    if not rows:
        return [], []
    layout = layout_of(rows[0].values)
    try:
        unpacked = layout.rows(rows)
    except RowError as error:
        return [], [Problem(rows[0].where, str(error))]
    return make_all(unpacked, lambda row: _with_evidence(layout, row, passages), lambda one: one.id)


def _with_evidence(layout: Layout, values: Json, passages: Passages) -> Question:
    """A question whose evidence is among the passages, where the set has any."""
    question = layout.question(values, passages)
    lost = sorted(question.documents - passages.keys())
    if passages and lost:
        raise RowError(f"the supporting id {lost[0]!r} is not in the corpus")
    return question


def _corpus(path: Path) -> tuple[Passages, list[Problem]]:
    rows, problems = read_rows(path)
    found, more = make_all(rows, samples.passage, lambda one: one.id)
    return {one.id: one for one in found}, [*problems, *more]


def _titles(passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
    """Titles stay only where every passage has one: else they would tell which ones matter."""
    if all(one.title for one in passages):
        return passages
    return tuple(replace(one, title="") for one in passages)


def _without_evidence(
    path: Path, questions: list[Question], passages: Passages
) -> tuple[list[Question], Passages]:
    """The set with documents hidden; questions that are undecided then are left out."""
    file = path / "abstention_variant.json"
    try:
        variant: Json = json.loads(file.read_text(encoding="utf-8"))
        removed = set(variant["removed_doc_ids"])
        lost = set(variant["unanswerable_question_ids"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file} cannot be read: {error}.") from None
    undecided = set(variant.get("undecided_question_ids", []))
    kept = []
    for one in questions:
        if one.id in lost:
            kept.append(
                replace(one, answerable="no", answers=(), parts=(), gold=(), quotes=(), type="null")
            )
        elif one.id not in undecided and not one.documents & removed:
            kept.append(one)
    return kept, {name: one for name, one in passages.items() if name not in removed}


def _spread(questions: list[Question], limit: int) -> list[Question]:
    """`limit` questions, taken from the types in turn, in the order of their ids' hashes."""
    by_type: dict[tuple[str, str], list[Question]] = {}
    for one in sorted(questions, key=lambda one: hashlib.sha256(one.id.encode()).digest()):
        by_type.setdefault((one.answerable, one.type), []).append(one)
    taken: list[Question] = []
    while len(taken) < limit:
        for group in by_type.values():
            if group and len(taken) < limit:
                taken.append(group.pop(0))
    order = {one.id: place for place, one in enumerate(questions)}
    return sorted(taken, key=lambda one: order[one.id])


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
