"""Accuracy of the shipped policy on both samples: `python -m bench.samples [--dev] [--show]`.

Ingests each sample into a knowledge base of its own (they are about different worlds) and asks
every question. Held-out questions are counted, never shown; `--show` prints the dev questions
that went wrong.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench.scoring import OUTCOMES, outcome
from graph.agent import Agent, Result
from graph.context import Context
from graph.policies import models
from graph.settings import load_settings
from retrieval.catalogue import Catalogue, open_catalogue

SAMPLES = ("handbook-vi", "labs-en")
EXAMPLES = Path(__file__).parent.parent / "examples"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="only the dev halves")
    parser.add_argument("--show", action="store_true", help="print dev questions that went wrong")
    parser.add_argument("--home", type=Path, help="keep the data folder here")
    parser.add_argument("--first", type=int, help="so many questions of each half, by type in turn")
    parser.add_argument("--seconds", type=float, default=120, help="the limit of a question")
    options = parser.parse_args()
    print(f"command: python -m bench.samples {' '.join(sys.argv[1:])}".rstrip())
    settings = load_settings()
    policy = (
        f"llm:{models(settings).names}" if settings.base_url or settings.preset else "extractive"
    )
    options.policy = policy
    print(f"machine: {os.cpu_count()} cores; policy: {policy}; embedding: {settings.embedding}")
    held: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for sample in SAMPLES:
            home = (options.home or Path(folder)) / sample
            ingest_samples(home, sample)
            catalogue = open_catalogue(home / "catalogue.sqlite")
            with Agent.open(home) as agent:
                for split in ("dev",) if options.dev else ("dev", "heldout"):
                    for kind, row in run(agent, catalogue, sample, split, options).items():
                        if split == "heldout":
                            held.setdefault(kind, Counter()).update(row)
    if held:
        print(f"\nheld-out halves of all samples\n  {_shares(held)}")


def ingest_samples(home: Path, *samples: str) -> None:
    """The documents of the samples, of all where none is named, into one knowledge base."""
    from graph.embeddings import open_embeddings
    from ingest.sync import sync

    embedder = open_embeddings(load_settings(home))
    sync(home, [EXAMPLES / sample / "documents" for sample in samples or SAMPLES], embedder)
    embedder.close()


def run(
    agent: Agent, catalogue: Catalogue, sample: str, split: str, options: Any
) -> dict[str, Counter[str]]:
    """Asks the questions of a half and prints its counts; they are given by answerable kind."""
    questions = [row for row in read_questions(sample) if row["split"] == split]
    questions = by_type_in_turn(questions)[: options.first] if options.first else questions
    context = Context(seconds=options.seconds)
    counts: dict[str, Counter[str]] = {}
    invented, begun = 0, time.time()
    for number, question in enumerate(questions, 1):
        result = agent.ask(question["question"], context=context)
        scored = outcome(question, result.status, dict(result.answer))
        counts.setdefault(question["answerable"], Counter())[scored] += 1
        invented += invented_citations(catalogue, result)
        if "llm:" in options.policy:
            took = f"{scored}, {result.status}, {time.time() - begun:.0f} s since the first"
            print(f"  {sample} {number} of {len(questions)}: {took}", file=sys.stderr, flush=True)
        if options.show and split == "dev" and scored.startswith("wrong"):
            explain(question, result, scored)
    report(sample, split, questions, counts, invented, time.time() - begun)
    return counts


def by_type_in_turn(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One question of every type, then the second of every type, and so on."""
    seen: Counter[str] = Counter()
    ranked = []
    for row in questions:
        ranked.append((seen[row["type"]], row["type"], row))
        seen[row["type"]] += 1
    return [row for _, _, row in sorted(ranked, key=lambda one: one[:2])]


def read_questions(sample: str) -> list[dict[str, Any]]:
    lines = (EXAMPLES / sample / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def invented_citations(catalogue: Catalogue, result: Result) -> int:
    """Citations whose quote does not stand, character for character, where they point."""
    evidence = {item["id"]: item for item in result.state.get("evidence", [])}
    wrong = 0
    for citation in result.answer.get("citations", []):
        source = evidence.get(citation["evidence_id"])
        text = catalogue.text(source["document_id"]) if source else ""
        wrong += text[citation["start"] : citation["end"]] != citation["quote"]
    return wrong


def explain(question: dict[str, Any], result: Result, scored: str) -> None:
    print(f"  {scored}: {question['id']} {question['question']}")
    print(f"    expected {question['answers'][:2]} ({question['answerable']}, {question['type']})")
    print(f"    {result.status} ({result.stop_reason}): {result.answer.get('short')!r}")
    print("    " + result.text.replace("\n", "\n    ")[:600])


def report(
    sample: str,
    split: str,
    questions: list[dict[str, Any]],
    counts: dict[str, Counter[str]],
    invented: int,
    seconds: float,
) -> None:
    total: Counter[str] = sum(counts.values(), Counter())
    print(f"\n{sample}, {split}: {len(questions)} questions in {seconds:.0f} s")
    for kind, row in [*counts.items(), ("all", total)]:
        figures = ", ".join(f"{name} {row[name]}" for name in OUTCOMES)
        print(f"  {kind:8} n={row.total():3}  {figures}")
    print(f"  {_shares(counts)}, invented citations {invented}")


def _shares(counts: dict[str, Counter[str]]) -> str:
    total: Counter[str] = sum(counts.values(), Counter())
    return (
        f"answerable right {_share(counts, 'yes', 'right')}, "
        f"unanswerable refused {_share(counts, 'no', 'rightly_refused', 'right')}, "
        f"wrong of all {total['wrong'] / max(1, total.total()):.1%} of {total.total()}"
    )


def _share(counts: dict[str, Counter[str]], kind: str, *names: str) -> str:
    row = counts.get(kind, Counter())
    return f"{sum(row[name] for name in names) / max(1, row.total()):.1%} of {row.total()}"


if __name__ == "__main__":
    main()
