"""Fits how the policy without a model tells evidence from its absence, and reports it.

`GROUNDHOP_DATASETS=<folder> python -m bench.calibrate_support [--home FOLDER] [--write NAME…]`
takes the dev and tuning questions of both samples that ask for one thing, the hops of the others
as the policy asked them (`bench/hops.jsonl`), and XQuAD (`xquad_vi`, `xquad_en`: the questions
whose id has an even SHA-256, against the paragraphs of both languages). Every question is asked
with its passages present and with them removed. Boosted trees (Friedman 2001, by scikit-learn; no
column that speaks for a sentence may count against it) say which sentences state the answer; it
prints, by cross-validation over questions, the AUROC of the best sentence's probability and what
each threshold keeps and refuses. A logistic regression on what those trees say of questions that
they have not seen (stacking, Wolpert 1992) says whether long sentences hold the answer at all: it
is fitted on XQuAD and on the hops of `twowiki` and `musique` of the same half.
`--write judge presence` puts them into `policy/extractive/judge.json` and `presence.json`.
"""

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bench.calibration_rows import TOP, Example, hop_examples, sample_examples, xquad_examples
from policy.extractive.calibration import (
    RELATIVE,
    Features,
    is_across,
    is_long,
    logistic,
    overview,
    table,
)
from policy.extractive.grading import readings
from policy.extractive.objections import headings_of, objection
from policy.language.questions import read
from policy.support import SupportScorer

if TYPE_CHECKING:
    from sklearn.ensemble import HistGradientBoostingClassifier

Array = NDArray[np.float64]
FOLDS = 5
_OTHERS = 12
"""Sentences without the answer that a question brings along, the nearest ones first."""
_XQUAD = 0.5
"""What a question of XQuAD weighs against one of the samples, which are what people ask."""
_AGAINST = frozenset({"absent", "unnamed", "nameless", "unheard", "lacks", "conflict"})
_EITHER = frozenset(
    {"row", "across", "vietnamese"} | {one for one in RELATIVE if one.endswith("_best")}
)
_LIKELIEST = -4
"""The column of an `overview` that holds the log odds of the likeliest sentence."""
_STRENGTH = 0.05
"""The inverse of the penalty on the coefficients of whether an answer is there."""
_POLICY = Path(__file__).parent.parent / "policy" / "extractive"


@dataclass(frozen=True)
class Judged:
    """The sentences of one question: their features, and which of them state the answer.

    `long` tells whether they are long ones (`is_long`).
    """

    question: str
    language: str
    group: str
    features: Array
    states: NDArray[np.bool_]
    long: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="keep vectors and knowledge bases here")
    parser.add_argument(
        "--write", nargs="+", choices=("judge", "presence"), default=[], help="what to replace"
    )
    options = parser.parse_args()
    datasets = os.environ.get("GROUNDHOP_DATASETS")
    if not datasets:
        raise SystemExit("Set GROUNDHOP_DATASETS to the folder that holds xquad_vi and xquad_en.")
    print(f"command: python -m bench.calibrate_support {' '.join(sys.argv[1:])}".rstrip())
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder)
        judged = [
            one
            for examples in (sample_examples(home), xquad_examples(home, Path(datasets)))
            for example, scorer in examples
            for one in judge_both(replace(example, further=()), scorer)
        ]
        prose = [
            one
            for examples in (
                xquad_examples(home, Path(datasets)),
                hop_examples(home, Path(datasets)),
            )
            for example, scorer in examples
            for one in judge_both(filled(example), scorer)
            if one.long
        ]
    models = [fit([one for one in judged if fold_of(one) != fold]) for fold in range(FOLDS)]
    report(judged, models)
    rows, there = overviews(prose, models), np.array([one.states.any() for one in prose])
    report_presence(prose, rows, there)
    if "judge" in options.write:
        _write("judge.json", trees_of(fit(judged)))
    if "presence" in options.write:
        _write("presence.json", [fit_presence(rows[at], there[at]) for at in by_language(prose)])


def judge_both(example: Example, scorer: SupportScorer) -> Iterator[Judged]:
    """The question with the passages that were found, and with the answering ones removed."""
    yield from _judged(example, example.passages, scorer)
    if any(example.answers_in(one) for one in example.passages):
        others = [one for one in example.passages if not example.answers_in(one)]
        others += [one for one in example.further if not example.answers_in(one)]
        yield from _judged(example, others[: len(example.passages)], scorer)


def filled(example: Example) -> Example:
    """The example with as many passages as a search brings, and others to fill gaps."""
    found = [*example.passages, *example.further]
    return replace(example, passages=found[:TOP], further=found[TOP:])


def _judged(example: Example, passages: list[Any], scorer: SupportScorer) -> Iterator[Judged]:
    ask = read(example.question)
    passages = [one for one in passages if not objection(ask, one)]
    supports = scorer(ask.text, [(headings_of(one), one["text"]) for one in passages])
    rows: list[Features] = []
    states: list[bool] = []
    all_found = readings(ask, passages, supports)
    for passage, found in zip(passages, all_found, strict=True):
        for reading, features in found:
            rows.append(features)
            states.append(example.stated_by(passage, reading.sentence.start, reading.sentence.end))
    texts = [
        reading.sentence.text for found in all_found for reading, _ in found if not reading.row
    ]
    marks = np.array(states, dtype=bool)
    width = len(Features._fields) + len(RELATIVE)
    values = table(rows) if rows else np.zeros((0, width))
    yield Judged(example.question, ask.language, example.group, values, marks, is_long(texts))


def fit(judged: list[Judged]) -> "HistGradientBoostingClassifier":
    """Boosted trees on the sentences with the answer and the nearest ones without it."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    parts = [_training_rows(one) for one in judged if len(one.features)]
    names = [*Features._fields, *RELATIVE]
    ways = [-1 if one in _AGAINST else 0 if one in _EITHER else 1 for one in names]
    return HistGradientBoostingClassifier(
        max_iter=200, learning_rate=0.05, max_leaf_nodes=8, l2_regularization=5.0,
        min_samples_leaf=30, monotonic_cst=ways, early_stopping=False, random_state=0,
    ).fit(
        np.vstack([rows for rows, _, _ in parts]),
        np.concatenate([states for _, states, _ in parts]),
        sample_weight=np.concatenate([weights for _, _, weights in parts]),
    )  # fmt: skip


def fold_of(one: Judged) -> int:
    """The fold of a question; the same question in two languages is in one fold."""
    key = one.group.rpartition(":")[2].encode()
    return int(hashlib.sha256(key).hexdigest(), 16) % FOLDS


def overviews(
    judged: Sequence[Judged], models: Sequence["HistGradientBoostingClassifier"]
) -> Array:
    """The `overview` of each question, by trees that were fitted without it."""
    return np.array(
        [
            overview(
                _own(one),
                models[fold_of(one)].predict_proba(one.features)[:, 1],
            )
            for one in judged
        ]
    )


def by_language(judged: Sequence[Judged]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which questions are in the language of the passages, and which are not."""
    across = np.array([is_across(_own(one)) for one in judged])
    return ~across, across


def _own(one: Judged) -> list[Features]:
    """The features of each sentence, without the columns that compare it with the others."""
    return [Features(*row[: len(Features._fields)]) for row in one.features]


def fit_presence(rows: Array, there: NDArray[np.bool_]) -> dict[str, Any]:
    """Logistic regression on what all sentences of a question come to."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(C=_STRENGTH, max_iter=5000).fit(scaler.transform(rows), there)
    weights = model.coef_[0] / scaler.scale_
    intercept = float(model.intercept_[0] - weights @ scaler.mean_)
    return {"intercept": intercept, "weights": [round(float(one), 6) for one in weights]}


def report_presence(judged: Sequence[Judged], rows: Array, there: NDArray[np.bool_]) -> None:
    """Prints how well it tells, by cross-validation, where sentences are long."""
    scores, folds = np.zeros(len(rows)), np.array([fold_of(one) for one in judged])
    for at in by_language(judged):
        for fold in range(FOLDS):
            model = fit_presence(rows[at & (folds != fold)], there[at & (folds != fold)])
            left = at & (folds == fold)
            scores[left] = [logistic(model, row) for row in rows[left]]
    names = np.array([f"{one.language}, {one.group.split(':')[0]}" for one in judged])
    for name in sorted(set(names)):
        at = names == name
        print(
            f"\nlong sentences, {name}: {(at & there).sum()} with the answer, "
            f"{(at & ~there).sum()} without; AUROC of the likeliest alone "
            f"{_auroc(rows[at, _LIKELIEST], there[at]):.3f}, "
            f"of all {_auroc(scores[at], there[at]):.3f}"
        )
        for accept in (0.3, 0.4, 0.5, 0.6, 0.7):
            passed = scores >= accept
            print(
                f"  PRESENT {accept}: keeps {passed[at & there].mean():.2f}, refuses "
                f"{1 - passed[at & ~there].mean():.2f}"
            )


def _write(name: str, model: Any) -> None:
    (_POLICY / name).write_text(json.dumps(model, separators=(",", ":")) + "\n")


def trees_of(model: "HistGradientBoostingClassifier") -> dict[str, Any]:
    """The trees as `policy.extractive.calibration` reads them."""
    trees = []
    for (predictor,) in model._predictors:
        nodes = predictor.nodes
        trees.append(
            [
                [round(float(node["value"]), 5)]
                if node["is_leaf"]
                else [
                    int(node["feature_idx"]), float(f"{node['num_threshold']:.7g}"),
                    int(node["left"]), int(node["right"]),
                ]
                for node in nodes
            ]
        )  # fmt: skip
    return {"baseline": float(np.ravel(model._baseline_prediction)[0]), "trees": trees}


def _training_rows(one: Judged) -> tuple[Array, NDArray[np.bool_], Array]:
    nearest = np.argsort(-one.features[:, 0])
    chosen = [*np.flatnonzero(one.states), *[n for n in nearest if not one.states[n]][:_OTHERS]]
    weight = _XQUAD if one.group.startswith("xquad") else 1.0
    return one.features[chosen], one.states[chosen], np.full(len(chosen), weight)


def report(judged: Sequence[Judged], models: Sequence["HistGradientBoostingClassifier"]) -> None:
    """Prints, by language and source, how well the best sentence's probability tells."""
    scored: list[tuple[str, float, bool, bool]] = []
    for one in judged:
        source = one.group.split(":")[0] if ":" in one.group else "samples"
        score, right = best(one, models[fold_of(one)])
        scored.append((f"{one.language}, {source}", score, right, bool(one.states.any())))
    for name in sorted({row[0] for row in scored}):
        _print(name, [row[1:] for row in scored if row[0] == name])


def best(one: Judged, model: "HistGradientBoostingClassifier") -> tuple[float, bool]:
    """The probability of the best sentence, and whether that one states the answer."""
    if not len(one.features):
        return 0.0, False
    scores = model.predict_proba(one.features)[:, 1]
    top = int(np.argmax(scores))
    return float(scores[top]), bool(one.states[top])


def _print(name: str, rows: list[tuple[float, bool, bool]]) -> None:
    if not rows:
        return
    scores = np.array([score for score, _, _ in rows])
    right = np.array([one for _, one, _ in rows])
    there = np.array([one for _, _, one in rows])
    print(
        f"\n{name}: {there.sum()} with the answer, {(~there).sum()} without; AUROC "
        f"{_auroc(scores, there):.3f}; the best sentence is the right one "
        f"in {right[there].mean():.2f}"
    )
    for accept in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        passed = scores >= accept
        print(
            f"  ACCEPT {accept}: keeps {passed[there].mean():.2f} (right sentence "
            f"{(passed & right)[there].mean():.2f}), refuses {1 - passed[~there].mean():.2f}"
        )


def _auroc(scores: Array, there: NDArray[np.bool_]) -> float:
    pairs = scores[there][:, None] - scores[~there][None]
    return float((pairs > 0).mean() + (pairs == 0).mean() / 2)


if __name__ == "__main__":
    main()
