"""The knowledge base as a reader sees it: one search over vectors and words."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TypeVar

from retrieval.access import Identity
from retrieval.catalogue import Catalogue, open_catalogue
from retrieval.embeddings.protocol import Embedder
from retrieval.errors import KnowledgeBaseError
from retrieval.filters import EVERYTHING, Filters, may_find
from retrieval.indexes import Indexes, check_model
from retrieval.ranking import (
    SHIPPED,
    Found,
    Hit,
    Tuning,
    exact_hits,
    fused_hits,
    reranked_hits,
    versioned_hits,
)
from retrieval.rerank import BestSentence, Reranker

__all__ = ["Hit", "KnowledgeBase", "SearchResult", "Tuning", "open_knowledge_base"]

CATALOGUE, VECTORS, LEXICAL = "catalogue.sqlite", "vectors", "lexical"

Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class SearchResult:
    """Hits, best first, and what did not work, in sentences; both may be empty."""

    hits: list[Hit] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)


class KnowledgeBase:
    """An open knowledge base. Safe to use from several threads, and while an ingest runs."""

    def __init__(
        self, catalogue: Catalogue, home: Path, embedder: Embedder, tuning: Tuning, last: Reranker
    ) -> None:
        self.embedder = embedder
        self._catalogue = catalogue
        self._home = home
        self._tuning, self._reranker = tuning, last
        self._indexes = Indexes(catalogue, home / LEXICAL, embedder.name)

    def search(
        self, query: str, identity: Identity, top_k: int, filters: Filters = EVERYTHING
    ) -> SearchResult:
        """The `top_k` best passages that the identity may read and the filters let through.

        Of several versions of a text the one in force comes first (today, or on the day of the
        filters), or the one of the year that the query names. Raises `KnowledgeBaseError` if
        neither search works, or if the index was built anew with another embedding model; if
        only one search works, `degraded` says so.
        """
        self._indexes.refresh()
        if not query.strip() or top_k < 1 or not self._indexes.chunk_count():
            return SearchResult()
        depth = max(self._tuning.depth, top_k)
        degraded = self._indexes.behind()
        vector = _attempt("vector search", lambda: self.embedder.queries([query])[0], degraded)
        dense = (
            vector
            if vector is None
            else _attempt(
                "vector search",
                lambda: self._indexes.search_vectors(vector, identity, filters, depth),
                degraded,
            )
        )
        bm25 = _attempt(
            "keyword search",
            lambda: self._indexes.search_words(query, identity, filters, depth),
            degraded,
        )
        if dense is None and bm25 is None:
            raise KnowledgeBaseError(f"No search works in {self._home}: {'; '.join(degraded)}")
        ids = sorted({one for one, _ in [*(dense or []), *(bm25 or [])]})
        found = self._findable(ids, identity, filters)
        hits = fused_hits(query, found, dense or [], bm25 or [], self._tuning)
        if self._tuning.rerank and hits:
            better = _attempt(
                "reranking",
                lambda: reranked_hits(query, vector, hits, self._reranker),
                degraded,
            )
            hits = better or hits
        day = filters.as_of or date.today().isoformat()
        return SearchResult(versioned_hits(query, hits, day)[:top_k], degraded)

    def search_words(
        self, query: str, identity: Identity, top_k: int, filters: Filters = EVERYTHING
    ) -> SearchResult:
        """The `top_k` best passages that hold words of the query, by the lexical index alone.

        A phrase in double quotes and a code ("ERR_4021") must stand in a passage as they are
        written. Raises `KnowledgeBaseError` if the lexical index cannot be read.
        """
        self._indexes.refresh()
        if not query.strip() or top_k < 1 or not self._indexes.chunk_count():
            return SearchResult()
        degraded = self._indexes.behind()
        depth = max(self._tuning.depth, top_k)
        ranking = self._indexes.search_words(query, identity, filters, depth)
        found = self._findable([one for one, _ in ranking], identity, filters)
        hits = exact_hits(query, fused_hits(query, found, [], ranking, self._tuning))
        day = filters.as_of or date.today().isoformat()
        return SearchResult(versioned_hits(query, hits, day)[:top_k], degraded)

    def _findable(self, ids: Sequence[str], identity: Identity, filters: Filters) -> Found:
        return {
            one: (chunk, document)
            for one, (chunk, document) in self._catalogue.chunks(ids).items()
            if may_find(document, identity, filters)
        }

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


def open_knowledge_base(
    home: Path,
    embedder: Embedder,
    catalogue_url: str | None = None,
    *,
    tuning: Tuning = SHIPPED,
    reranker: Reranker | None = None,
) -> KnowledgeBase:
    """Open the knowledge base of a data folder for reading, with a catalogue elsewhere if given.

    The reranker is that of the best sentence where none is given.

    Raises `KnowledgeBaseError` when nothing was ingested, when it was built with another
    embedding model, or when its catalogue is damaged.
    """
    catalogue = open_catalogue(home / CATALOGUE, url=catalogue_url)
    try:
        check_model(catalogue, embedder.name)
    except KnowledgeBaseError:
        catalogue.close()
        raise
    return KnowledgeBase(catalogue, home, embedder, tuning, reranker or BestSentence(embedder))


def _attempt(name: str, search: Callable[[], Outcome], degraded: list[str]) -> Outcome | None:
    """What a stage found, or None with a sentence in `degraded`: the others may work."""
    try:
        return search()
    except Exception as error:
        degraded.append(f"{name} failed: {error}")
        return None
