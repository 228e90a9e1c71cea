"""From two rankings to one list of hits: fusion, reranking, versions, and what is too weak."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from retrieval.fusion import convex_sum, dense_share, reciprocal_rank_fusion
from retrieval.phrases import holds_phrase, phrases
from retrieval.records import Chunk, Document, search_text
from retrieval.rerank import RERANKED, Asked, Reranker
from retrieval.tokens import codes
from retrieval.versions import by_version
from state.language import detect_language
from state.text import has_accents

Ranking = list[tuple[str, float]]
Fusion = Literal["sum", "ranks"]

_ENOUGH = 20
"""Of fewer passages the weakest has 0 because it is the weakest, not because it is weak."""


@dataclass(frozen=True)
class Tuning:
    """How the two searches become one list.

    `fusion` is the convex sum of normalised scores, or reciprocal ranks (k = 60). `depth` is
    how many passages each search contributes. Passages whose fused score is below `minimum`
    times the best one are dropped. XQuAD never loses the right one by that, even at .2, but twowiki
    loses all documents among the first ten for 1 question of 100 at .1 (.496 to .485), at .2 for 4.
    Without `rerank` the passages stay as the fusion has them.
    """

    fusion: Fusion = "sum"
    depth: int = 50
    minimum: float = 0.05
    rerank: bool = True


SHIPPED = Tuning()


@dataclass(frozen=True)
class Hit:
    """A passage that was found, its document (without text), and how it scored.

    `scores` holds "fused" with "fused_rank", and of the searches that found it "dense" (cosine)
    with "dense_rank" and "bm25" with "bm25_rank"; "reranked" if the last stage looked at it.
    Ranks count from 1. `ranked_by` names the stage that gave it its place.
    """

    chunk: Chunk
    document: Document
    scores: dict[str, float]
    ranked_by: str = ""


Found = Mapping[str, tuple[Chunk, Document]]


def fused_hits(
    query: str, found: Found, dense: Ranking, bm25: Ranking, tuning: Tuning
) -> list[Hit]:
    """The passages of both searches in the order of the fusion, those that are too weak left out.

    A passage that holds the codes of the query ("ERR_4021") or its phrases in quotes comes
    before all others, for vectors hardly tell codes apart.
    """
    near = {one: score for one, score in dense if one in found}
    said = {one: score for one, score in bm25 if one in found}
    share = _shares(query, found)
    if tuning.fusion == "sum":
        fused = convex_sum(near, said, share)
    else:
        weights = {one: (2 * share(one), 2 - 2 * share(one)) for one in found}
        fused = reciprocal_rank_fusion([list(near), list(said)], weights)
    extra = _extras(query, found)
    fused = {one: score + extra.get(one, 0.0) for one, score in fused.items()}
    least = tuning.minimum * max(fused.values(), default=0.0) if len(fused) >= _ENOUGH else 0.0
    stage = "sum of scores" if tuning.fusion == "sum" else "reciprocal ranks"
    scores = _scores(dense, bm25)
    kept = sorted((one for one in fused if fused[one] >= least), key=lambda one: -fused[one])
    hits = _without_repeats(
        [Hit(*found[one], {**scores[one], "fused": fused[one]}, stage) for one in kept]
    )
    return [
        replace(hit, scores={**hit.scores, "fused_rank": float(rank)})
        for rank, hit in enumerate(hits, start=1)
    ]


def reranked_hits(
    query: str, vector: NDArray[np.float32] | None, hits: list[Hit], reranker: Reranker
) -> list[Hit]:
    """The hits with the first of them in the reranker's order; as they are if it has no say."""
    first = hits[:RERANKED]
    found = {hit.chunk.id: (hit.chunk, hit.document) for hit in first}
    asked = Asked(
        query=query,
        vector=vector,
        dense={hit.chunk.id: hit.scores["dense"] for hit in first if "dense" in hit.scores},
        words={hit.chunk.id: hit.scores["bm25"] for hit in first if "bm25" in hit.scores},
        share=_shares(query, found),
    )
    scores = reranker.rerank(asked, [hit.chunk for hit in first])
    if not scores:
        return hits
    extra = _extras(query, found)
    marked = [
        Hit(
            hit.chunk, hit.document, {**hit.scores, "reranked": scores[hit.chunk.id]}, reranker.name
        )
        for hit in first
    ]
    marked.sort(key=lambda hit: -(hit.scores["reranked"] + extra.get(hit.chunk.id, 0.0)))
    return [*marked, *hits[RERANKED:]]


def exact_hits(query: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits that hold every code of the query and every phrase that it puts in quotes."""
    asked, quoted = codes(query), phrases(query)
    return [hit for hit in hits if _holds_all(search_text(hit.chunk), asked, quoted)]


def _holds_all(text: str, asked: frozenset[str], quoted: Sequence[str]) -> bool:
    return asked <= codes(text) and all(holds_phrase(text, phrase) for phrase in quoted)


def versioned_hits(query: str, hits: Sequence[Hit], day: str) -> list[Hit]:
    """The hits with the versions that count on an ISO date before those that do not."""
    return by_version([(hit, hit.chunk, hit.document) for hit in hits], query, day)


def _shares(query: str, found: Found) -> Callable[[str], float]:
    language, bare, words = detect_language(query), not has_accents(query), len(query.split())
    return lambda one: dense_share(
        language, found[one][1].language, without_accents=bare, words=words
    )


def _extras(query: str, found: Found) -> dict[str, float]:
    """What a passage gets for the codes (their share) and for the phrases of the query."""
    asked, quoted = codes(query), phrases(query)
    if not asked and not quoted:
        return {}
    extras: dict[str, float] = {}
    for one, (chunk, _) in found.items():
        text = search_text(chunk)
        held = len(asked & codes(text)) / len(asked) if asked else 0.0
        all_held = bool(quoted) and all(holds_phrase(text, phrase) for phrase in quoted)
        extras[one] = held + all_held
    return extras


def _scores(dense: Ranking, bm25: Ranking) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for name, ranking in (("dense", dense), ("bm25", bm25)):
        for rank, (one, score) in enumerate(ranking, start=1):
            scores[one] |= {name: score, f"{name}_rank": float(rank)}
    return scores


def _without_repeats(hits: Sequence[Hit]) -> list[Hit]:
    """The first of several hits that say the same; other versions of a document are kept."""
    first: dict[tuple[str, str, str], Hit] = {}
    for hit in hits:
        document = hit.document
        key = (search_text(hit.chunk), document.version, document.effective_from)
        first.setdefault(key, hit)
    return list(first.values())
