"""Measures of a ranking against the pieces of evidence that a question needs.

A *piece* is a set of documents of which any one will do (one document, mostly). Rankings are
lists of documents, best first, without repeats; ranks count from 1. Formulas: Manning, Raghavan,
Schütze, "Introduction to Information Retrieval" (2008), chapter 8; nDCG: Järvelin, Kekäläinen,
"Cumulated gain-based evaluation of IR techniques", TOIS 20(4), 2002.
"""

from collections.abc import Sequence, Set
from math import log2

Pieces = Sequence[Set[str]]


def recall(ranking: Sequence[str], pieces: Pieces, k: int | None = None) -> float:
    """The share of pieces found among the first `k` documents (of all without `k`)."""
    first = set(ranking[:k])
    return sum(bool(first & piece) for piece in pieces) / len(pieces)


def all_found(ranking: Sequence[str], pieces: Pieces, k: int | None = None) -> float:
    """1 if every piece is among the first `k` documents, else 0."""
    return float(recall(ranking, pieces, k) == 1.0)


def precision(ranking: Sequence[str], pieces: Pieces, k: int | None = None) -> float:
    """Relevant documents among the first `k`, divided by `k`; of all without `k`; 0 if none."""
    wanted = frozenset[str]().union(*pieces)
    size = len(ranking) if k is None else k
    return sum(one in wanted for one in ranking[:k]) / size if size else 0.0


def reciprocal_rank(ranking: Sequence[str], pieces: Pieces) -> float:
    """1 / rank of the first relevant document; 0 where there is none. Its mean is the MRR."""
    wanted = frozenset[str]().union(*pieces)
    return next((1 / rank for rank, one in enumerate(ranking, 1) if one in wanted), 0.0)


def ndcg(ranking: Sequence[str], pieces: Pieces, k: int) -> float:
    """Gain 1 / log2(rank + 1) for each document that brings a new piece, over the best possible."""
    open_pieces = list(pieces)
    gained = 0.0
    for rank, one in enumerate(ranking[:k], 1):
        found = next((piece for piece in open_pieces if one in piece), None)
        if found is not None:
            open_pieces.remove(found)
            gained += 1 / log2(rank + 1)
    best = sum(1 / log2(rank + 1) for rank in range(1, min(k, len(pieces)) + 1))
    return gained / best


def without_repeats(documents: Sequence[str]) -> list[str]:
    """The documents in the order in which each is first named."""
    return list(dict.fromkeys(documents))


def merged(searches: Sequence[Sequence[str]]) -> list[str]:
    """Several rankings as one: by rank, at equal rank the earlier search first."""
    ranked = [
        (rank, place, one)
        for place, ranking in enumerate(searches)
        for rank, one in enumerate(without_repeats(ranking))
    ]
    return without_repeats([one for _, _, one in sorted(ranked, key=lambda row: row[:2])])
