"""Fits how the policy without a model tells evidence from its absence, and reports it.

`GROUNDHOP_DATASETS=<folder> python -m bench.calibrate_support [--home FOLDER] [QUESTIONS ...]`
takes the dev questions of both samples (parts of a multi-hop question as questions of their own),
those of further files of the same form, and XQuAD (`xquad_vi`, `xquad_en`: the questions whose id
has an even SHA-256). Every question is asked with its passages present and with them removed. A
logistic regression per language says which sentences state the answer; it prints, by
cross-validation over questions, the AUROC of the best sentence's probability and what each
threshold keeps and refuses, and at the end the weights for `policy/extractive/calibration.py`.
"""

import argparse
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.calibration_rows import Example, sample_examples, xquad_examples
from policy.extractive.calibration import Features
from policy.extractive.grading import mean_cosine, readings
from policy.extractive.objections import objection, unknown_names
from policy.language.questions import read
from policy.support import SupportScorer

Array = NDArray[np.float64]
FOLDS, RIDGE = 5, 1.0
_OTHERS = 12
"""Sentences without the answer that a question brings along, the nearest ones first."""
_XQUAD = 0.25
"""What a question of XQuAD weighs against one of the samples, which are what people ask."""


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
    parser.add_argument("questions", nargs="*", help="SAMPLE=FILE: further questions of a sample")
    options = parser.parse_args()
    datasets = os.environ.get("GROUNDHOP_DATASETS")
    if not datasets:
        raise SystemExit("Set GROUNDHOP_DATASETS to the folder that holds xquad_vi and xquad_en.")
    print(f"command: python -m bench.calibrate_support {' '.join(sys.argv[1:])}".rstrip())
    more = [tuple(one.split("=", 1)) for one in options.questions]
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder)
        judged = [
            one
            for examples in (sample_examples(home, more), xquad_examples(home, Path(datasets)))
            for example, scorer in examples
            for one in judge_both(example, scorer)
        ]
    for language in ("vi", "en"):
        report(language, [one for one in judged if one.language == language])


def judge_both(example: Example, scorer: SupportScorer) -> Iterator[Judged]:
    """The question with the passages that were found, and with the answering ones removed."""
    yield from _judged(example, example.passages, scorer)
    if any(example.answers_in(one) for one in example.passages):
        others = [one for one in example.passages if not example.answers_in(one)]
        yield from _judged(example, others, scorer)


def _judged(example: Example, passages: list[Any], scorer: SupportScorer) -> Iterator[Judged]:
    ask = read(example.question)
    unknown = unknown_names(ask, passages)
    supports = scorer(ask.text, [(f"{p['title']} > {p['heading']}", p["text"]) for p in passages])
    mean = mean_cosine(supports)
    rows: list[Features] = []
    states: list[bool] = []
    for passage, sentences in zip(passages, supports, strict=True):
        if objection(ask, passage, unknown):
            continue
        for reading, features in readings(ask, passage, sentences, mean):
            rows.append(features)
            states.append(example.stated_by(passage, reading.sentence.start, reading.sentence.end))
    values = np.array(rows, dtype=float).reshape(-1, len(Features._fields))
    marks = np.array(states, dtype=bool)
    yield Judged(example.question, ask.language, example.group, values, marks)


def fit(judged: list[Judged]) -> Array:
    """Intercept and weights by penalised likelihood."""
    from scipy.optimize import minimize

    parts = [_training_rows(one) for one in judged if len(one.features)]
    x = np.vstack([rows for rows, _, _ in parts])
    y = np.concatenate([states for _, states, _ in parts]).astype(float)
    weight = np.concatenate([weights for _, _, weights in parts])
    centre, spread = x.mean(0), x.std(0) + 1e-9
    z = np.hstack([np.ones((len(x), 1)), (x - centre) / spread])

    def loss(w: Array) -> tuple[float, Array]:
        t = z @ w
        value = weight @ (np.logaddexp(0, t) - y * t) + RIDGE / 2 * w[1:] @ w[1:]
        gradient = z.T @ (weight * (1 / (1 + np.exp(-t)) - y))
        gradient[1:] += RIDGE * w[1:]
        return float(value), gradient

    w = minimize(loss, np.zeros(z.shape[1]), jac=True, method="L-BFGS-B").x
    slopes = w[1:] / spread
    return np.concatenate([[w[0] - slopes @ centre], slopes])


def _training_rows(one: Judged) -> tuple[Array, NDArray[np.bool_], Array]:
    nearest = np.argsort(-one.features[:, 0])
    chosen = [*np.flatnonzero(one.states), *[n for n in nearest if not one.states[n]][:_OTHERS]]
    weight = _XQUAD if one.group.startswith("xquad") else 1.0
    return one.features[chosen], one.states[chosen], np.full(len(chosen), weight)


def best(one: Judged, w: Array) -> tuple[float, bool]:
    """The log-odds of the best sentence, and whether that one states the answer."""
    if not len(one.features):
        return -30.0, False
    scores = w[0] + one.features @ w[1:]
    top = int(np.argmax(scores))
    return float(scores[top]), bool(one.states[top])


def report(language: str, judged: list[Judged]) -> None:
    groups = [int(hashlib.sha256(one.group.encode()).hexdigest(), 16) % FOLDS for one in judged]
    scored: list[tuple[float, bool, bool, bool]] = []
    for fold in range(FOLDS):
        w = fit([one for one, group in zip(judged, groups, strict=True) if group != fold])
        for one, group in zip(judged, groups, strict=True):
            if group == fold:
                score, right = best(one, w)
                scored.append((score, right, bool(one.states.any()), one.group.startswith("xquad")))
    for name, xquad in (("samples", False), ("XQuAD", True)):
        _print(f"{language}, {name}", [row[:3] for row in scored if row[3] == xquad])
    w = fit(judged)
    print(f'INTERCEPT["{language}"] = {w[0]:.2f}')
    for field, value in zip(Features._fields, w[1:], strict=True):
        print(f"    {field:17} {value:7.2f}")
    print(f"    ({', '.join(f'{value:.2f}' for value in w[1:])})")


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
    for accept in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        passed = scores >= np.log(accept / (1 - accept))
        print(
            f"  ACCEPT {accept}: keeps {passed[there].mean():.2f} (right sentence "
            f"{(passed & right)[there].mean():.2f}), refuses {1 - passed[~there].mean():.2f}"
        )


if __name__ == "__main__":
    main()
