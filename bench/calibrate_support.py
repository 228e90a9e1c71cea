"""Fits how the policy without a model tells evidence from its absence, and reports it.

`GROUNDHOP_DATASETS=<folder> python -m bench.calibrate_support [--home FOLDER] [--write]` takes the
dev and tuning questions of both samples that ask for one thing, the hops of the others as the
policy asked them (`bench/hops.jsonl`), and XQuAD (`xquad_vi`, `xquad_en`: the questions whose id
has an even SHA-256, against the paragraphs of both languages). Every question is asked with its
passages present and with them removed. Boosted trees (Friedman 2001, by scikit-learn; no column
that speaks for a sentence may count against it) say which sentences state the answer; it prints,
by cross-validation over questions, the AUROC of the best sentence's probability and what each
threshold keeps and refuses. `--write` puts the trees into `policy/extractive/judge.json`.
"""

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bench.calibration_rows import Example, sample_examples, xquad_examples
from policy.extractive.calibration import RELATIVE, Features, table
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
_MODEL = Path(__file__).parent.parent / "policy" / "extractive" / "judge.json"


@dataclass(frozen=True)
class Judged:
    """The sentences of one question: their features, and which of them state the answer."""

    question: str
    language: str
    group: str
    features: Array
    states: NDArray[np.bool_]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="keep vectors and knowledge bases here")
    parser.add_argument("--write", action="store_true", help="replace the trees of the policy")
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
            for one in judge_both(example, scorer)
        ]
    report(judged)
    if options.write:
        _MODEL.write_text(json.dumps(trees_of(fit(judged)), separators=(",", ":")) + "\n")


def judge_both(example: Example, scorer: SupportScorer) -> Iterator[Judged]:
    """The question with the passages that were found, and with the answering ones removed."""
    yield from _judged(example, example.passages, scorer)
    if any(example.answers_in(one) for one in example.passages):
        others = [one for one in example.passages if not example.answers_in(one)]
        yield from _judged(example, others, scorer)


def _judged(example: Example, passages: list[Any], scorer: SupportScorer) -> Iterator[Judged]:
    ask = read(example.question)
    passages = [one for one in passages if not objection(ask, one)]
    supports = scorer(ask.text, [(headings_of(one), one["text"]) for one in passages])
    rows: list[Features] = []
    states: list[bool] = []
    for passage, found in zip(passages, readings(ask, passages, supports), strict=True):
        for reading, features in found:
            rows.append(features)
            states.append(example.stated_by(passage, reading.sentence.start, reading.sentence.end))
    marks = np.array(states, dtype=bool)
    width = len(Features._fields) + len(RELATIVE)
    values = table(rows) if rows else np.zeros((0, width))
    yield Judged(example.question, ask.language, example.group, values, marks)


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


def report(judged: list[Judged]) -> None:
    """Prints, by language and source, how well the best sentence's probability tells."""
    keys = [one.group.rpartition(":")[2].encode() for one in judged]
    groups = [int(hashlib.sha256(key).hexdigest(), 16) % FOLDS for key in keys]
    scored: list[tuple[str, float, bool, bool]] = []
    for fold in range(FOLDS):
        model = fit([one for one, group in zip(judged, groups, strict=True) if group != fold])
        for one, group in zip(judged, groups, strict=True):
            if group == fold:
                source = one.group.split(":")[0] if ":" in one.group else "samples"
                score, right = best(one, model)
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
    pairs = scores[there][:, None] - scores[~there][None]
    print(
        f"\n{name}: {there.sum()} with the answer, {(~there).sum()} without; AUROC "
        f"{(pairs > 0).mean() + (pairs == 0).mean() / 2:.3f}; the best sentence is the right one "
        f"in {right[there].mean():.2f}"
    )
    for accept in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        passed = scores >= accept
        print(
            f"  ACCEPT {accept}: keeps {passed[there].mean():.2f} (right sentence "
            f"{(passed & right)[there].mean():.2f}), refuses {1 - passed[~there].mean():.2f}"
        )


if __name__ == "__main__":
    main()
