"""Tables for docs/results.md from saved runs: `python -m bench.publish RESULTS.sqlite RUN…`.

Prints Markdown: for every set of every run the measures with their intervals, refusal with both
rates, causes of errors, comparisons in words, and the command that made the run. Sets of several
hops are also taken together.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from groundhop.evaluation.diagnosis import CAUSES
from groundhop.evaluation.statistics import in_words
from groundhop.evaluation.store import Results
from groundhop.evaluation.summary import (
    Answer,
    answers_of,
    causes,
    comparisons,
    distinct,
    mean,
    of,
)
from groundhop.evaluation.tables import counted_rows, measure_rows, refusal_rows, second_rows
from groundhop.evaluation.wordlist import TITLES, percent

MULTI_HOP = ("hotpotqa", "musique", "twowiki")
SHOWN = (
    "right", "exact", "f1", "contains", "citation_precision", "citation_recall",
    "supported_sentences", "recall@5", "mrr", "ndcg@5", "all_retrieved@5", "all_found@5",
    "all_accepted", "path_followed",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("runs", nargs="+")
    options = parser.parse_args()
    results = Results(options.results)
    everything: list[Answer] = []
    for run in options.runs:
        answers = answers_of(results, run)
        command = results.rows("select command from runs where run = ?", run)[0]["command"]
        print(f"`{command}`\n")
        for dataset in distinct(answers, "dataset"):
            show(dataset, of(answers, dataset=dataset))
        everything += answers
    results.close()
    together("sets of several hops together", everything, MULTI_HOP)
    hidden = tuple(f"{name}+abstention" for name in MULTI_HOP)
    together("their abstention variants together", everything, hidden)


def together(title: str, answers: Sequence[Answer], names: Sequence[str]) -> None:
    found = [one for one in answers if one.dataset in names]
    if len(distinct(found, "dataset")) > 1:
        show(f"{title} ({', '.join(distinct(found, 'dataset'))})", found)


def show(title: str, answers: Sequence[Answer]) -> None:
    systems = distinct(answers, "system")
    questions = len({(one.dataset, one.question) for one in answers})
    print(f"### {title}: {questions} questions\n")
    print_table("percent (95 % interval)", systems, measures(answers, systems))
    print_table("refusal", systems, refusal_rows(answers, systems, percent))
    for group in ("split", "type", "hops"):
        if len(distinct(answers, group)) > 1:
            print_table(f"right, by {group}", systems, cut(answers, systems, group))
    for system in systems:
        counted = causes(of(answers, system=system))
        said = "; ".join(f"{CAUSES[cause]} {number}" for cause, number in counted.most_common())
        print(f"Errors of `{system}`: {said or 'none'}.\n")
    for one in comparisons(answers):
        words = in_words(TITLES[one.measure], one.first, one.second, one.found, one.p)
        print(f"- {words}{discordant(one.found.only_first, one.found.only_second)}")
    print()


def discordant(first: int, second: int) -> str:
    return f" Discordant: {first} and {second}." if first or second else ""


def measures(answers: Sequence[Answer], systems: Sequence[str]) -> list[list[str]]:
    counted = ("tool_calls", "rewrites", "tokens", "degraded")
    return [
        *measure_rows(answers, systems, SHOWN, percent),
        *second_rows(answers, systems),
        *counted_rows(answers, systems, counted),
    ]


def cut(answers: Sequence[Answer], systems: Sequence[str], group: str) -> list[list[str]]:
    rows = []
    for value in distinct(answers, group):
        part = of(answers, **{group: value})
        found = [mean(of(part, system=one), "right") for one in systems]
        rows.append([f"{value} (n = {max(one.n for one in found if one)})", *map(percent, found)])
    return rows


def print_table(first: str, systems: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    print(f"| {first} | {' | '.join(systems)} |")
    print(f"|---|{'---:|' * len(systems)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


if __name__ == "__main__":
    main()
