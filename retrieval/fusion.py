"""Several rankings made one."""

from collections.abc import Mapping, Sequence

from state.language import Language


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]],
    weights: Mapping[str, Sequence[float]] | None = None,
    k: int = 60,
) -> list[tuple[str, float]]:
    """The items of all rankings with score(d) = sum over rankings of w / (k + rank), best first.

    Ranks count from 1; an item that a ranking lacks gets nothing from it. `weights` gives an
    item one weight per ranking; without it they are all 1. Ties keep the order of the first
    ranking. Source: Cormack, Clarke, Buettcher, "Reciprocal Rank Fusion outperforms Condorcet
    and individual Rank Learning Methods", SIGIR 2009, which also gives k = 60.
    """
    scores: dict[str, float] = {}
    for place, ranking in enumerate(rankings):
        for rank, item in enumerate(ranking, start=1):
            weight = weights[item][place] if weights and item in weights else 1.0
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return sorted(scores.items(), key=lambda scored: -scored[1])


def search_weights(
    query: Language, passage: Language, *, without_accents: bool, shared_code: bool
) -> tuple[float, float]:
    """The weights of vector search and of keyword search for a passage.

    A passage that holds a code of the query ("ERR_4021") counts for more among the words than
    any other passage can by being first in both searches: vectors hardly tell codes apart.
    The other numbers are measured on XQuAD, R@1 with equal weights and with these:

    - Vietnamese typed without accents, Vietnamese text: .474, .911 (words alone .935, vectors
      alone .251; the model was trained on accented text).
    - Vietnamese questions, English text: .526, .736; English questions, Vietnamese text: .683,
      .759. Words shared across languages are rare and mostly chance.
    """
    unknown = {"und", ""}
    if shared_code:
        return 1.0, 3.0
    if query in unknown or passage in unknown:
        return 1.0, 1.0
    if query == "vi" and without_accents:
        return (0.04, 1.96) if passage == "vi" else (1.0, 1.0)
    return (1.0, 1.0) if query == passage else (1.96, 0.04)
