"""The last stage: the first passages of the fusion, looked at more closely."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.embeddings.protocol import Embedder
from retrieval.exact import dots
from retrieval.fusion import Scores, convex_sum
from retrieval.records import Chunk
from state.sentences import sentences

RERANKED = 10
"""So many passages are reranked: what XQuAD was measured with."""


@dataclass(frozen=True)
class Asked:
    """A query with its vector (or None), what the searches said of passages, and their weights.

    `share` is how much vectors count for a passage, as in `retrieval.fusion.dense_share`.
    """

    query: str
    vector: NDArray[np.float32] | None
    dense: Scores
    words: Scores
    share: Callable[[str], float]


class Reranker(Protocol):
    """Scores passages anew; `name` stands in every result that it had a part in."""

    @property
    def name(self) -> str:
        """Such as "best sentence"."""

    def rerank(self, asked: Asked, passages: Sequence[Chunk]) -> dict[str, float]:
        """Scores from 0 to 1 by the ids of passages; none if it cannot score."""


class BestSentence:
    """The similarity of a passage and of its nearest sentence, mixed with that of its words.

    share · minmax(cosine + best sentence's cosine) + (1 - share) · minmax(BM25). Measured on
    whole paragraphs of XQuAD over the fusion's first ten: R@1 .958 → .961 of Vietnamese, .958 →
    .971 of English, .725 → .791 of Vietnamese questions to English text, .767 → .840 of the
    reverse. Sentences are embedded as an ingest does it, so a cache that it has filled answers
    without the model.
    """

    name = "best sentence"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def rerank(self, asked: Asked, passages: Sequence[Chunk]) -> dict[str, float]:
        """As `Reranker.rerank`; raises `EmbeddingError`."""
        if asked.vector is None:
            return {}
        split = [[one.text for one in sentences(chunk.text)] for chunk in passages]
        vectors = self._embedder.passages([text for found in split for text in found])
        cosines = iter(dots(vectors, asked.vector).tolist())
        best = {
            chunk.id: max((next(cosines) for _ in found), default=asked.dense.get(chunk.id, 0.0))
            for chunk, found in zip(passages, split, strict=True)
        }
        near = {one: asked.dense.get(one, cosine) + cosine for one, cosine in best.items()}
        words = {one: asked.words.get(one, 0.0) for one in best}
        return convex_sum(near, words, asked.share)
