"""The knowledge base as a reader sees it: one search over vectors and words."""

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from retrieval.access import Identity, may_read
from retrieval.catalogue import Catalogue, Chunk, Document, open_catalogue, search_text
from retrieval.embeddings.protocol import Embedder
from retrieval.errors import KnowledgeBaseError
from retrieval.fusion import reciprocal_rank_fusion, search_weights
from retrieval.indexes import Indexes, check_model
from state.language import detect_language
from retrieval.tokens import codes
from state.text import has_accents

CATALOGUE, VECTORS, LEXICAL = "catalogue.sqlite", "vectors", "lexical"

_DEPTH = 50
"""How many passages each of the two searches contributes to the fusion."""

Ranking = list[tuple[str, float]]


@dataclass(frozen=True)
class Hit:
    """A passage that was found, its document (without text), and how it scored.

    `scores` holds "fused", and of the searches that found it "dense" (cosine) with
    "dense_rank" and "bm25" with "bm25_rank"; ranks count from 1.
    """

    chunk: Chunk
    document: Document
    scores: dict[str, float]


@dataclass(frozen=True)
class SearchResult:
    """Hits, best first, and what did not work, in sentences; both may be empty."""

    hits: list[Hit] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)


class KnowledgeBase:
    """An open knowledge base. Safe to use from several threads, and while an ingest runs."""

    def __init__(self, catalogue: Catalogue, home: Path, embedder: Embedder) -> None:
        self.embedder = embedder
        self._catalogue = catalogue
        self._home = home
        self._indexes = Indexes(catalogue, home / LEXICAL, embedder.name)

    def search(self, query: str, identity: Identity, top_k: int) -> SearchResult:
        """The `top_k` best passages that the identity may read.

        Raises `KnowledgeBaseError` if neither search works, or if the index was built anew with
        another embedding model; if only one search works, `degraded` says so.
        """
        self._indexes.refresh()
        if not query.strip() or top_k < 1 or not self._indexes.chunk_count():
            return SearchResult()
        depth = max(_DEPTH, top_k)
        degraded = self._indexes.behind()
        dense = _attempt("vector search", lambda: self._dense(query, identity, depth), degraded)
        bm25 = _attempt(
            "keyword search", lambda: self._indexes.search_words(query, identity, depth), degraded
        )
        if dense is None and bm25 is None:
            raise KnowledgeBaseError(f"No search works in {self._home}: {'; '.join(degraded)}")
        return SearchResult(self._hits(query, identity, dense or [], bm25 or [])[:top_k], degraded)

    def generation(self) -> int:
        """A number that changes with every change of what a search can find."""
        state = self._catalogue.state()
        return state.generation + state.vectors_generation

    def text(self, document_id: str) -> str:
        """The extracted text of a document; `KnowledgeBaseError` if it is not there."""
        return self._catalogue.text(document_id)

    def hashes(self, document_ids: Sequence[str], identity: Identity) -> dict[str, str]:
        """The hash of the text of each document that is there and that the identity may read."""
        return self._catalogue.hashes(document_ids, identity)

    def idf(self, term: str) -> float:
        """How rare a term of `retrieval.tokens` is; 1 where the lexical index cannot be read."""
        try:
            return self._indexes.idf(term)
        except KnowledgeBaseError:
            return 1.0

    def warm_up(self) -> None:
        """Start opening the indexes in the background; a search waits for the end of it."""
        threading.Thread(target=self._indexes.warm_up, daemon=True).start()

    def close(self) -> None:
        """Close all files; the embedder stays open."""
        self._indexes.close()
        self._catalogue.close()

    def _dense(self, query: str, identity: Identity, k: int) -> Ranking:
        vector = self.embedder.queries([query])[0]
        return self._indexes.search_vectors(vector, identity, k)

    def _hits(self, query: str, identity: Identity, dense: Ranking, bm25: Ranking) -> list[Hit]:
        rankings = [[one for one, _ in dense], [one for one, _ in bm25]]
        found = self._catalogue.chunks(sorted({*rankings[0], *rankings[1]}))
        weights = _weights(query, found)
        scores = _scores(dense, bm25)
        hits = [
            Hit(*found[one], {**scores[one], "fused": fused})
            for one, fused in reciprocal_rank_fusion(rankings, weights)
            if one in found and may_read(identity, found[one][1].access)
        ]
        return _without_repeats(hits)


def open_knowledge_base(home: Path, embedder: Embedder) -> KnowledgeBase:
    """Open the knowledge base of a data folder for reading.

    Raises `KnowledgeBaseError` when nothing was ingested, when it was built with another
    embedding model, or when its catalogue is damaged.
    """
    catalogue = open_catalogue(home / CATALOGUE)
    try:
        check_model(catalogue, embedder.name)
    except KnowledgeBaseError:
        catalogue.close()
        raise
    return KnowledgeBase(catalogue, home, embedder)


def _attempt(name: str, search: Callable[[], Ranking], degraded: list[str]) -> Ranking | None:
    """What a search found, or None with a sentence in `degraded`: the other one may work."""
    try:
        return search()
    except Exception as error:
        degraded.append(f"{name} failed: {error}")
        return None


def _weights(
    query: str, found: Mapping[str, tuple[Chunk, Document]]
) -> dict[str, tuple[float, float]]:
    """The weights of the two searches for every passage that one of them found."""
    language, asked = detect_language(query), codes(query)
    return {
        one: search_weights(
            language,
            document.language,
            without_accents=not has_accents(query),
            shared_code=bool(asked and asked & codes(search_text(chunk))),
        )
        for one, (chunk, document) in found.items()
    }


def _scores(dense: Ranking, bm25: Ranking) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for name, ranking in (("dense", dense), ("bm25", bm25)):
        for rank, (one, score) in enumerate(ranking, start=1):
            scores[one] |= {name: score, f"{name}_rank": float(rank)}
    return scores


def _without_repeats(hits: Sequence[Hit]) -> list[Hit]:
    """The first of several hits that say the same; other versions of a document are kept."""
    first: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        first.setdefault((search_text(hit.chunk), hit.document.version), hit)
    return list(first.values())
