"""How well a model judges: `GROUNDHOP_BASE_URL=… GROUNDHOP_MODEL=… python -m bench.grader`.

40 written pairs of question and passage (20 in each language; 24 of them look right and are not:
another year, person, thing or group, a negation, the same topic). By reason-first replies and by
the probability of a plain yes, one passage at a time. With `--near`, questions of a data set in
the form of SQuAD 2 instead, half of which their paragraph does not answer. Prints right among the
relevant (recall), right among the others (true negatives), their mean (balanced accuracy), and the
threshold that separates best. `--only extractive` shows the policy without a model beside it.
"""

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from bench.calibration_rows import idf
from graph.embeddings import open_embeddings
from graph.policies import models
from graph.settings import load_settings
from groundhop.evaluation.datasets import is_odd
from groundhop.evaluation.statistics import Interval, balanced_accuracy, wilson
from policy.endpoints import THRESHOLD
from policy.extractive import Extractive
from policy.llm import LLM
from policy.llm.chat import Chat
from policy.llm.costs import Meter
from policy.llm.memory import Memory
from policy.llm.probability import probabilities
from policy.protocol import GradeView
from policy.support import SupportScorer
from retrieval.support import support_scorer

PAIRS = Path(__file__).parent / "pairs.jsonl"
Json = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", choices=["json", "logprobs", "extractive"], help="one way of judging only"
    )
    parser.add_argument("--every", type=int, default=1, help="take every n-th pair")
    parser.add_argument(
        "--near", type=Path, help="a folder of questions.jsonl and corpus.jsonl, half of them "
        "altered so that their paragraph does not answer, instead of the written pairs",
    )  # fmt: skip
    parser.add_argument("--first", type=int, default=40, help="so many of these, half of each kind")
    parser.add_argument("--half", choices=["even", "odd"], help="of these, by the sha256 of the id")
    parser.add_argument(
        "--threshold", type=float, default=THRESHOLD, help="of the probability of yes"
    )
    options = parser.parse_args()
    pairs = read(PAIRS)
    if options.near:
        pairs = near_misses(options.near, options.first, options.half)
    pairs = pairs[:: options.every]
    print(f"command: python -m bench.grader {' '.join(sys.argv[1:])}".rstrip())
    print(f"{os.cpu_count()} cores; {len(pairs)} pairs")
    if options.only == "extractive":
        by_extractive(pairs, options.near)
        return
    chosen = models(load_settings())
    print(f"model: {chosen.roles['grade'].model}")
    if options.only != "json":
        by_probability(chosen, pairs, options.threshold)
    if options.only != "logprobs":
        by_reasons(LLM(chosen, grading="json"), pairs)


def read(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def near_misses(folder: Path, first: int, half: str | None = None) -> list[Json]:
    """Dev questions with the paragraph that they were asked of, in an order of their own."""
    texts = {row["id"]: row["text"] for row in read(folder / "corpus.jsonl")}
    rows = [row for row in read(folder / "questions.jsonl") if row["split"] == "dev"]
    rows = [row for row in rows if half is None or is_odd(row["id"]) == (half == "odd")]
    rows.sort(key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())
    kinds = [
        [row for row in rows if row["answerable"] is answerable] for answerable in (True, False)
    ]
    chosen = [row for kind in kinds for row in kind[: first // 2]]
    return [
        {
            "question": row["question"],
            "passage": texts[row["metadata"]["paragraph_id"]],
            "lang": row["lang"],
            "relevant": row["answerable"],
            "kind": "near miss",
        }
        for row in chosen
    ]


def view_of(pair: Json) -> GradeView:
    question = pair["question"]
    subgoal: Any = {"id": "s1", "question": question, "status": "pending"}
    passage: Any = {"id": "p", "text": pair["passage"], "title": "", "heading": "", "version": ""}
    return {
        "original_question": question,
        "subgoal": subgoal,
        "passages": [{**passage, "source": "", "language": pair["lang"]}],
        "facts": [],
    }


def by_reasons(policy: LLM, pairs: list[Json]) -> None:
    begun, tokens, unquoted = time.time(), 0, 0
    said: list[tuple[Json, bool]] = []
    for pair in pairs:
        grade, usage = policy.grade(view_of(pair))
        verdict = grade.verdicts[0] if grade.verdicts else None
        yes = verdict is not None and verdict.relevant == "yes"
        unquoted += bool(yes and verdict and not verdict.quote)
        said.append((pair, yes))
        tokens += usage["input_tokens"] + usage["output_tokens"]
    print(f"\nby reasons: {time.time() - begun:.0f} s, {tokens:,} tokens")
    report(said)
    print(f"  said yes without a quote that stands in the passage (no evidence): {unquoted}")


def by_extractive(pairs: list[Json], folder: Path | None) -> None:
    """The policy without a model: a passage is taken where it covers the question."""
    texts = [{"text": pair["passage"]} for pair in pairs]
    begun, embedder = time.time(), open_embeddings(load_settings())
    scorer = support_scorer(embedder, idf(read(folder / "corpus.jsonl") if folder else texts))
    policy = Extractive(cast(SupportScorer, scorer))  # same fields, own class
    said = []
    for pair in pairs:
        grade, _ = policy.grade(view_of(pair))
        said.append((pair, grade.verdicts[0].relevant == "yes" and grade.covered == "yes"))
    embedder.close()
    print(f"\nby the extractive policy: {time.time() - begun:.0f} s")
    report(said)


def by_probability(chosen: Any, pairs: list[Json], threshold: float) -> None:
    begun, meter, chat, memory = time.time(), Meter(), Chat(), Memory()
    scored: list[tuple[float, Json]] = []
    for number, pair in enumerate(pairs):
        found = probabilities(view_of(pair), chat, memory, chosen.roles["grade"], meter)
        if found is None:
            print("\nthe endpoint returns no probabilities")
            return
        scored.append((found[0].probability or 0.0, pair))
        if number % 10 == 9:
            print(f"  {number + 1} of {len(pairs)}", file=sys.stderr, flush=True)
    tokens = meter.input_tokens + meter.output_tokens
    print(f"\nby probability: {time.time() - begun:.0f} s, {tokens:,} tokens")
    for language in ("vi", "en", ""):
        part = [one for one in scored if language in ("", one[1]["lang"])]
        if not part:
            continue
        print(f"  AUROC {language or 'both'}: {auroc(part):.3f}")
    best = best_threshold(scored)
    for cut in (threshold, best):
        print(f"  at {cut:.2f}{' (best here)' if cut == best else ''}:")
        report([(pair, score >= cut) for score, pair in scored])


def auroc(scored: list[tuple[float, Json]]) -> float:
    """The chance that a relevant pair scores above one that is not; ties count half."""
    right = [score for score, pair in scored if pair["relevant"]]
    wrong = [score for score, pair in scored if not pair["relevant"]]
    above = sum((one > other) + 0.5 * (one == other) for one in right for other in wrong)
    return above / max(1, len(right) * len(wrong))


def best_threshold(scored: list[tuple[float, Json]]) -> float:
    """The threshold with the highest mean of recall and true negatives; the middle of its gap."""
    values = sorted({score for score, _ in scored})
    cuts = [(low + high) / 2 for low, high in pairwise(values)] or [0.5]

    def balance(cut: float) -> float:
        right = [score >= cut for score, pair in scored if pair["relevant"]]
        wrong = [score < cut for score, pair in scored if not pair["relevant"]]
        return sum(right) / max(1, len(right)) + sum(wrong) / max(1, len(wrong))

    return max(cuts, key=balance)


def report(said: list[tuple[Json, bool]]) -> None:
    rows: dict[str, Counter[str]] = {}
    for pair, yes in said:
        kind = "relevant" if pair["relevant"] else pair["kind"]
        row = rows.setdefault(kind, Counter())
        row["n"] += 1
        row["yes"] += yes
        whole = rows.setdefault("relevant" if pair["relevant"] else "all that are not", Counter())
        if whole is not row:
            whole["n"] += 1
            whole["yes"] += yes
    print(
        "    " + ", ".join(f"{kind}: yes {row['yes']} of {row['n']}" for kind, row in rows.items())
    )
    right, wrong = rows.get("relevant", Counter()), rows.get("all that are not", Counter())
    refused = wrong["n"] - wrong["yes"]
    balanced = balanced_accuracy((right["yes"], right["n"]), (refused, wrong["n"]))
    print(
        f"    recall {_rate(wilson(right['yes'], right['n']))}, "
        f"true negatives {_rate(wilson(refused, wrong['n']))}, "
        f"balanced accuracy {_rate(balanced)}"
    )


def _rate(interval: Interval) -> str:
    return f"{interval.value:.1%} ({interval.low:.1%} to {interval.high:.1%})"


if __name__ == "__main__":
    main()
